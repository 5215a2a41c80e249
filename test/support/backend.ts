import type { SessionToken } from '@repoless/contract/session.ts';
import { startBackend } from '@repoless/service/app.ts';
import { addressesOf, readSettings } from '@repoless/service/config.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { serviceHosts } from '@repoless/service/composition/front.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { createLog } from '@repoless/service/log.ts';
import type { CodeHostSource } from '@repoless/service/remote/code-host.ts';
import type { Resolve } from '@repoless/service/remote/guarded-lookup.ts';
import type { Identity } from '@repoless/service/sessions/identity.ts';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, type TestAnswer, type TestRequest } from './ask.ts';
import { checkAnswers } from './check-answers.ts';
import { startOrganizations } from './code-host.ts';
import { codeHostWith } from './code-sources.ts';
import { canBeTried, withDryRun } from './dry-run.ts';
import { siteTokenOf } from '@repoless/service/sessions/sign-in.ts';

export interface TestBackendOptions {
  /** Settings by their environment names; they override the defaults of tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Organizations of the code host; all are claimed by `OPERATOR` unless `claim` is false. */
  readonly orgs?: readonly string[];
  readonly claim?: boolean;
  /** Users of `wknd`; `OPERATOR` must be one of its admins. */
  readonly users?: readonly { readonly email: string; readonly roles: readonly string[] }[];
  /** Profiles and sites of `wknd` that `OPERATOR` stores, in this order: properties added to `siteBody`. */
  readonly profiles?: Readonly<Record<string, object>>;
  readonly sites?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Which repositories exist. By default all do, or those of the code host if the settings name one. */
  readonly repositories?: CodeHostSource;
  /** Opens the storage to use instead of an embedded one in its own directory. */
  open?(dataDir: string): Promise<Store>;
  /** By default each write is preceded by a dry run. False sends writes only once: for writes that are concurrent, counted or measured. */
  readonly dryRun?: boolean;
  /** Replaces the system's name resolution. */
  readonly resolve?: Resolve;
  /** The service's clock. */
  now?(): Date;
  /** Called with each line of the log. */
  logged?(line: string): void;
}

export interface TestBackend {
  readonly address: string;
  readonly port: number;
  readonly dataDir: string;
  readonly store: Store;
  /** A token of the service, as signing in would issue it. */
  token(who: string | Identity, limit?: { notAfter?: number }): Promise<string>;
  /** The site token issued with a session token at sign-in. */
  handOver(session: string, site: { readonly org: string; readonly site: string }): Promise<SessionToken | undefined>;
  /** Calls the service, as the user `as` if given. */
  call(method: string, path: string, more?: Omit<TestRequest, 'method'> & { as?: string }): Promise<TestAnswer>;
  /** Requests a path of a site's preview or live host. */
  visit(tier: 'preview' | 'live', site: string, path: string, more?: TestRequest): Promise<TestAnswer>;
  stop(): Promise<void>;
}

/** Claims the organizations, which makes it their first admin. */
export const OPERATOR = 'operator@example.com';
export const EXTENSION_ORIGIN = 'http://localhost:4001';

const ENDS_SESSIONS = /^\/(?:auth\/sessions\/|logout)/;

