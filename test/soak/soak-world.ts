import { ExternalRepository, LinkOutcome, WebhookCredentials } from '@repoless/contract/build-management.ts';
import type { SiteInput } from '@repoless/contract/site.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { askOrFail, createFetchHosted } from '../bench/ask.ts';
import { ORG, PUBLIC_ADDRESS, siteInput, startBackendProcess, storeSites } from '../bench/backend/start-backend.ts';
import { freePort } from '../bench/free-port.ts';
import type { Call } from '../bench/load/load.ts';
import { waitUntil } from '../bench/measure.ts';
import { startPostgres } from '../bench/peers/postgres.ts';
import { execute } from '../support/postgres.ts';
import { collect, tail, untilReady } from '../bench/until-ready.ts';
import { makeCodeRepository, type PushedRepository, type Workspace } from '../bench/workspace.ts';
import { BUILD_MANAGEMENT_PROGRAM } from '../support/child-backend.ts';
import { cloneOf, type CodeClone } from '../support/code-world.ts';
import type { SoakOptions } from './options.ts';

export const WEBHOOK_SECRET = 'the-secret-of-the-webhook';
const KEY = 'the-key-of-build-management';
/** See collect-garbage.ts. */
const NODE_OPTIONS = `--import ${new URL('./collect-garbage.js', import.meta.url).href}`;
const CODE_HOSTS = fileURLToPath(new URL('./code-hosts-main.js', import.meta.url));

/** A watched program. */
export interface Watched {
  readonly name: string;
  readonly pid: number;
  /** The port of its metrics; the stand-ins have none. */
  readonly metrics?: number;
  /** Its process name in the metrics. */
  readonly process?: string;
  databaseBytes?(): Promise<number>;
}

export interface SoakWorld {
  /** Ports of the loopback interface. */
  readonly service: number;
  readonly buildManagement: number;
  readonly codeHost: string;
  readonly vendor: string;
  /** The token of the organization's administrator. */
  readonly token: string;
  readonly repository: PushedRepository;
  readonly watched: readonly Watched[];
}

const Addresses = z.object({ codeHost: z.string(), vendor: z.string() });

