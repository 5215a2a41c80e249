import { beforeAll, expect, it } from 'vitest';
import { buildBackend } from '../../support/child-backend.ts';
import { startBuildManagementWorld } from './build-management-world.ts';
import { installSchemathesis, runSchemathesis } from './run-schemathesis.ts';
import { startServiceWorld } from './service-world.ts';

let program: string;
beforeAll(async () => {
  await buildBackend();
  program = await installSchemathesis();
}, 180_000);

/** Milliseconds: three minutes are the aim on two free cores. */
const PATIENCE = 600_000;

it.each([
  { name: 'the service', start: startServiceWorld, requests: 8000 },
  { name: 'build management', start: startBuildManagementWorld, requests: 500 },
])(
  '$name answers as its document says, whatever is asked',
  async ({ start, requests }) => {
    const world = await start();
    try {
      const { printed, ...report } = await runSchemathesis(program, world);
      console.log(`${report.test_cases.generated} requests on ${report.operations.tested} operations`);
      expect(report.failures, printed).toEqual([]);
      expect(report.exit_code, printed).toBe(0);
      expect(report.complete).toBe(true);
      // Without what is there, or with a document that is read in part, nothing could be found.
      expect(report.operations.tested).toBe(report.operations.selected);
      expect(report.test_cases.generated).toBeGreaterThan(requests);
    } finally {
      await world.stop();
    }
  },
  PATIENCE,
);
