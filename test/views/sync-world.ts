import type { Delivery, ExternalRepository } from '@repoless/contract/build-management.ts';
import { type CodeCheck, RepositoryState } from '@repoless/contract/code-check.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { createBuildManagementPort, createSyncPort } from '@repoless/core/api/sync-port.ts';
import { createClient } from '@repoless/core/api/client.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { isRow } from './is-row.ts';
import { AUTHOR, createWorld, INFO, SERVICE } from './world.ts';

/** The state of the service and build management behind a fake network; tests set and inspect it. */
export interface SyncWorld {
  readonly sites: SiteListEntry[];
  /** The synced branches, by their names in the repository. */
  branches: string[];
  readonly repositories: ExternalRepository[];
  deliveries: Delivery[];
  /** The commit of the branch at the code source; undefined: the caller may not read it. */
  head: string | undefined;
  /** Overrides the answer of a request, for example with a failure. */
  answer: (method: string, path: string, body: unknown) => Response | Promise<Response> | undefined;
  /** Each call that changed something: method, path, body. */
  readonly writes: { readonly call: string; readonly body: unknown }[];
  hasBuildManagement: boolean;
  /** Notifies everyone who watches a branch. */
  notify(ref: string, status: Partial<JobStatus>): void;
  /** Ends every stream, as a restart of the service does. */
  cut(): void;
  readonly ports: ReturnType<typeof portsOf>;
}

export const BUILDS = 'https://builds.example.com';
const TIME = '2026-03-04T05:06:07.000Z';
export const JOB = 'job-2026-03-04-05-06-07-0a1b2c3d';

export function createSyncWorld(sites: SiteListEntry[] = [site('summit'), site('summit-fr')]): SyncWorld {
  const statuses = new Map<string, JobStatus>();
  const watching = new Map<ReadableStreamDefaultController<Uint8Array>, string>();
  const send = (stream: ReadableStreamDefaultController<Uint8Array>, status: JobStatus): void =>
    stream.enqueue(new TextEncoder().encode(`event: job\ndata: ${JSON.stringify(status)}\n\n`));
  const world: SyncWorld = {
    sites,
    branches: ['main'],
    repositories: [],
    deliveries: [],
    head: undefined,
    answer: () => undefined,
    writes: [],
    hasBuildManagement: false,
    notify(ref, part) {
      const status: JobStatus = { ...jobless(ref), ...part };
      statuses.set(ref, status);
      for (const [stream, watched] of watching) if (watched === ref) send(stream, status);
    },
    cut() {
      for (const stream of watching.keys()) stream.close();
      watching.clear();
    },
    ports: portsOf(async (input, init) => {
      const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input.toString());
      const method = init?.method ?? 'GET';
      if (!isRow(method, pathname)) console.error(`No program has the call ${method} ${pathname}.`);
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
      const own = world.answer(method, pathname, body);
      if (own !== undefined) return own;
      // A dry run changes nothing.
      if (searchParams.get('dryRun') === 'true') return json(200, { dryRun: true, status: 200, result: {}, diff: [] });
      if (method !== 'GET') {
        world.writes.push({ call: `${method} ${pathname}`, body });
        return write(world, method, pathname, body);
      }
      const ref = /^\/job\/wknd\/[^/]+\/([^/]+)\/code$/.exec(pathname)?.[1];
      if (ref === undefined) return read(world, pathname, searchParams);
      const status = statuses.get(ref) ?? jobless(ref);
      if (new Headers(init?.headers).get('accept') !== 'text/event-stream') return json(200, status);
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          watching.set(controller, ref);
          send(controller, status);
          init?.signal?.addEventListener('abort', () => watching.delete(controller));
        },
      });
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    }),
  };
  return world;
}

function portsOf(fetching: typeof fetch) {
  const options = { token: async () => 'token', fetch: fetching };
  const client = createClient({ service: SERVICE, ...options });
  return {
    setup: { ...createWorld().ports, service: createServicePort(client) },
    sync: createSyncPort(client),
    buildsAt: (service: string) => createBuildManagementPort(createClient({ service, ...options })),
    clientAt: (service: string) => createClient({ service, ...options }),
  };
}

/** A site on the code host. */
export function site(name: string, repo = 'boilerplate'): SiteListEntry {
  return {
    ...ownerKey(name),
    code: { owner: 'wknd', repo, source: { type: 'github', url: `https://github.com/wknd/${repo}` } },
  };
}

/** A site on the external repository 7 of program 100. */
export function externalSite(name: string, holdsSecret = false): SiteListEntry {
  const source = { type: 'byogit', url: `${BUILDS}/api`, raw_url: `${BUILDS}/raw` } as const;
  const secret = holdsSecret ? ({ secretId: 'cm-byog' } as const) : {};
  return { ...ownerKey(name), code: { owner: '100', repo: '7', source: { ...source, ...secret } } };
}

export function externalRepository(more: Partial<ExternalRepository> = {}): ExternalRepository {
  return {
    programId: '100',
    repositoryId: '7',
    name: 'Team site',
    cloneUrl: 'https://git.example.com/team/site.git',
    vendor: 'gitlab',
    alpha: false,
    state: RepositoryState.enum.READY,
    created: TIME,
    createdBy: 'ada.admin@example.com',
    lastModified: TIME,
    warnings: [],
    ...more,
  };
}

export function delivery(more: Partial<Delivery> = {}): Delivery {
  const changes: Delivery['changes'] = [{ branch: 'main', type: 'updated', commit: 'b'.repeat(40) }];
  return {
    id: '00000000-0000-4000-8000-000000000001',
    event: 'Push Hook',
    received: TIME,
    changes,
    outcome: 'done',
    jobs: [],
    attempts: 1,
    repeats: 0,
    ...more,
  };
}

