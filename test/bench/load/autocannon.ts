import { fileURLToPath } from 'node:url';
import { outputOf } from '../child-output.ts';
import type { Workspace } from '../workspace.ts';
import type { NumberedJob, Outcome } from './load.ts';
import { parseOutcome } from './outcome.ts';

const WORKER = fileURLToPath(new URL('./autocannon-worker.js', import.meta.url));

export async function loadWithAutocannon(workspace: Workspace, job: NumberedJob): Promise<Outcome> {
  const child = workspace.start(process.execPath, [WORKER]);
  const output = outputOf('autocannon', child);
  child.stdin?.end(JSON.stringify(job));
  return parseOutcome(await output);
}
