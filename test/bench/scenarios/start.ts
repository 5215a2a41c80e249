import { setTimeout as pause } from 'node:timers/promises';
import { type BenchStorage, startBackendProcess, storeSites } from '../backend/start-backend.ts';
import { compared, type Figure, measured, missing } from '../figures.ts';
import { alternate, resident } from '../measure.ts';
import type { Bench, Scenario } from '../options.ts';

const IDLE_MS = 2000;
const MB = 2 ** 20;

interface Start {
  readonly readyAfter: number;
  readonly resident: number | undefined;
}

/** From the start of the process to its first successful answer on a site's host, and its idle memory. */
export const start: Scenario = async (bench) => {
  const { sites, runs } = bench.options;
  const [many, one] = [await storeSites(bench, sites), await storeSites(bench, 1)];
  const contestants = [
    { name: 'many', run: () => startOnce(bench, many.storage) },
    { name: 'one', run: () => startOnce(bench, one.storage) },
  ];
  const results = await alternate(contestants, runs, bench.showProgress);
  const ready = (name: string) => results(name).map((result) => result.readyAfter);
  return {
    scenario: `Start with ${sites} sites stored`,
    figures: [
      measured({ name: 'ready', unit: 'ms', samples: ready('many'), target: { atMost: 1000 } }),
      compared({ name: 'ready', unit: 'ms', samples: ready('many') }, { name: 'one site stored', samples: ready('one') }),
      memory('resident, idle', results('many')),
    ],
  };
};

function memory(name: string, starts: readonly Start[]): Figure {
  const samples = starts.flatMap((one) => (one.resident === undefined ? [] : [one.resident / MB]));
  if (samples.length === 0) return missing(name, 'MB', 'this system does not tell the memory of a process');
  return measured({ name, unit: 'MB', samples, target: { atMost: 150 } });
}

async function startOnce({ workspace }: Bench, storage: BenchStorage): Promise<Start> {
  const backend = await startBackendProcess(workspace, storage);
  await pause(IDLE_MS);
  const memory = await resident(backend.pid);
  await backend.stop();
  return { readyAfter: backend.readyAfter, resident: memory?.now };
}
