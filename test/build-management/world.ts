import {
  type Delivery,
  DeliveryList,
  ExternalRepository,
  type GitVendor,
  LinkOutcome,
  WebhookCredentials,
} from '@repoless/contract/build-management.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { startVendorHost } from '../support/git-hosts.ts';
import type { Running } from '@repoless/sandbox/web.ts';
import { readBuildManagementSettings } from '@repoless/service/build-management/settings.ts';
import { type BuildManagement, startBuildManagement } from '@repoless/service/build-management/start-build-management.ts';
import { createLog } from '@repoless/service/log.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ask, type TestAnswer, type TestRequest } from '../support/ask.ts';
import { OPERATOR, siteBody, startTestBackend, type TestBackend, type TestBackendOptions } from '../support/backend.ts';
import { checkAnswers } from '../support/check-answers.ts';

export const KEY = 'the-key-of-build-management';

/** Calls about the external repositories of an organization. */
interface BuildCalls {
  onboard(more?: Readonly<Record<string, unknown>>): Promise<ExternalRepository>;
  /** Waits until the repository is in one of these states. */
  settled(id: string, ...states: readonly string[]): Promise<ExternalRepository>;
  /** Links it to a site, which is registered if necessary. */
  link(id: string, site: string): Promise<LinkOutcome>;
  webhook(id: string): Promise<WebhookCredentials>;
  deliveries(id: string): Promise<Delivery[]>;
  /** Waits until the newest matching delivery has ended. */
  delivered(id: string, fits?: (delivery: Delivery) => boolean): Promise<Delivery>;
}

