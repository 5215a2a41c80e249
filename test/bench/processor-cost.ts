import type { Load, LoadJob, LoadResult } from './load/load.ts';
import { processorTime } from './processor-time.ts';

export interface ProcessorCost extends LoadResult {
  /** Microseconds of the processor for each request, with what the system does for it; undefined where nobody tells. */
  readonly each: number | undefined;
}

/** What each request of a load costs the processes that answer it, all together. */
export async function processorCost(load: Load, pids: readonly number[], job: LoadJob): Promise<ProcessorCost> {
  const had = async () => {
    const times = await Promise.all(pids.map(processorTime));
    return times.reduce<number | undefined>((sum, time) => (sum === undefined || time === undefined ? undefined : sum + time), 0);
  };
  const before = await had();
  const result = await load.run(job);
  const after = await had();
  const isKnown = before !== undefined && after !== undefined && result.requests > 0;
  return { ...result, each: isKnown ? ((after - before) * 1000) / result.requests : undefined };
}
