import { hostLabel } from '@repoless/contract/names.ts';
import { originOf } from '@repoless/service/code/rules/code-origin.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { askOrFail, createFetchHosted } from '../../ask.ts';
import {
  ORG,
  type BenchStorage,
  PREVIEW_DOMAIN,
  PUBLIC_ADDRESS,
  siteName,
  startBackendProcess,
  storeSites,
} from '../../backend/start-backend.ts';
import type { Figure } from '../../figures.ts';
import type { Call } from '../../load/load.ts';
import { processorCost, processorTime } from '../../measure.ts';
import type { Bench } from '../../options.ts';
import { type CodeRepository, startCodeRepository } from '../../workspace.ts';
import { grow, type Step } from './grow.ts';

const STEPS = [1, 10, 100, 1000];
const QUICK = [1, 10, 100];
const JOBS = 20;
const CONNECTIONS = 8;
const TRIES = 10_000;

/** A push to one repository, and the jobs of all, by the number of repositories that sites use, each with past syncs. */
export async function growthWithRepositories(bench: Bench): Promise<Figure[]> {
  const repository = await startCodeRepository(bench.workspace);
  try {
    const steps: Step[] = [];
    for (const count of bench.options.quick ? QUICK : STEPS) steps.push(await stepOf(bench, repository, count));
    return await grow(bench, 'repositories', steps);
  } finally {
    await repository.stop();
  }
}

async function stepOf(bench: Bench, repository: CodeRepository, count: number): Promise<Step> {
  const { workspace, load, options } = bench;
  const nameOf = (index: number) => (index === 0 ? 'boilerplate' : `repository-${index}`);
  const { storage: stored, token } = await storeSites(bench, count, undefined, nameOf);
  bench.showProgress(`storing the jobs of ${count} repositories`);
  await storeJobs(
    stored,
    Array.from({ length: count }, (_, index) => nameOf(index)),
  );
  const storage = { ...stored, settings: { CODE_HOST: repository.address, INTERNAL_ADDRESSES: 'allow' } };
  const backend = await startBackendProcess(workspace, storage);
  const ask = createFetchHosted();
  const admin = (method: 'GET' | 'POST', path: string): Call => ({
    method,
    host: new URL(PUBLIC_ADDRESS).host,
    path,
    headers: { 'x-auth-token': token },
  });
  const perRequest = async (paths: readonly string[]) => {
    const calls = paths.map((path) => admin('GET', path));
    return (await processorCost(load, [backend.pid], { port: backend.port, calls, connections: CONNECTIONS, seconds: options.seconds }))
      .each;
  };
  const jobs = Array.from({ length: count }, (_, index) => `/job/${ORG}/${siteName(index)}/main/code`);
  let [served, processor]: [number, number | undefined] = [0, undefined];
  return {
    count,
    costs: [
      {
        name: 'push until served',
        unit: 'ms',
        async measure() {
          const { path, text } = await repository.push();
          const [start, before] = [performance.now(), await processorTime(backend.pid)];
          await askOrFail(ask, backend.port, admin('POST', `/code/${ORG}/${siteName(0)}/main/*`));
          const host = `${hostLabel('main', siteName(0), ORG)}.${PREVIEW_DOMAIN}`;
          for (let attempt = 0; (await ask(backend.port, { method: 'GET', host, path })).body.toString() !== text; attempt += 1) {
            if (attempt === TRIES) throw new Error('The new file was never served.');
            await new Promise((resolve) => setTimeout(resolve, 2));
          }
          served = performance.now() - start;
          const after = await processorTime(backend.pid);
          processor = before === undefined || after === undefined ? undefined : after - before;
          return served;
        },
      },
      { name: 'push until served, processor', unit: 'ms', measure: async () => processor },
      { name: 'jobs of a site', unit: 'µs', measure: () => perRequest(jobs) },
      { name: 'sites of the checks', unit: 'µs', measure: () => perRequest([`/config/${ORG}/checks.json?limit=100`]) },
      { name: 'usage', unit: 'µs', measure: () => perRequest([`/config/${ORG}/usage.json`]) },
    ],
  };
}

/** Stores as many ended jobs of each repository as are retained. */
async function storeJobs({ dataDirectory: dataDir }: BenchStorage, repositories: readonly string[]): Promise<void> {
  const store = await openStore({ dataDir });
  const time = new Date();
  const lease = { owner: 'bench', now: time, until: new Date(time.getTime() + 60_000) };
  try {
    const storeOne = async (index: number, repo: string) => {
      const origin = originOf(ORG, { owner: ORG, repo, source: { type: 'github' } });
      if (origin === undefined) throw new Error('This is not a code source.');
      for (let n = 0; n < JOBS; n += 1) {
        const name = `job-2026-01-01-00-00-00-${(index * JOBS + n).toString(16).padStart(8, '0')}`;
        const record = {
          topic: 'code' as const,
          name,
          state: 'created' as const,
          createTime: time.toISOString(),
          progress: { total: 0, processed: 0, failed: 0, ignored: 0 },
          data: { phase: 'collect' as const, owner: ORG, repo, ref: 'main', branch: 'main', changes: [], resources: [] },
        };
        await store.code.addJob({ name, key: origin.key, ref: 'main', origin, record, attempts: 0, rerun: false });
        await store.code.claimJob(name, lease);
        await store.code.finishJob({ ...record, state: 'stopped', stopTime: time.toISOString() }, lease.owner);
      }
    };
    // Concurrent writes share commits.
    await Promise.all(repositories.map((repo, index) => storeOne(index, repo)));
  } finally {
    await store.close();
  }
}
