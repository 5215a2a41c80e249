import { putCalls, putSite, siteName, startStored } from '../backend/start-backend.ts';
import { compared, type Figure, measured, missing, type Target } from '../figures.ts';
import type { Call, LoadJob, LoadResult } from '../load/load.ts';
import { alternate, type Contestant, untilSteady } from '../measure.ts';
import type { Bench, Scenario } from '../options.ts';
import { startPlain } from '../peers/plain.ts';
import { startPostgres } from '../peers/postgres.ts';

const CONCURRENCY = [1, 16, 64] as const;
/** The number of connections at which latencies are measured. */
const MANY = 64;
const WARMING_SECONDS = 2;
const EXISTING = 1000;
const SQLITE = 'SQLite';
const POSTGRES = 'PostgreSQL';
const PLAIN = 'plain prototype';
const NO_STORE = 'without the store';

interface Writer {
  readonly name: string;
  readonly port: number;
  readonly calls: readonly Call[];
}

/** Durable writes of a site over HTTP, with validation, permission, version and audit row. */
export const put: Scenario = async (bench) => {
  const { options, showProgress } = bench;
  const writers = await startWriters(bench);
  const warmed: string[] = [];
  for (const writer of writers) {
    showProgress(`warming: ${writer.name}`);
    const one = async () => (await bench.load.run({ ...loadOf(writer, MANY), seconds: WARMING_SECONDS })).perSecond;
    warmed.push(`${writer.name} ${(await untilSteady(one)) * WARMING_SECONDS} s`);
  }
  const contestants = [
    ...CONCURRENCY.flatMap((connections) => writers.map((writer) => contestant(bench, writer, connections))),
    ...writers.map((writer) => latencyContestant(bench, writer)),
  ];
  const results = await alternate(contestants, options.runs, showProgress);
  const samples = (writer: string, connections: number) => results(contestantName(writer, connections)).map(({ perSecond }) => perSecond);
  const latencies = (writer: string) => results(latencyName(writer)).map(({ p99 }) => p99);
  const stores = [SQLITE, POSTGRES].filter((name) => writers.some((writer) => writer.name === name));
  const figures = CONCURRENCY.flatMap((connections) =>
    stores.flatMap((store): Figure[] => {
      const subject = (target?: Target) => ({
        name: contestantName(store, connections),
        unit: 'PUT/s',
        samples: samples(store, connections),
        ...(target === undefined ? {} : { target }),
      });
      return [
        compared(subject(store === SQLITE ? { atLeast: 0.6 } : undefined), { name: PLAIN, samples: samples(PLAIN, connections) }),
        compared(subject(connections === 1 ? undefined : { atLeast: 0.5 }), { name: NO_STORE, samples: samples(NO_STORE, connections) }),
      ];
    }),
  );
  const p99 = stores.flatMap((store) => [
    compared({ name: latencyName(store), unit: 'ms', samples: latencies(store) }, { name: PLAIN, samples: latencies(PLAIN) }),
    measured({ name: latencyName(store), unit: 'ms', samples: latencies(store), target: { atMost: 100 } }),
  ]);
  const absent = stores.includes(POSTGRES) ? [] : [missing(POSTGRES, 'PUT/s', 'PostgreSQL is not installed')];
  const bytes = Buffer.byteLength(putSite(siteName(0), '').body ?? '');
  const warming = `each writer warmed until two runs in a row differ by 5 % at most: ${warmed.join(', ')}`;
  return { scenario: `PUT of a site, ${bytes} bytes, answered when durable (${warming})`, figures: [...figures, ...p99, ...absent] };
};

async function startWriters(bench: Bench): Promise<Writer[]> {
  const sqlite = await startStored(bench, EXISTING);
  const postgres = await startPostgres(bench.workspace);
  const onPostgres =
    postgres === undefined ? undefined : await startStored(bench, EXISTING, { databaseUrl: await postgres.database('put') });
  const plain = await startPlain(bench.workspace);
  const noStore = await startStored(bench, EXISTING, { program: 'backend without a store' });
  return [
    { name: SQLITE, port: sqlite.backend.port, calls: putCalls(EXISTING, sqlite.token) },
    ...(onPostgres === undefined ? [] : [{ name: POSTGRES, port: onPostgres.backend.port, calls: putCalls(EXISTING, onPostgres.token) }]),
    { name: PLAIN, port: plain.port, calls: putCalls(EXISTING, '') },
    { name: NO_STORE, port: noStore.backend.port, calls: putCalls(EXISTING, noStore.token) },
  ];
}

function contestant({ load, options }: Bench, writer: Writer, connections: number): Contestant<LoadResult> {
  const job = { ...loadOf(writer, connections), seconds: options.seconds };
  return { name: contestantName(writer.name, connections), run: () => load.run(job) };
}

function latencyContestant({ load, options }: Bench, writer: Writer): Contestant<LoadResult> {
  return { name: latencyName(writer.name), run: () => load.latency({ ...loadOf(writer, MANY), seconds: options.seconds }) };
}

function loadOf({ port, calls }: Writer, connections: number): Omit<LoadJob, 'seconds'> {
  return { port, calls, connections };
}

function contestantName(writer: string, connections: number): string {
  return `${writer}, ${connections} at once`;
}

function latencyName(writer: string): string {
  return `${contestantName(writer, MANY)}, p99`;
}
