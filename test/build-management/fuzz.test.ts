import { beforeAll, expect, it } from 'vitest';
import { startBuildManagementTarget } from '../fuzz/build-management-target.ts';
import { runFuzz } from '../fuzz/run-fuzz.ts';
import { buildBackend } from '../support/child-backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

beforeAll(buildBackend, 120_000);
const target = startBeforeAll(startBuildManagementTarget, 120_000);

it('1000 requests are answered as documented, none with 5xx, while others keep reading', { timeout: 240_000 }, async () => {
  const { faults, endings, judged, bystander, memory } = await runFuzz(target, { requests: 1000, seed: 21 });
  expect(faults).toEqual([]);
  expect(endings['200']).toBeGreaterThan(50);
  expect(endings['400']).toBeGreaterThan(50);
  expect(judged).toBeGreaterThan(500);
  expect(bystander.failed).toBe(0);
  expect(memory.after - memory.before).toBeLessThan(200 * 1024 * 1024);
});
