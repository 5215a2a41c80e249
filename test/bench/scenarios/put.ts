import { alternate, type Contestant } from '../alternate.ts';
import { putCalls, putSite } from '../backend/calls.ts';
import { siteName } from '../backend/site-input.ts';
import { startStored } from '../backend/start-stored.ts';
import type { Bench, Scenario } from '../bench.ts';
import { compared, measured, missing, type Figure, type Target } from '../figures.ts';
import type { Call } from '../load/call.ts';
import type { LoadResult } from '../load/load.ts';
import { etcdCountedPut, startEtcd } from '../peers/etcd.ts';
import { startPostgres } from '../peers/postgres.ts';

const CONCURRENCY = [1, 32, 64] as const;
const EXISTING = 1000;
const SQLITE = 'SQLite';
const POSTGRES = 'PostgreSQL';
const ETCD = 'etcd put';
const NO_STORE = 'without the store';

interface Writer {
  readonly name: string;
  readonly port: number;
  readonly calls: readonly Call[];
}

/** Durable writes of a site over HTTP, with validation, permission, version and audit row. */
export const put: Scenario = async (bench) => {
  const { options, tell } = bench;
  const writers = await startWriters(bench);
  const contestants = CONCURRENCY.flatMap((connections) => writers.map((writer) => contestant(bench, writer, connections)));
  const results = await alternate(contestants, options.runs, tell);
  const samples = (writer: string, connections: number, of: keyof LoadResult = 'perSecond') =>
    results(contestantName(writer, connections)).map((result) => result[of]);
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
        compared(subject({ atLeast: store === SQLITE ? 1 : 0.8 }), { name: ETCD, samples: samples(ETCD, connections) }),
        compared(subject(connections === 1 ? undefined : { atLeast: 0.5 }), { name: NO_STORE, samples: samples(NO_STORE, connections) }),
      ];
    }),
  );
  const p99 = stores.map((store) =>
    compared(
      { name: `${contestantName(store, 64)}, p99`, unit: 'ms', samples: samples(store, 64, 'p99') },
      { name: ETCD, samples: samples(ETCD, 64, 'p99') },
    ),
  );
  const bounds = stores.map((store) =>
    measured({ name: `${contestantName(store, 64)}, p99`, unit: 'ms', samples: samples(store, 64, 'p99'), target: { atMost: 50 } }),
  );
  const absent = stores.includes(POSTGRES) ? [] : [missing(POSTGRES, 'PUT/s', 'PostgreSQL is not installed')];
  const bytes = Buffer.byteLength(putSite(siteName(0), '').body ?? '');
  return { scenario: `PUT of a site, ${bytes} bytes, answered when durable`, figures: [...figures, ...p99, ...bounds, ...absent] };
};

async function startWriters(bench: Bench): Promise<Writer[]> {
  const sqlite = await startStored(bench, EXISTING);
  const postgres = await startPostgres(bench.workspace);
  const onPostgres =
    postgres === undefined ? undefined : await startStored(bench, EXISTING, { databaseUrl: await postgres.database('put') });
  const etcd = await startEtcd(bench.workspace);
  const noStore = await startStored(bench, EXISTING, { program: 'backend without a store' });
  return [
    { name: SQLITE, port: sqlite.backend.port, calls: putCalls(EXISTING, sqlite.token) },
    ...(onPostgres === undefined ? [] : [{ name: POSTGRES, port: onPostgres.backend.port, calls: putCalls(EXISTING, onPostgres.token) }]),
    ...(etcd === undefined ? [] : [{ name: ETCD, port: etcd.port, calls: etcdCalls() }]),
    { name: NO_STORE, port: noStore.backend.port, calls: putCalls(EXISTING, noStore.token) },
  ];
}

/** As many bytes as a site has, under as many keys, every fourth a new one. */
function etcdCalls(): Call[] {
  const value = putSite(siteName(0), '', 'first').body ?? '';
  return Array.from({ length: EXISTING }, (_, index) => etcdCountedPut(siteName(index), value, index % 4 === 3));
}

function contestant({ load, options }: Bench, writer: Writer, connections: number): Contestant<LoadResult> {
  const { name, port, calls } = writer;
  return { name: contestantName(name, connections), run: () => load.run({ port, calls, connections, seconds: options.seconds }) };
}

function contestantName(writer: string, connections: number): string {
  return `${writer}, ${connections} at once`;
}
