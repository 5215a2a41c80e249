import type { JobDetails } from '@repoless/contract/job.ts';
import { ServiceInfo } from '@repoless/contract/service.ts';
import { OrgChecks } from '@repoless/contract/site-check.ts';
import { createGetOrgChecks } from '@repoless/service/checks/check-operations.ts';
import { checkRounds, type CheckRounds } from '@repoless/service/checks/check-rounds.ts';
import type { CodeFiles, CodeOrigin, StoredJob } from '@repoless/service/code/rules/ports.ts';
import type { Context } from '@repoless/service/domain/context.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { org, publicPaths, siteWrite } from '../support/builders.ts';
import { putSite } from './put-site.ts';
import type { SiteWrite } from '@repoless/service/sites/ports.ts';

const HOSTS = { protocol: 'https', preview: 'preview.example', live: 'live.example' } as const;
const INFO = ServiceInfo.parse({
  name: 'repoless',
  version: '1',
  protocol: 'https',
  previewDomain: HOSTS.preview,
  liveDomain: HOSTS.live,
  codeHost: 'https://github.com',
  repolessProjectType: 'repoless',
  configurationTemplate: '/template',
  technicalAccountProperty: 'account',
  connector: 'markup',
});
const NO_CODE: CodeFiles = { find: async () => undefined, availability: async () => ({ state: 'never' }), isComplete: async () => true };
export const HOUR = 60 * 60 * 1000;

export const NO_BRANCH = async () => ({ state: 'missing', sentence: '' }) as const;

/** A node on a store, with the clock of all nodes. */
export function node(store: Store, clock: { time: Date } = { time: new Date() }, failed = unforeseen, every?: number): CheckRounds {
  return nodeWithOwnClock(Object.create(store, { sharedTime: { value: async () => clock.time } }), clock, failed, every);
}

/** A node on a store, whose own clock differs from that of the store. */
export function nodeWithOwnClock(store: Store, clock: { time: Date }, failed = unforeseen, every?: number): CheckRounds {
  return checkRounds({
    store,
    ...(every !== undefined && { every }),
    files: NO_CODE,
    info: INFO,
    hosts: HOSTS,
    head: async () => undefined,
    branchProbe: NO_BRANCH,
    publicAddress: 'https://service.example.com',
    readCertificate: async () => undefined,
    interval: HOUR,
    now: () => clock.time,
    failed,
  });
}

function unforeseen(where: string, error: unknown): void {
  throw new Error(where, { cause: error });
}

/** A site with everything that its pages need. */
export function completeSite(name: string, version = 1): SiteWrite {
  const source = { type: 'github', url: 'https://github.com/acme/code' } as const;
  return siteWrite(name, { code: { owner: 'acme', repo: 'code', source }, public: publicPaths(`/content/${name}`) }, version);
}

export async function register(store: Store, count: number): Promise<void> {
  await store.write((writes) => writes.putOrg(org()));
  const names = Array.from({ length: count }, (_, index) => `site-${String(index).padStart(4, '0')}`);
  for (let first = 0; first < count; first += 50)
    await Promise.all(names.slice(first, first + 50).map((name) => putSite(store, completeSite(name))));
}

export async function list(store: Store, query: { limit?: number; after?: string } = {}): Promise<OrgChecks> {
  const input = { params: { org: 'acme' }, query, body: undefined, headers: {} };
  return OrgChecks.parse((await createGetOrgChecks()(contextOf(store), input)).body);
}

// Safe: the call uses only the store and the clock.
function contextOf(store: Pick<Store, 'checks' | 'sharedTime'>): Context {
  return { store, now: () => new Date() } as unknown as Context;
}

/** The store, with its calls recorded. */
export function counted(store: Store): { readonly store: Store; readonly calls: string[] } {
  const calls: string[] = [];
  const checks = new Proxy(store.checks, {
    get(target, name, receiver) {
      calls.push(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
  return { store: { ...store, checks }, calls };
}

/** How often each site was checked. */
export async function checkCounts(store: Store, sites: OrgChecks['sites']): Promise<(number | undefined)[]> {
  return await Promise.all(sites.map(async ({ name }) => (await store.reads.siteCheck('acme', name))?.revision));
}

export function jobOf(origin: CodeOrigin | undefined, index: number, time: Date): StoredJob {
  if (origin === undefined) throw new Error('The site has no code source.');
  const name = `job-2026-01-01-00-00-00-0000000${index}`;
  const { key, owner, repo } = origin;
  const data = { phase: 'collect' as const, owner, repo, ref: 'main', branch: 'main', changes: [], resources: [] };
  const progress = { total: 0, processed: 0, failed: 0, ignored: 0 };
  const record: JobDetails = { topic: 'code', name, state: 'created', createTime: time.toISOString(), progress, data };
  return { name, key, ref: 'main', origin, record, attempts: 0, rerun: false };
}
