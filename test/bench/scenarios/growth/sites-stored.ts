import { alternate } from '../../alternate.ts';
import { getConfig, putCalls } from '../../backend/calls.ts';
import { siteName } from '../../backend/site-input.ts';
import { startStored } from '../../backend/start-stored.ts';
import type { Bench } from '../../bench.ts';
import { compared, type Figure } from '../../figures.ts';
import type { Call } from '../../load/call.ts';

const STEPS = [100, 1000, 10_000, 50_000] as const;
const READERS = 64;
const WRITERS = 32;

/** Reads of all stored sites in turn and writes to them, beside a backend that stores a hundred. */
export async function growthWithSites(bench: Bench): Promise<Figure[]> {
  const { options, load, tell } = bench;
  const steps = [...new Set(STEPS.map((step) => Math.min(step, options.sites)))];
  const contestants = [];
  for (const step of steps) {
    const { backend, token } = await startStored(bench, step);
    const run = (calls: readonly Call[], connections: number) => () =>
      load.run({ port: backend.port, calls, connections, seconds: options.seconds });
    const reads = Array.from({ length: step }, (_, index) => getConfig(siteName(index)));
    contestants.push({ name: `GET ${step}`, run: run(reads, READERS) }, { name: `PUT ${step}`, run: run(putCalls(step, token), WRITERS) });
  }
  const results = await alternate(contestants, options.runs, tell);
  const samples = (name: string) => results(name).map((result) => result.perSecond);
  const [fewest = 0] = steps;
  return ['GET', 'PUT'].flatMap((kind) =>
    steps.map((step) =>
      compared(
        { name: `${kind}, ${step} sites stored`, unit: `${kind}/s`, samples: samples(`${kind} ${step}`) },
        { name: `${fewest} stored`, samples: samples(`${kind} ${fewest}`) },
      ),
    ),
  );
}
