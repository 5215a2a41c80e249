import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { alternate, type Contestant } from '../alternate.ts';
import { getConfig, putSite } from '../backend/calls.ts';
import type { Place } from '../backend/place.ts';
import { siteName } from '../backend/site-input.ts';
import { startBackendProcess } from '../backend/start-backend.ts';
import { storeSites } from '../backend/store-sites.ts';
import type { Bench, Scenario } from '../bench.ts';
import { compared, measured, missing, type Figure } from '../figures.ts';
import type { LoadResult } from '../load/load.ts';
import { memoryOfAll } from '../memory-of-all.ts';
import { median } from '../statistics.ts';

const CONNECTIONS = 64;
/** Of the sites that are read and written; as many as are kept ready after a warm-up. */
const READ = 1000;
/** 5 % of all calls are writes. */
const READS_FOR_A_WRITE = 19;
const WRITERS = 64;
const IDLE_MS = 2000;
const MB = 2 ** 20;
const COUNTS = [0, 1, 2] as const;
/** Of the reads that saturate one process, where there is to be room for the writes and for the load. */
const PART = 1 / 4;
/** Where everything is saturated, and where it is not. */
const PACES = ['saturated', 'a quarter'] as const;
type Pace = (typeof PACES)[number];

/** Reads, and what part of all calls the writes beside them were; undefined where there were none. */
interface Beside extends LoadResult {
  readonly written?: number;
}

type Results = (name: string) => readonly Beside[];

/**
 * Reads of config.json beside writes, by so many delivery processes; and what these take of memory and of the start. The writes come on connections of their
 * own, as many as are 5 % of all calls: what a reader gets of them is the waiting alone. Once with as many reads as can be answered, which share the processors with
 * the writes and with the load, and once with a quarter of those that one process answers, where there is room for all.
 */
export const workers: Scenario = async (bench) => {
  const { options } = bench;
  const existing = Math.min(options.sites, READ);
  const contestants: Contestant<Beside>[] = [];
  let most = 0;
  for (const count of COUNTS) {
    const { place, token } = await storeSites(bench, existing);
    const { port } = await startBackendProcess(bench.workspace, withWorkers(place, count));
    const reads = Array.from({ length: existing }, (_, index) => getConfig(siteName(index)));
    const writes = Array.from({ length: existing }, (_, index) => putSite(siteName(index), token));
    for (const pace of PACES) {
      const rate = () => (pace === 'saturated' ? {} : { rate: Math.ceil(most * PART) });
      const read = () => bench.load.run({ port, calls: reads, connections: CONNECTIONS, seconds: options.seconds, ...rate() });
      let alone = 0;
      contestants.push({
        name: nameOf(count, pace, 'reads'),
        async run() {
          const result = await read();
          alone = result.perSecond;
          if (count === 0 && pace === 'saturated') most = alone;
          return result;
        },
      });
      contestants.push({
        name: nameOf(count, pace, 'beside writes'),
        async run() {
          const rate = Math.ceil(alone / READS_FOR_A_WRITE);
          const writing = bench.load.run({ port, calls: writes, connections: WRITERS, seconds: options.seconds, rate });
          const [reading, written] = await Promise.all([read(), writing]);
          return { ...reading, written: written.requests / (reading.requests + written.requests) };
        },
      });
    }
  }
  const results: Results = await alternate(contestants, options.runs, bench.tell);
  return {
    scenario: `Delivery processes, ${CONNECTIONS} connections, ${availableParallelism()} processors for them and for the load`,
    figures: [
      ...PACES.flatMap((pace) => COUNTS.flatMap((count) => besideWrites(results, count, pace))),
      ...growth(results),
      ...(await starts(bench)),
    ],
  };
};

function besideWrites(results: Results, count: (typeof COUNTS)[number], pace: Pace): Figure[] {
  const [reads, mixed] = [results(nameOf(count, pace, 'reads')), results(nameOf(count, pace, 'beside writes'))];
  const name = `${called(count)}, ${pace === 'saturated' ? 'reads' : 'a quarter of what one process reads,'} beside writes`;
  const target = count === 0 ? [{}, {}] : [{ target: { atLeast: 0.8 } }, { target: { atMost: 2 } }];
  const share = Math.round(median(mixed.flatMap(({ written }) => written ?? [])) * 1000) / 10;
  return [
    compared(
      {
        name,
        unit: 'requests/s',
        samples: mixed.map(({ perSecond }) => perSecond),
        note: `${share} % of the calls were writes`,
        ...target[0],
      },
      { name: 'reads alone', samples: reads.map(({ perSecond }) => perSecond) },
    ),
    compared(
      { name: `${name}, p99`, unit: 'ms', samples: mixed.map(({ p99 }) => p99), ...target[1] },
      { name: 'reads alone', samples: reads.map(({ p99 }) => p99) },
    ),
  ];
}

/** The load takes a processor too. */
function growth(results: Results): Figure[] {
  const perSecond = (count: (typeof COUNTS)[number]) => results(nameOf(count, 'saturated', 'reads')).map((result) => result.perSecond);
  const free = availableParallelism() >= 4 ? { target: { atLeast: 1.7 } } : { note: 'no processor is free for the second process' };
  return [
    compared({ name: 'reads, 1 process', unit: 'requests/s', samples: perSecond(1) }, { name: 'without', samples: perSecond(0) }),
    compared(
      { name: 'reads, 2 processes', unit: 'requests/s', samples: perSecond(2), ...free },
      { name: '1 process', samples: perSecond(1) },
    ),
  ];
}

async function starts(bench: Bench): Promise<Figure[]> {
  const { place } = await storeSites(bench, bench.options.sites);
  const [ready, memory]: [number[], number[]] = [[], []];
  for (let run = 1; run <= bench.options.runs; run += 1) {
    bench.tell(`start ${run} of ${bench.options.runs}`);
    const backend = await startBackendProcess(bench.workspace, withWorkers(place, 1));
    await pause(IDLE_MS);
    const found = await memoryOfAll(backend.pid);
    ready.push(backend.readyAfter);
    if (found !== undefined) memory.push(found / MB);
    await backend.stop();
  }
  const name = 'memory of all processes, idle, what they share counted once';
  return [
    measured({ name: `ready with ${bench.options.sites} sites, 1 process`, unit: 'ms', samples: ready, target: { atMost: 1500 } }),
    memory.length === 0
      ? missing(name, 'MB', 'this system does not tell the memory of a process')
      : measured({ name, unit: 'MB', samples: memory, target: { atMost: 250 } }),
  ];
}

function withWorkers(place: Place, count: number): Place {
  return { ...place, settings: { ...place.settings, DELIVERY_WORKERS: String(count) } };
}

function called(count: (typeof COUNTS)[number]): string {
  return count === 0 ? 'one process' : `${count} delivery process${count === 1 ? '' : 'es'}`;
}

function nameOf(count: (typeof COUNTS)[number], pace: Pace, what: 'reads' | 'beside writes'): string {
  return `${called(count)}, ${pace}: ${what}`;
}
