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
  /** Calls a second at most, where they shall not come as fast as they are answered. */
  readonly rate?: number;
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
  /**
   * The same, for its latencies: without the first answer of each connection. Node takes one new connection in a turn of the event loop, so
   * that the last of many that are opened at once waits for as many turns, which wrk counts as the latency of its first request.
   */
  latency(job: LoadJob): Promise<LoadResult>;
}

/** A job as a generator process gets it: counters start at `first`, so that no two runs of one benchmark write the same. */
export type NumberedJob = LoadJob & { readonly first: number };
export type Outcome = LoadResult & { readonly failures: number };

const COUNTERS_PER_RUN = 10_000_000;

/** The load generator: wrk where it is installed (it costs less of the machine), else autocannon; a process of its own for each run. */
export async function createLoad(workspace: Workspace): Promise<Load> {
  const wrk = await installed('wrk');
  let runs = 0;
  const measured = async (job: LoadJob, generator: (numbered: NumberedJob) => Promise<Outcome>): Promise<LoadResult> => {
    const { failures, ...result } = await generator({ ...job, first: ++runs * COUNTERS_PER_RUN });
    if (failures > 0) throw new Error(`${failures} of ${result.requests} answers of port ${job.port} were errors: nothing was measured.`);
    return result;
  };
  const autocannon = (job: NumberedJob) => loadWithAutocannon(workspace, job);
  return {
    run: (job) =>
      measured(job, wrk === undefined || job.rate !== undefined ? autocannon : (numbered) => loadWithWrk(workspace, wrk, numbered)),
    latency: (job) => measured(job, autocannon),
  };
}
