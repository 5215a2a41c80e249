import { installed } from '../installed.ts';
import type { Workspace } from '../workspace.ts';
import { loadWithAutocannon } from './autocannon.ts';
import type { Call } from './call.ts';
import { loadWithWrk } from './wrk.ts';

export interface LoadJob {
  readonly port: number;
  /** Sent in turn, each as soon as a connection is free. */
  readonly calls: readonly Call[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
}

export interface Load {
  /** Rejects where any answer is an error: figures of failures would mislead. */
  run(job: LoadJob): Promise<LoadResult>;
}

/** A job as a generator process gets it: counters start at `first`, so that no two runs of one benchmark write the same. */
export type NumberedJob = LoadJob & { readonly first: number };
export type Outcome = LoadResult & { readonly failures: number };

const COUNTERS_PER_RUN = 10_000_000;

/** The load generator: wrk where it is installed (it costs less of the machine), else autocannon; a process of its own for each run. */
export async function createLoad(workspace: Workspace): Promise<Load> {
  const wrk = await installed('wrk');
  let runs = 0;
  return {
    async run(job) {
      const numbered = { ...job, first: ++runs * COUNTERS_PER_RUN };
      const outcome = wrk === undefined ? await loadWithAutocannon(workspace, numbered) : await loadWithWrk(workspace, wrk, numbered);
      const { failures, ...result } = outcome;
      if (failures > 0) throw new Error(`${failures} of ${result.requests} answers of port ${job.port} were errors: nothing was measured.`);
      return result;
    },
  };
}
