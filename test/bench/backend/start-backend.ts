import { fileURLToPath } from 'node:url';
import { createAsk } from '../ask.ts';
import { freePort } from '../free-port.ts';
import { untilReady } from '../until-ready.ts';
import type { Workspace } from '../workspace.ts';
import { getConfig } from './calls.ts';
import { settingsOf, type Place } from './place.ts';
import { siteName } from './site-input.ts';

export interface StartedBackend {
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first good answer on a site's host. */
  readonly readyAfter: number;
  stop(): Promise<void>;
  /** Ends it as a power failure would. */
  kill(): Promise<void>;
}

export type BackendProgram = 'backend' | 'backend without a store';

const PROGRAMS: Record<BackendProgram, string> = {
  backend: fileURLToPath(new URL('../../../../backend/dist/main.js', import.meta.url)),
  'backend without a store': fileURLToPath(new URL('./no-store-main.js', import.meta.url)),
};

/** Starts a backend as a process of its own, as `npm run serve` does, at a place that holds at least one site. */
export async function startBackendProcess(
  workspace: Workspace,
  place: Place,
  program: BackendProgram = 'backend',
): Promise<StartedBackend> {
  const port = await freePort();
  const ask = createAsk();
  const environment = { PATH: process.env['PATH'], ...settingsOf(place, port) };
  const child = workspace.start(process.execPath, [...profiling(), PROGRAMS[program]], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const readyAfter = await untilReady(program, child, async () => (await ask(port, getConfig(siteName(0)))).status === 200);
  if (child.pid === undefined) throw new Error('The backend has no process.');
  return { port, pid: child.pid, readyAfter, stop: () => workspace.stop(child), kill: () => workspace.stop(child, 'SIGKILL') };
}

/** With BENCH_CPU_PROFILES set to a directory, every backend leaves its processor profile there when it stops. */
function profiling(): string[] {
  const directory = process.env['BENCH_CPU_PROFILES'];
  return directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];
}
