import { hostLabel } from '@repoless/contract/names.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ask, askOrFail, createFetchHosted } from '../ask.ts';
import {
  ORG,
  type BenchStorage,
  PREVIEW_DOMAIN,
  PUBLIC_ADDRESS,
  siteName,
  startBackendProcess,
  storeSites,
} from '../backend/start-backend.ts';
import { compared, measured } from '../figures.ts';
import type { Call } from '../load/load.ts';
import { alternate, median } from '../measure.ts';
import type { Bench, Scenario } from '../options.ts';
import { type CodeRepository, startCodeRepository } from '../workspace.ts';

const MANY = 10_000;
const READS = 200;
const TRIES = 10_000;

interface Pushed {
  /** Milliseconds from the push to the new file on the hosts of the first and the last site. */
  readonly served: number;
  /** Bytes that the database wrote during the sync. */
  readonly written: number;
  /** Milliseconds of one read of a site's job, including the round trip. */
  readonly read: number;
}

/** A push to a repository that 10,000 sites share costs what it costs for one site. */
export const sync: Scenario = async (bench) => {
  const repository = await startCodeRepository(bench.workspace);
  try {
    const one = await subject(bench, repository, 1);
    const many = await subject(bench, repository, MANY);
    const results = await alternate([one, many], Math.max(5, bench.options.runs), bench.showProgress);
    const of = (name: string, value: (pushed: Pushed) => number) => ({ name, samples: results(name).map(value) });
    return {
      scenario: `Code sync: a push that changes 1 of 500 files, ${MANY} sites against one`,
      figures: [
        compared(
          { ...of(many.name, (run) => run.served), name: 'push to served', unit: 'ms', target: { atMost: 1.1 } },
          of(one.name, (run) => run.served),
        ),
        compared(
          { ...of(many.name, (run) => run.written), name: 'database writes', unit: 'bytes', target: { atMost: 1.1 } },
          of(one.name, (run) => run.written),
        ),
        compared(
          { ...of(many.name, (run) => run.read), name: 'GET of a job', unit: 'ms' },
          of(one.name, (run) => run.read),
        ),
        measured({ ...of(one.name, (run) => run.read), name: 'GET of a job, one site', unit: 'ms' }),
      ],
    };
  } finally {
    await repository.stop();
  }
};

async function subject(bench: Bench, repository: CodeRepository, sites: number) {
  const { storage: stored, token } = await storeSites(bench, sites);
  const storage = { ...stored, settings: { CODE_HOST: repository.address, INTERNAL_ADDRESSES: 'allow' } };
  const backend = await startBackendProcess(bench.workspace, storage);
  const ask = createFetchHosted();
  return { name: `${sites} sites`, run: () => pushOnce({ ask, port: backend.port, storage, token, sites }, repository) };
}

interface Subject {
  readonly ask: Ask;
  readonly port: number;
  readonly storage: BenchStorage;
  readonly token: string;
  readonly sites: number;
}

async function pushOnce({ ask, port, storage, token, sites }: Subject, repository: CodeRepository): Promise<Pushed> {
  const admin = (method: 'GET' | 'POST', path: string): Call => ({
    method,
    host: new URL(PUBLIC_ADDRESS).host,
    path,
    headers: { 'x-auth-token': token },
  });
  const { path, text } = await repository.push();
  const before = await walBytes(storage);
  const start = performance.now();
  await askOrFail(ask, port, admin('POST', `/code/${ORG}/${siteName(0)}/main/*`));
  for (const site of [siteName(0), siteName(sites - 1)]) await untilServed(ask, port, site, path, text);
  const served = performance.now() - start;
  const times: number[] = [];
  for (let n = 0; n < READS; n += 1) {
    const from = performance.now();
    await askOrFail(ask, port, admin('GET', `/job/${ORG}/${siteName((n * 37) % sites)}/main/code`));
    times.push(performance.now() - from);
  }
  return { served, written: (await walBytes(storage)) - before, read: median(times) };
}

async function untilServed(ask: Ask, port: number, site: string, path: string, text: string): Promise<void> {
  const call: Call = { method: 'GET', host: `${hostLabel('main', site, ORG)}.${PREVIEW_DOMAIN}`, path, headers: {} };
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if ((await ask(port, call)).body.toString() === text) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error('The new file was never served.');
}

async function walBytes({ dataDirectory }: BenchStorage): Promise<number> {
  return (await stat(join(dataDirectory, 'repoless.sqlite-wal'))).size;
}