/** A job that ended, of a commit. */
export function ended(sha = 'a'.repeat(40), error?: string): Partial<JobStatus> {
  const failed = error === undefined ? {} : { error };
  return {
    name: JOB,
    state: 'stopped',
    createTime: TIME,
    startTime: TIME,
    stopTime: TIME,
    progress: { total: 20, processed: 20, failed: 0, ignored: 0 },
    user: 'ada.admin@example.com',
    data: { phase: 'completed', owner: 'wknd', repo: 'boilerplate', ref: 'main', branch: 'main', sha },
    jobs: [{ name: JOB, state: 'stopped', time: TIME, stopTime: TIME, branch: 'main', href: '', ...failed }],
    ...failed,
  };
}

export function running(processed: number): Partial<JobStatus> {
  const { stopTime: _stopped, ...job } = ended();
  const about = job.data === undefined ? {} : { data: { ...job.data, phase: 'sync' as const } };
  return { ...job, ...about, state: 'running', progress: { total: 20, processed, failed: 0, ignored: 0 } };
}

export function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

export function refused(code: string, status: number, detail: string): Response {
  return json(status, { type: 'about:blank', title: detail, status, detail, code });
}

function ownerKey(name: string): Pick<SiteListEntry, 'name' | 'path' | 'content' | 'public'> {
  const url = `${AUTHOR}/bin/franklin.delivery/wknd/${name}/main`;
  return {
    name,
    path: `/config/wknd/sites/${name}.json`,
    content: { source: { url, type: 'markup', suffix: '.html' } },
    public: { paths: { mappings: [`/content/${name}/:/`] } },
  };
}

function jobless(ref: string): JobStatus {
  return { topic: 'code', jobs: [], links: { self: `/job/wknd/summit/${ref}/code` } };
}

function details(path: string): unknown {
  const job = path.replace(/\/details$/, '');
  const links = { self: path, job, list: job.slice(0, job.lastIndexOf('/')) };
  return { ...ended(), topic: 'code', data: { ...ended().data, changes: [], resources: [] }, links };
}

function read(world: SyncWorld, path: string, query: URLSearchParams): Response {
  const [first] = world.repositories;
  if (path === '/service.json') return json(200, world.hasBuildManagement ? { ...INFO, buildManagement: BUILDS } : INFO);
  if (path === '/config/wknd/sites.json') return json(200, { sites: pageOf(world.sites, query) });
  if (path.endsWith('/code/check.json'))
    return world.head === undefined ? refused('NOT_AUTHORIZED', 403, 'No') : json(200, checkedCode(world.head, query));
  if (path.startsWith('/code/wknd/')) return json(200, { owner: 'wknd', repo: 'boilerplate', branches: world.branches });
  if (path.endsWith('/details')) return json(200, details(path));
  if (path.endsWith('/repositories')) {
    return json(200, { codeSync: { url: `${BUILDS}/api`, rawUrl: `${BUILDS}/raw` }, repositories: world.repositories });
  }
  if (path.endsWith('/deliveries')) return json(200, { deliveries: world.deliveries });
  if (path.endsWith('/branches'))
    return json(200, { branches: world.branches.map((name) => ({ name, commit: world.head ?? 'b'.repeat(40) })) });
  if (path.includes('/repositories/') && first !== undefined) return json(200, first);
  return refused('ROUTE_NOT_FOUND', 404, 'No such address');
}

function checkedCode(sha: string, query: URLSearchParams): CodeCheck {
  const repository = { type: 'github', owner: query.get('owner') ?? '', repo: query.get('repo') ?? '' } as const;
  return { ...repository, ref: query.get('ref') ?? 'main', repository: 'found', branch: 'found', sha, detail: 'It answers.' };
}

function pageOf(sites: readonly SiteListEntry[], query: URLSearchParams): readonly SiteListEntry[] {
  const from = sites.findIndex(({ name }) => name === query.get('after')) + 1;
  return sites.slice(from, from + Number(query.get('limit') ?? '1000'));
}

function write(world: SyncWorld, method: string, path: string, body: unknown): Response {
  const [first = externalRepository()] = world.repositories;
  if (method === 'DELETE') return new Response(undefined, { status: 204 });
  if (path.startsWith('/code/')) {
    const job = { topic: 'code', name: JOB, state: 'created', createTime: TIME };
    return json(202, { messageId: 'm-1', job, links: { self: '', list: '' } });
  }
  if (path.endsWith('/link')) {
    const { site: to } = body as { site: string };
    const linked = { ...first, link: { site: to, linked: TIME, linkedBy: 'ada.admin@example.com' } };
    world.repositories.splice(0, 1, linked);
    const source = { type: 'byogit', owner: '100', repo: '7', url: `${BUILDS}/api`, raw_url: `${BUILDS}/raw`, secretId: 'cm-byog' };
    const revoked = first.link === undefined ? {} : { revoked: { site: first.link.site } };
    return json(200, { repository: linked, secret: 'one-time-secret', ...revoked, code: { owner: '100', repo: '7', source } });
  }
  if (path.endsWith('/webhook')) {
    const address = `${BUILDS}/webhooks/1?api_key=key-1`;
    return json(201, { address, apiKey: 'key-1', secret: 'webhook-secret', username: 'build-management' });
  }
  if (path.endsWith('/resend')) return json(202, delivery({ attempts: 2 }));
  if (path.endsWith('/repositories')) {
    world.repositories.push(externalRepository({ state: 'added', ...(body as Partial<ExternalRepository>) }));
    return json(201, externalRepository({ state: 'added' }));
  }
  return json(200, { id: 'cm-byog', type: 'key', created: TIME, lastModified: TIME });
}