/** Its own calls are about `wknd`. */
export interface BuildWorld extends BuildCalls {
  /** Calls about another organization. */
  of(org: string): BuildCalls;
  readonly backend: TestBackend;
  readonly vendor: Running;
  readonly dataDir: string;
  /** All answers, and all lines of the logs. */
  readonly output: string[];
  address(): string;
  /** Sets build management's clock; undefined is the real time. */
  setTime(time: Date | undefined): void;
  /** Calls build management, as the operator unless `as` is given. */
  call(method: string, path: string, request?: Omit<TestRequest, 'method'> & { as?: string | null }): Promise<TestAnswer>;
  /** Onboards a repository of this vendor until it is READY. */
  ready(vendor?: GitVendor): Promise<ExternalRepository>;
  /** A READY repository whose branch `main` was removed afterwards. */
  withoutMain(): Promise<ExternalRepository>;
  fault(mode: string, more?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Restarts build management; `between` runs while it is down. */
  restart(between?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** The service, a git vendor, and build management between them, with their own ports and data. */
export async function startBuildWorld(
  settings: Readonly<Record<string, string>> = {},
  orgs: readonly string[] = ['wknd'],
  service: Pick<TestBackendOptions, 'claim' | 'settings'> = {},
): Promise<BuildWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-build-'));
  const output: string[] = [];
  const { buildManagement: port } = await freePorts();
  const backend = await startTestBackend({
    orgs,
    settings: { BUILD_MANAGEMENT: `http://localhost:${port}`, BUILD_MANAGEMENT_KEY: KEY, CODE_RETRY_DELAY: '5', ...service.settings },
    ...(service.claim !== undefined && { claim: service.claim }),
    logged: (line) => output.push(line),
  });
  const vendor = await startVendorHost({ port: 0, dataDir: join(folder, 'vendor') });
  const dataDir = join(folder, 'build-management');
  let time: Date | undefined;
  const log = createLog('info', { write: (line) => output.push(line) });
  const start = () =>
    startBuildManagement(
      readBuildManagementSettings({
        PORT: String(port),
        DATA_DIR: dataDir,
        SERVICE_ADDRESS: backend.address,
        BUILD_MANAGEMENT_KEY: KEY,
        INTERNAL_ADDRESSES: 'allow',
        RATE_LIMIT: '0',
        OVERLOAD_DELAY: '0',
        SHUTDOWN_GRACE: '1',
        ...settings,
      }),
      { log, now: () => time ?? new Date() },
    );
  let running: BuildManagement = await start();
  const answers = checkAnswers('build-management', port, () => true);
  let onboarded = 0;

  const callsOf = (org: string): BuildCalls => {
    const path = `/organizations/${org}/repositories`;
    const calls: BuildCalls = {
      async onboard(more = {}) {
        const body = {
          programId: '100',
          name: `Store ${++onboarded}`,
          vendor: 'github-enterprise',
          accessToken: ACCESS_TOKEN,
          ...storefront(vendor),
          ...more,
        };
        return ExternalRepository.parse(good(await world.call('POST', path, { body }), 201));
      },
      settled: (id, ...states) =>
        until(async () => {
          const read = ExternalRepository.parse(good(await world.call('GET', `${path}/${id}`), 200));
          return states.includes(read.state) ? read : undefined;
        }),
      async link(id, site) {
        await registered(backend, org, site);
        return LinkOutcome.parse(good(await world.call('PUT', `${path}/${id}/link`, { body: { site } }), 200));
      },
      webhook: async (id) => WebhookCredentials.parse((await world.call('POST', `${path}/${id}/webhook`)).json()),
      deliveries: async (id) => DeliveryList.parse(good(await world.call('GET', `${path}/${id}/deliveries`), 200)).deliveries,
      delivered: (id, fits = () => true) =>
        until(async () => (await calls.deliveries(id)).find((one) => fits(one) && one.outcome !== 'accepted')),
    };
    return calls;
  };
  const world: BuildWorld = {
    ...callsOf('wknd'),
    of: callsOf,
    backend,
    vendor,
    dataDir,
    output,
    address: () => running.address,
    setTime: (value) => (time = value),
    async call(method, path, { as = OPERATOR, ...request } = {}) {
      const credential = as === null ? {} : { 'x-auth-token': await backend.token(as) };
      const answer = await ask(running.address, path, { ...request, method, headers: { ...credential, ...request.headers } });
      output.push(JSON.stringify(answer.headers));
      return answer;
    },
    async ready(form = 'github-enterprise') {
      const { repositoryId } = await world.onboard({ vendor: form, cloneUrl: anotherAddress(vendor, ++onboarded) });
      return await world.settled(repositoryId, 'READY', 'failed');
    },
    async withoutMain() {
      const removeMain = await addRepository(join(folder, 'vendor'), 'started');
      const { repositoryId } = await world.onboard({ name: 'started', cloneUrl: `${vendor.address}/northwind/started.git` });
      const ready = await world.settled(repositoryId, 'READY', 'failed');
      await removeMain();
      return ready;
    },
    async fault(mode, more = {}) {
      await fetch(`${vendor.address}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ mode, ...more }) });
    },
    async restart(between) {
      await running.stop();
      await between?.();
      running = await start();
    },
    async stop() {
      await running.stop();
      await vendor.stop();
      await backend.stop();
      await rm(folder, { recursive: true, force: true });
      answers.stop();
    },
  };
  return world;
}

/** Registers a site, with any code source, so that a repository can be linked to it. */
async function registered(backend: TestBackend, org: string, site: string): Promise<void> {
  const answer = await backend.call('PUT', `/config/${org}/sites/${site}.json`, {
    as: OPERATOR,
    body: siteBody(org, site),
    headers: { 'if-none-match': '*' },
  });
  if (answer.status !== 201 && answer.status !== 412) throw new Error(`${answer.status} ${answer.text}`);
}

function storefront(vendor: Running): { cloneUrl: string } {
  return { cloneUrl: `${vendor.address}/northwind/storefront.git` };
}

/** Another address of the same repository, because an organization may onboard each address once. */
function anotherAddress(vendor: Running, count: number): string {
  const host = new URL(vendor.address);
  return `http://vendor-${count}.localhost:${host.port}/northwind/storefront.git`;
}

function good(answer: TestAnswer, status: number): unknown {
  if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json();
}

export async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const run = promisify(execFile);

/** Runs git as a person would. */
export async function git(...command: readonly string[]): Promise<string> {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada.admin@example.com'];
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  return (await run('git', [...identity, ...command], { env })).stdout;
}

/** Adds a private repository `northwind/<name>` to the git vendor with this data folder. Returns a function that removes its branch `main`. */
export async function addRepository(vendorFolder: string, name: string): Promise<() => Promise<string>> {
  const bareRepository = join(vendorFolder, 'repositories/northwind', `${name}.git`);
  await git('init', '--quiet', '--bare', '--initial-branch=main', bareRepository);
  const tree = (await git('-C', bareRepository, 'hash-object', '-t', 'tree', '-w', '/dev/null')).trim();
  const commit = (await git('-C', bareRepository, 'commit-tree', tree, '-m', 'Begin')).trim();
  for (const branch of ['develop', 'main']) await git('-C', bareRepository, 'update-ref', `refs/heads/${branch}`, commit);
  return () => git('-C', bareRepository, 'update-ref', '-d', 'refs/heads/main');
}

/** The clone address as a member of the team uses it. */
export function asMember(vendor: Running, repository = 'northwind/storefront'): string {
  const address = new URL(`${vendor.address}/${repository}.git`);
  [address.username, address.password] = [encodeURIComponent('ada.admin@example.com'), 'sandbox'];
  return address.href;
}
