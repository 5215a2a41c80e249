import { alternate } from '../../alternate.ts';
import { putCalls } from '../../backend/calls.ts';
import { startStored } from '../../backend/start-stored.ts';
import type { Bench } from '../../bench.ts';
import { compared, type Figure } from '../../figures.ts';
import type { LoadResult } from '../../load/load.ts';

const STEPS = [1, 2, 4, 8, 16, 32, 64] as const;
const SITES = 1000;

/** Writers at once on one backend, beside a single one: throughput, and how long each waits. */
export async function growthWithWriters(bench: Bench): Promise<Figure[]> {
  const { options, load, tell } = bench;
  const { backend, token } = await startStored(bench, SITES);
  const calls = putCalls(SITES, token);
  const contestants = STEPS.map((connections) => ({
    name: nameOf(connections),
    run: () => load.run({ port: backend.port, calls, connections, seconds: options.seconds }),
  }));
  const results = await alternate(contestants, options.runs, tell);
  const samples = (connections: number, of: keyof LoadResult) => results(nameOf(connections)).map((result) => result[of]);
  return [
    ...STEPS.map((step) =>
      compared(
        { name: nameOf(step), unit: 'PUT/s', samples: samples(step, 'perSecond') },
        { name: nameOf(1), samples: samples(1, 'perSecond') },
      ),
    ),
    ...STEPS.map((step) =>
      compared(
        { name: `${nameOf(step)}, p99`, unit: 'ms', samples: samples(step, 'p99') },
        { name: nameOf(1), samples: samples(1, 'p99') },
      ),
    ),
  ];
}

function nameOf(connections: number): string {
  return connections === 1 ? '1 writer' : `${connections} writers`;
}