/** Starts the service with this many sites, build management, and the sandbox's code host and git vendor, each as a separate process. */
export async function startSoakWorld(workspace: Workspace, options: SoakOptions, showProgress: (text: string) => void): Promise<SoakWorld> {
  const folder = await workspace.directory('code-hosts');
  const hosts = workspace.start(process.execPath, [CODE_HOSTS, folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  const { codeHost, vendor } = Addresses.parse(JSON.parse(await firstLine('The code host', hosts)));
  showProgress('making the repository');
  const repository = await makeCodeRepository(folder);
  const postgres = options.postgres ? await startPostgres(workspace) : undefined;
  if (options.postgres && postgres === undefined) throw new Error('PostgreSQL is not installed.');
  const [databaseUrl, ofBuildManagement] = [await postgres?.database('service'), await postgres?.database('build')];
  const [buildManagement, metrics, otherMetrics] = [await freePort(), await freePort(), await freePort()];

  const { storage, token } = await storeSites({ workspace, showProgress }, options.sites, databaseUrl);
  showProgress('starting the service and build management');
  const settings = {
    CODE_HOST: codeHost,
    CODE_HOST_API: `${codeHost}/api`,
    CODE_HOST_RAW: `${codeHost}/raw`,
    INTERNAL_ADDRESSES: 'allow',
    GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
    BUILD_MANAGEMENT: `http://127.0.0.1:${buildManagement}`,
    BUILD_MANAGEMENT_KEY: KEY,
    METRICS_PORT: String(metrics),
    NODE_OPTIONS,
    OVERLOAD_DELAY: '1000',
    // Its own checks of sites are part of the load.
    SITE_CHECK_INTERVAL: '60',
  };
  const backend = await startBackendProcess(workspace, { ...storage, settings });
  const dataDir = await workspace.directory('build-management');
  const built = workspace.start(process.execPath, [BUILD_MANAGEMENT_PROGRAM], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: String(buildManagement),
      PUBLIC_ADDRESS: settings.BUILD_MANAGEMENT,
      DATA_DIR: dataDir,
      ...(ofBuildManagement !== undefined && { DATABASE_URL: ofBuildManagement }),
      SERVICE_ADDRESS: `http://127.0.0.1:${backend.port}`,
      SERVICE_ISSUER: PUBLIC_ADDRESS,
      BUILD_MANAGEMENT_KEY: KEY,
      INTERNAL_ADDRESSES: 'allow',
      RATE_LIMIT: '0',
      METRICS_PORT: String(otherMetrics),
      NODE_OPTIONS,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ask = createFetchHosted();
  const health = { method: 'GET', host: `127.0.0.1:${buildManagement}`, path: '/health' } as const;
  await untilReady('Build management', built, async () => (await askOrFail(ask, buildManagement, health)).status === 200);
  const sizeOf = (url: string | undefined, file: string) => () => (url === undefined ? bytesOf(file) : bytesOfPostgres(url));
  return {
    service: backend.port,
    buildManagement,
    codeHost,
    vendor,
    token,
    repository,
    watched: [
      {
        name: 'service',
        pid: backend.pid,
        metrics,
        databaseBytes: sizeOf(databaseUrl, join(storage.dataDirectory, 'repoless.sqlite')),
      },
      {
        name: 'build management',
        pid: pidOf(built),
        metrics: otherMetrics,
        databaseBytes: sizeOf(ofBuildManagement, join(dataDir, 'build-management.sqlite')),
      },
      { name: 'code host', pid: pidOf(hosts) },
    ],
  };
}

type Child = ReturnType<Workspace['start']>;

function pidOf({ pid }: Child): number {
  if (pid === undefined) throw new Error('A program has no process.');
  return pid;
}

async function firstLine(name: string, child: Child): Promise<string> {
  const complaints = collect(child.stderr, true);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended: ${tail(complaints())}`)));
  ended.catch(() => undefined);
  if (child.stdout === null) throw new Error(`${name} has no output.`);
  const [line] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), ended]);
  return String(line);
}

async function bytesOf(file: string): Promise<number> {
  const sizes = await Promise.all(
    [file, `${file}-wal`].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function bytesOfPostgres(connectionString: string): Promise<number> {
  const [size] = await execute<{ bytes: string }>(connectionString, 'select pg_database_size(current_database())::text as bytes');
  return Number(size?.bytes ?? 0);
}

/** A repository at the git vendor that the service uses through build management. */
export interface External {
  /** The site with its code. */
  readonly site: string;
  readonly clone: CodeClone;
}

const REPOSITORY = 'northwind/storefront';

/** Onboards the vendor's repository, links it to a site, and lets the vendor report each push to build management. */
export async function linkExternal(world: SoakWorld, folder: string): Promise<External> {
  const ask = createFetchHosted();
  const site = 'external';
  const send = (port: number, host: string) => async (method: Call['method'], path: string, body?: unknown) => {
    const headers = { 'x-auth-token': world.token, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const answer = await askOrFail(ask, port, { method, host, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return JSON.parse(answer.body.toString()) as unknown;
  };
  const build = send(world.buildManagement, `127.0.0.1:${world.buildManagement}`);
  const service = send(world.service, new URL(PUBLIC_ADDRESS).host);
  const all = `/organizations/${ORG}/repositories`;
  const onboarded = { programId: '1', name: 'Storefront', vendor: 'github-enterprise', accessToken: ACCESS_TOKEN };
  const cloneUrl = `${world.vendor}/${REPOSITORY}.git`;
  const { repositoryId } = ExternalRepository.parse(await build('POST', all, { ...onboarded, cloneUrl }));
  await waitUntil('The repository is ready', async () => {
    const { state } = ExternalRepository.parse(await build('GET', `${all}/${repositoryId}`));
    if (state === 'failed') throw new Error('The repository could not be onboarded.');
    return state === 'READY';
  });
  await service('PUT', `/config/${ORG}/sites/${site}.json?unchecked=true`, soakSite(world.codeHost, site, 'first'));
  const { code, secret } = LinkOutcome.parse(await build('PUT', `${all}/${repositoryId}/link`, { site }));
  await service('PUT', `/config/${ORG}/sites/${site}.json`, { ...soakSite(world.codeHost, site, 'first'), code });
  await service('POST', `/config/${ORG}/sites/${site}/secrets/cm-byog.json`, { value: secret });
  const hook = WebhookCredentials.parse(await build('POST', `${all}/${repositoryId}/webhook`));
  const form = new URLSearchParams({ form: 'github-enterprise', address: hook.address, secret: hook.secret });
  await fetch(`${world.vendor}/${REPOSITORY}/hooks`, { method: 'POST', body: form });
  return { site, clone: await cloneOf(world.vendor, REPOSITORY, folder) };
}

/** A site of the benchmarks, with its code on the running code host. */
export function soakSite(codeHost: string, site: string, revision: string): SiteInput {
  const code = { owner: ORG, repo: 'boilerplate', source: { type: 'github' as const, url: `${codeHost}/${ORG}/boilerplate` } };
  return { ...siteInput(site, revision), code };
}
