import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outputOf } from '../child-output.ts';
import type { Workspace } from '../workspace.ts';
import { printCall } from './call.ts';
import type { NumberedJob, Outcome } from './load.ts';
import { parseOutcome } from './outcome.ts';
import { WRK_SCRIPT } from './wrk-script.ts';

export async function loadWithWrk(workspace: Workspace, wrk: string, job: NumberedJob): Promise<Outcome> {
  const directory = await workspace.directory('load');
  const script = join(directory, 'load.lua');
  const requests = join(directory, 'requests');
  await writeFile(script, WRK_SCRIPT);
  await writeFile(
    requests,
    job.calls
      .map(printCall)
      .map((text) => `${Buffer.byteLength(text)}\n${text}`)
      .join(''),
  );
  const args = ['-t1', `-c${job.connections}`, `-d${job.seconds}s`, '--timeout', '30s', '-s', script, `http://127.0.0.1:${job.port}`];
  const output = await outputOf('wrk', workspace.start(wrk, [...args, '--', requests, String(job.first)]));
  await rm(directory, { recursive: true, force: true });
  return parseOutcome(output);
}