/** Starts the real backend on its own port and data directory. Every answer is checked against its OpenAPI document. */
export async function startTestBackend(options: TestBackendOptions = {}): Promise<TestBackend> {
  const { orgs = ['wknd'], claim = true } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'repoless-test-'));
  const codeHost = await startOrganizations(...orgs);
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: dataDir,
    CODE_HOST: 'https://github.com',
    CODE_HOST_API: codeHost.address,
    CODE_HOST_RAW: codeHost.address,
    INTERNAL_ADDRESSES: 'allow',
    ALLOWED_ORIGINS: EXTENSION_ORIGIN,
    OPERATORS: OPERATOR,
    RATE_LIMIT: '0',
    // Tests share their machine with others.
    OVERLOAD_DELAY: '0',
    SHUTDOWN_GRACE: '5',
    // Only tests that have a code host query it.
    FIRST_CODE_SYNC: 'no',
    // No site is checked unless a test requests it.
    SITE_CHECK_INTERVAL: '0',
    ...options.settings,
  });
  const store = await (options.open ?? openEmbedded)(dataDir);
  const log = createLog(options.logged === undefined ? 'silent' : 'info', { write: (line) => options.logged?.(line) });
  const given = options.repositories ?? (options.settings?.['CODE_HOST'] === undefined ? codeHostWith() : undefined);
  const backend = await startBackend(settings, {
    store,
    log,
    ...(given !== undefined && { codeHost: given }),
    ...(options.resolve !== undefined && { resolve: options.resolve }),
    ...(options.now !== undefined && { now: options.now }),
  });
  // A service behind a proxy has a public address without its port.
  const port = settings.PORT || Number(new URL(backend.address).port);
  const { publicAddress, hosts } = addressesOf(settings, port);
  const answers = checkAnswers('service', port, serviceHosts(publicAddress, hosts));
  const tokens = createTokens({
    keys: await openSigningKeys(settings.SIGNING_KEY_FILE),
    issuer: backend.address,
    lifetime: 3600,
    store,
    now: () => new Date(),
  });
  const token: TestBackend['token'] = async (who, limit) =>
    (await tokens.issue(typeof who === 'string' ? { email: who } : who, limit)).token;
  // Signing one for each call would take as long as the call. Users who end their sessions sign in again.
  const cachedTokens = new Map<string, Promise<string>>();
  const cachedToken = (who: string) => {
    const found = cachedTokens.get(who) ?? token(who);
    cachedTokens.set(who, found);
    return found;
  };

  // A connection per request takes a quarter of a call's time. Idle ones are closed long before the service would close them.
  const agent = new Agent({ keepAlive: true, timeout: 1000 });
  const [own, { host }] = [`http://127.0.0.1:${port}`, new URL(backend.address)];
  const handOver: TestBackend['handOver'] = (session, site) => siteTokenOf(tokens, store.reads, { session, ...site });
  const test: TestBackend = {
    address: backend.address,
    port,
    dataDir,
    store,
    token,
    handOver,
    async call(method, path, { as, ...more } = {}) {
      const credential = as === undefined ? {} : { 'x-auth-token': await cachedToken(as) };
      const send = (address: string) => ask(own, address, { host, agent, ...more, method, headers: { ...credential, ...more.headers } });
      if (ENDS_SESSIONS.test(path)) cachedTokens.clear();
      return options.dryRun !== false && canBeTried(method, path, more.headers) ? await withDryRun(path, send) : await send(path);
    },
    visit: (tier, site, path, more) => ask(own, path, { agent, host: `${site}.${tier}.localhost:${port}`, ...more }),
    async stop() {
      await backend.stop();
      agent.destroy();
      await codeHost.stop();
      await rm(dataDir, { recursive: true, force: true });
      answers.stop();
    },
  };
  if (claim) for (const org of orgs) await put(test, `/config/${org}.json`, {});
  if (options.users !== undefined) await put(test, '/config/wknd.json', { users: options.users });
  for (const [name, body] of Object.entries(options.profiles ?? {})) await put(test, `/config/wknd/profiles/${name}.json`, body);
  for (const [name, more] of Object.entries(options.sites ?? {}))
    await put(test, `/config/wknd/sites/${name}.json`, siteBody('wknd', name, more));
  return test;
}

async function openEmbedded(dataDir: string): Promise<Store> {
  await copyEmbedded(dataDir);
  return openStore({ dataDir, refusesNested: true });
}

async function put(backend: TestBackend, path: string, body: object): Promise<void> {
  const { status, text } = await backend.call('PUT', path, { as: OPERATOR, body });
  if (status >= 300) throw new Error(`${path} was not stored: ${status} ${text}`);
}

/** Calls a service, or the service of a world, as the user `as`; `done` fails the test if the call is refused, and so does `read`, which returns the JSON. */
export function callsAs(service: Pick<TestBackend, 'call'> | { readonly backend: TestBackend }, as: string) {
  const call = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ('backend' in service ? service.backend : service).call(method, path, { as, headers, ...(body !== undefined && { body }) });
  const done = async (...parameters: Parameters<typeof call>): Promise<TestAnswer> => {
    const answer = await call(...parameters);
    if (answer.status >= 300) throw new Error(`${parameters[0]} ${parameters[1]}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const read = async (path: string): Promise<unknown> => (await done('GET', path)).json();
  return { call, done, read };
}

/** The least that a site of these tests needs to be registered: its own content root, and the org's code. */
export function siteBody(org: string, site: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    version: 1,
    code: { owner: org, repo: org, source: { type: 'github', url: `https://github.com/${org}/${org}` } },
    content: {
      source: {
        url: `https://author-p100-e200.example.com/bin/franklin.delivery/${org}/${site}/main`,
        type: 'markup',
        suffix: '.html',
      },
    },
    ...more,
  };
}

/** Code in the external repository `100/<repo>`; `holds`: by a site that holds the repository's secret. */
export function externalCode(repo: string, holds = false): { code: object } {
  const address = `https://build.example.com/100/${repo}`;
  const source = { type: 'byogit', url: address, raw_url: address, owner: '100', repo, ...(holds && { secretId: 'cm-byog' }) };
  return { code: { owner: '100', repo, source } };
}

export function publicPart(site: string): { paths: { mappings: string[]; includes: string[] } } {
  return { paths: { mappings: [`/content/${site}/:/`], includes: [`/content/${site}/`] } };
}

// A database with current tables: copying one takes a fraction of the migrations' time. Migrations have their own tests,
// which start with an empty database.

const FILE = 'repoless.sqlite';
let embedded: Promise<string> | undefined;

/** Copies a migrated embedded database into an empty folder. */
export async function copyEmbedded(dataDir: string): Promise<void> {
  await copyFile(await (embedded ??= makeEmbedded()), join(dataDir, FILE));
}

/** Creates the tables in an empty PostgreSQL database, and disconnects. */
export async function migrated(databaseUrl: string): Promise<void> {
  await (await openStore({ dataDir: tmpdir(), databaseUrl })).close();
}

async function makeEmbedded(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'repoless-migrated-'));
  await (await openStore({ dataDir })).close();
  return join(dataDir, FILE);
}
