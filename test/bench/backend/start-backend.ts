import { printDeliveryAddress } from '@repoless/contract/addresses.ts';
import { hostLabel } from '@repoless/contract/names.ts';
import type { SiteInput } from '@repoless/contract/site.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { etagOf } from '@repoless/service/domain/documents.ts';
import type { StoredOrg } from '@repoless/service/domain/ports.ts';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import { siteIndexKeys } from '@repoless/service/sites/check-site.ts';
import { completeSite } from '@repoless/service/sites/site-document.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFetchHosted } from '../ask.ts';
import { freePort } from '../free-port.ts';
import { type Call, COUNTER } from '../load/load.ts';
import type { Bench } from '../options.ts';
import { untilReady } from '../until-ready.ts';
import type { Workspace } from '../workspace.ts';
import type { AuditEntry, VersionWrite } from '@repoless/service/history/ports.ts';
import type { SiteWrite } from '@repoless/service/sites/ports.ts';

export interface StartedBackend {
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first successful answer on a site's host. */
  readonly readyAfter: number;
  stop(): Promise<void>;
  /** Kills it as a power failure would. */
  kill(): Promise<void>;
}

type BackendProgram = 'backend' | 'backend without a store';

const PROGRAMS: Record<BackendProgram, string> = {
  backend: fileURLToPath(new URL('../../../../backend/dist/main.js', import.meta.url)),
  'backend without a store': fileURLToPath(new URL('./no-store-main.js', import.meta.url)),
};

/** Starts a backend as a separate process, as `npm run serve` does, on stored data with at least one site. */
export async function startBackendProcess(
  workspace: Workspace,
  storage: BenchStorage,
  program: BackendProgram = 'backend',
): Promise<StartedBackend> {
  const port = await freePort();
  const ask = createFetchHosted();
  const environment = { PATH: process.env['PATH'], ...settingsOf(storage, port) };
  const child = workspace.start(process.execPath, [...profiling(), PROGRAMS[program]], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const readyAfter = await untilReady(program, child, async () => (await ask(port, getConfig(siteName(0)))).status === 200);
  if (child.pid === undefined) throw new Error('The backend has no process.');
  return { port, pid: child.pid, readyAfter, stop: () => workspace.stop(child), kill: () => workspace.stop(child, 'SIGKILL') };
}

/** With BENCH_CPU_PROFILES set to a directory, every backend leaves its processor profile there when it stops. */
function profiling(): string[] {
  const directory = process.env['BENCH_CPU_PROFILES'];
  return directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];
}

interface StartedStored {
  readonly backend: StartedBackend;
  /** The token of the organization's administrator. */
  readonly token: string;
}

/** Starts a backend with this many stored sites. */
export async function startStored(
  bench: Bench,
  sites: number,
  options: { readonly databaseUrl?: string; readonly program?: BackendProgram } = {},
): Promise<StartedStored> {
  const { storage, token } = await storeSites(bench, sites, options.databaseUrl);
  return { backend: await startBackendProcess(bench.workspace, storage, options.program), token };
}

/** The storage of a benchmark's backend. */
export interface BenchStorage {
  readonly dataDirectory: string;
  /** Address of a PostgreSQL database; without it the store is the embedded one in the data directory. */
  readonly databaseUrl?: string;
  /** Settings that override those of every benchmark. */
  readonly settings?: Readonly<Record<string, string>>;
}

export const PUBLIC_ADDRESS = 'http://admin.bench.test';
export const PREVIEW_DOMAIN = 'preview.bench.test';
const LIVE_DOMAIN = 'live.bench.test';
const CODE_HOST = 'https://github.com';

async function newStorage(workspace: Workspace, databaseUrl?: string): Promise<BenchStorage> {
  const dataDirectory = await workspace.directory('data');
  return { dataDirectory, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
}

/** The file of the keys that sign tokens: the benchmarks issue theirs with it. */
function signingKeyFile(storage: BenchStorage): string {
  return join(storage.dataDirectory, 'signing-keys.json');
}

/** The settings of a backend with this storage. */
export function settingsOf(storage: BenchStorage, port: number): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_ADDRESS,
    PREVIEW_DOMAIN,
    LIVE_DOMAIN,
    HOST_PROTOCOL: 'http',
    DATA_DIR: storage.dataDirectory,
    ...(storage.databaseUrl === undefined ? {} : { DATABASE_URL: storage.databaseUrl }),
    SIGNING_KEY_FILE: signingKeyFile(storage),
    CODE_HOST,
    OPERATORS: ADMIN,
    FIRST_CODE_SYNC: 'no',
    SITE_CHECK_INTERVAL: '0',
    RATE_LIMIT: '0',
    // Late answers on a busy machine are measured too.
    OVERLOAD_DELAY: '0',
    NODE_ENV: 'production',
    ...storage.settings,
  };
}

/** The organization of all benchmark sites, and its administrator. */
export const ORG = 'bench';
const ADMIN = 'admin@example.com';

/** The name of the n-th stored site, as long as one with a counter. */
export function siteName(n: number): string {
  return `site-${String(n).padStart(12, '0')}`;
}

/**
 * A site as a client puts it, 1–3 kB, with a public part of about 500 bytes. `revision` is a text that makes the site and its
 * public part differ from the previous revision.
 */
