import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { startWorkerBackend } from '../support/worker-backend.ts';
import type { WorkerBackend } from '../support/worker-backend.ts';

let backend: WorkerBackend;

beforeAll(async () => {
  backend = await startWorkerBackend();
  await backend.site('one', 1);
});
afterAll(() => backend.stop());

/** Which process answered this path of a host last, as the log of refusals names it. */
async function processOf(agent: Agent, path: string): Promise<string> {
  await ask(backend.address, path, { host: 'service.example.com', agent });
  const line = await logged((one) => one['path'] === path);
  return String(line['process']);
}

/** The first line of the log that is so. */
async function logged(isIt: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
  const find = () =>
    backend
      .output()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [Object(JSON.parse(line)) as Record<string, unknown>] : []))
      .find(isIt);
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}

it('x', async () => {
  expect((await backend.visit('one')).status).toBe(200);
  expect(backend.workers().size).toBe(2);
  await processOf(new Agent(), '/nothing');
});
