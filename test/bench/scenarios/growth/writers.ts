import { putCalls, startStored } from '../../backend/start-backend.ts';
import { type Figure, missing } from '../../figures.ts';
import type { LoadResult } from '../../load/load.ts';
import { processorCost } from '../../measure.ts';
import type { Bench } from '../../options.ts';
import { startPostgres } from '../../peers/postgres.ts';
import { grow, type Step } from './grow.ts';

const STEPS = [1, 2, 4, 8, 16, 32, 64];
const QUICK = [1, 8, 64];
const SITES = 1000;

/** Concurrent writers on one backend: the cost of a write, and how long each waits. */
export async function growthWithWriters(bench: Bench): Promise<Figure[]> {
  const sqlite = await measureOn(bench, 'SQLite');
  const postgres = await startPostgres(bench.workspace);
  if (postgres === undefined) return [...sqlite, missing('PUT on PostgreSQL', 'µs', 'PostgreSQL is not installed')];
  return [...sqlite, ...(await measureOn(bench, 'PostgreSQL', await postgres.database('writers')))];
}

async function measureOn(bench: Bench, store: string, databaseUrl?: string): Promise<Figure[]> {
  const { options, load } = bench;
  const { backend, token } = await startStored(bench, SITES, databaseUrl === undefined ? {} : { databaseUrl });
  const calls = putCalls(SITES, token);
  const steps = (options.quick ? QUICK : STEPS).map((count): Step => {
    const job = { port: backend.port, calls, connections: count, seconds: options.seconds };
    let last: Awaited<ReturnType<typeof processorCost>> | undefined;
    let waits: LoadResult | undefined;
    return {
      count,
      costs: [
        {
          name: `PUT on ${store}`,
          unit: 'µs',
          async measure() {
            last = await processorCost(load, [backend.pid], job);
            return last.each;
          },
        },
        { name: `PUT on ${store}, the time of each`, unit: 'ms', measure: async () => last && 1000 / last.perSecond },
        {
          name: `PUT on ${store}, p50`,
          unit: 'ms',
          async measure() {
            waits = await load.latency(job);
            return waits.p50;
          },
        },
        { name: `PUT on ${store}, p99`, unit: 'ms', measure: async () => waits?.p99 },
      ],
    };
  });
  return await grow(bench, 'writers', steps).finally(() => backend.stop());
}