export function siteInput(site: string, revision: string, repo = 'boilerplate'): SiteInput {
  const content = `/content/markets/${site}`;
  return {
    version: 1,
    title: `Site ${site}`,
    description: `Revision ${revision}. ${'A site of one market, on the code that all markets share. '.repeat(12)}`,
    code: { owner: ORG, repo, source: { type: 'github', url: `https://github.com/${ORG}/${repo}` } },
    content: {
      title: `Content of ${site}`,
      source: {
        type: 'markup',
        url: printDeliveryAddress({ author: 'https://author-p1-e2.authoring.test', connector: 'franklin', org: ORG, site, ref: 'main' }),
        suffix: '.html',
      },
    },
    access: { admin: { role: { admin: [ADMIN], config_admin: ['p1-e2@techacct.example.com'] }, requireAuth: 'auto' } },
    headers: { '/**': [{ key: 'x-frame-options', value: 'SAMEORIGIN' }] },
    cdn: { prod: { type: 'managed', host: `${site}.example.com` } },
    public: {
      paths: {
        mappings: [
          `${content}/:/`,
          `${content}/configuration:/.helix/config.json`,
          `${content}/metadata:/metadata.json`,
          `${content}/redirects:/redirects.json`,
        ],
        includes: [`${content}/`],
      },
      revision,
    },
  };
}

/** What an acknowledged first write of a site stores. */
interface FirstWrite {
  readonly site: SiteWrite;
  readonly version: VersionWrite;
  readonly audit: AuditEntry;
}

/** Builds it without a backend, by the rules of the domain. */
export function firstWrite(site: string, time: Date, repo?: string): FirstWrite {
  const now = time.toISOString();
  const config = completeSite({ org: ORG, site }, siteInput(site, 'first', repo), { created: now, now }, { codeHost: CODE_HOST });
  const named = { org: ORG, site };
  return {
    site: { ...named, config, etag: etagOf(config), version: 1, ...siteIndexKeys(config) },
    version: { subject: { kind: 'site', ...named }, version: 1, created: time, user: ADMIN, data: config },
    audit: { ...named, time, user: ADMIN, action: 'seed', requestId: 'seed', to: 1 },
  };
}

const BATCH = 1000;

/** Stores this many sites, and issues a token of their administrator. All share one repository unless `repositoryOf` names others. */
export async function storeSites(
  bench: Pick<Bench, 'workspace' | 'showProgress'>,
  sites: number,
  databaseUrl?: string,
  repositoryOf: (index: number) => string | undefined = () => undefined,
): Promise<{ storage: BenchStorage; token: string }> {
  bench.showProgress(`storing ${sites} sites`);
  const storage = await newStorage(bench.workspace, databaseUrl);
  const { dataDirectory: dataDir } = storage;
  const store = await openStore({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  try {
    const now = new Date();
    await store.write((writes) => writes.putOrg(benchOrg(now)));
    for (let first = 0; first < sites; first += BATCH) {
      const last = Math.min(first + BATCH, sites);
      await store.write(async (writes) => {
        for (let index = first; index < last; index++) {
          const { site, version, audit } = firstWrite(siteName(index), now, repositoryOf(index));
          await writes.putSite(site);
          await writes.addVersion(version);
          await writes.addAudit(audit);
        }
      });
    }
    const keys = await openSigningKeys(signingKeyFile(storage));
    const tokens = createTokens({ keys, issuer: PUBLIC_ADDRESS, lifetime: 86_400, store, now: () => new Date() });
    const { token } = await tokens.issue({ email: ADMIN });
    return { storage, token };
  } finally {
    await store.close();
  }
}

/** The organization of the benchmarks as it is stored. */
export function benchOrg(time: Date): StoredOrg {
  const now = time.toISOString();
  const config = {
    version: 1 as const,
    created: now,
    lastModified: now,
    name: ORG,
    users: [{ id: 'admin', email: ADMIN, roles: ['admin' as const] }],
  };
  return { org: ORG, config, etag: etagOf(config), version: 1 };
}

const ADMIN_HOST = new URL(PUBLIC_ADDRESS).host;

/** Reads the public configuration of a site at its preview host (call 10). */
export function getConfig(site: string, headers: Readonly<Record<string, string>> = {}): Call {
  return { method: 'GET', host: `${hostLabel('main', site, ORG)}.${PREVIEW_DOMAIN}`, path: '/config.json', headers };
}

/**
 * Puts a site (call 1), without querying the code host, because there is none here. By default the revision differs each time
 * the call is sent.
 */
export function putSite(site: string, token: string, revision: string = COUNTER): Call {
  return {
    method: 'PUT',
    host: ADMIN_HOST,
    path: `/config/${ORG}/sites/${site}.json?unchecked=true`,
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify(siteInput(site, revision)),
  };
}

/** Calls of writers: they replace existing sites in turn, and create a new site with every fourth call. */
export function putCalls(existing: number, token: string): Call[] {
  return Array.from({ length: existing }, (_, index) => putSite(index % 4 === 3 ? `new-${COUNTER}` : siteName(index), token));
}

/** Reads of all sites in turn; every twentieth call is an administrator's write. */
export function mixedCalls(existing: number, token: string): Call[] {
  return Array.from({ length: existing }, (_, index) => (index % 20 === 19 ? putSite(siteName(index), token) : getConfig(siteName(index))));
}

/** Reads a site (call 2) as its administrator. */
export function getSite(site: string, token: string): Call {
  return { method: 'GET', host: ADMIN_HOST, path: `/config/${ORG}/sites/${site}.json`, headers: { 'x-auth-token': token } };
}

export function health(): Call {
  return { method: 'GET', host: ADMIN_HOST, path: '/health' };
}

export function listSites(token: string, query: string): Call {
  return { method: 'GET', host: ADMIN_HOST, path: `/config/${ORG}/sites.json?${query}`, headers: { 'x-auth-token': token } };
}
