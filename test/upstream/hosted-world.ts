import { allEndpoints } from '@repoless/contract/endpoints.ts';
import type { Generation, PathMemory } from '@repoless/upstream/call.ts';
import { createFetchHosted } from '@repoless/upstream/fetch-hosted.ts';
import { type BridgeAnswer, createBridge } from '@repoless/upstream/bridge.ts';
import { type Store, StoredChange } from '@repoless/upstream/store.ts';
import { bridgedFetch, hostedServiceAt, infoOf } from '@repoless/upstream/hosted.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { type Hosted, startHosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { onThisMachine } from '../support/this-machine.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

export interface BridgedAnswer extends BridgeAnswer {
  readonly body: unknown;
}

export interface HostedWorld {
  readonly hosted: Hosted;
  /** The changes that the bridge stored. */
  readonly changes: readonly StoredChange[];
  /** Whether changes can be stored. */
  canStore: boolean;
  /** Called before something is stored; it waits for the result. */
  storing: ((value: object) => Promise<void> | undefined) | undefined;
  /** Which generation of the hosted service's addresses is used. */
  generation: Generation | 'detect';
  /** Milliseconds by which the bridge's clock is fast. */
  later: number;
  /** Remembers the content paths of sites, if present. */
  paths: PathMemory | undefined;
  /** Everything that is stored, as text. */
  stored(): string;
  /** Replaces the bridge by a new one with the same store. */
  restart(): void;
  readonly settings: Readonly<Record<string, string>>;
  /** A `fetch` that sends requests for the hosted service through the bridge. */
  readonly fetch: typeof fetch;
  /** A call of the contract, through the bridge. */
  call(
    method: string,
    path: string,
    body?: unknown,
    more?: { readonly headers?: Record<string, string>; readonly token?: string },
  ): Promise<BridgedAnswer>;
  /** Registers a new site there. Returns its path. */
  site(parts?: object): Promise<string>;
}

/** The stand-in of the hosted service, and the bridge to it. No test may leave a violation there. */
export function startHostedWorld(): HostedWorld {
  const { store, changes, text } = memoryStore(
    () => world.canStore,
    (value) => world.storing?.(value),
  );
  let count = 0;
  let bridge: ReturnType<typeof createBridge>;
  let token = '';
  const hosted = startBeforeAll(() => startHosted({ switches: { requestsPerSecond: 0 } }));
  beforeAll(async () => {
    token = hosted.token('session', { email: EXAMPLE.admin });
    world.restart();
  });
  const restart = () => {
    const { address, successor, previewDomain, liveDomain } = hosted;
    const service = hostedServiceAt(address, { service: address, successor, previewDomain, liveDomain });
    if (service === undefined) throw new Error('The stand-in is not recognized as a hosted service.');
    bridge = createBridge({
      ...service,
      fetchHosted: createFetchHosted({
        wait: () => new Promise((resolve) => setImmediate(resolve)),
        now: () => 0,
        dispatcher: onThisMachine(),
      }),
      store,
      info: infoOf(service),
      get generation() {
        return world.generation;
      },
      ...(world.paths === undefined ? {} : { paths: world.paths }),
      now: () => new Date(Date.now() + world.later),
    });
  };
  afterAll(() => expect(hosted.violations).toEqual([]));
  const call: HostedWorld['call'] = async (method, path, body, more = {}) => {
    const isText = typeof body === 'string';
    const answer = await bridge({
      method,
      path,
      headers: { 'x-auth-token': more.token ?? token, 'content-type': isText ? 'text/plain' : 'application/json', ...more.headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const isJson = (answer.headers['content-type'] ?? '').includes('json');
    if ((answer.status === 200 || answer.status === 201) && isConditional(method, path))
      expect([method, path, answer.headers['etag']]).toEqual([method, path, expect.any(String)]);
    return { ...answer, body: isJson && answer.text !== '' ? (JSON.parse(answer.text) as unknown) : answer.text };
  };
  const world: HostedWorld = {
    canStore: true,
    storing: undefined,
    generation: 5,
    later: 0,
    paths: undefined,
    stored: text,
    restart,
    get hosted() {
      return hosted;
    },
    changes,
    get settings() {
      return settingsOf(hosted);
    },
    fetch: (input, init) => bridgedFetch(bridge, hosted.address, fetch)(input, init),
    call,
    async site(parts = {}) {
      const name = `site-${(count += 1)}`;
      const path = `/config/${EXAMPLE.org}/sites/${name}.json`;
      const created = await call('PUT', path, { ...siteBody(name), ...parts });
      expect(created.status, created.text).toBe(201);
      return path;
    },
  };
  return world;
}

/** Whether an answer has the etag of the stored state, by the OpenAPI document. */
function isConditional(method: string, address: string): boolean {
  const [path = '', query = ''] = address.split('?');
  const row = allEndpoints().find(
    ([, one]) =>
      one.method === method && new RegExp(`^${one.path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\*?\}/g, '[^/]+')}$`).test(path),
  )?.[1];
  return row?.preconditions === true && !query.includes('dryRun');
}

/** A bridge to a hosted service at this address, with an empty store. */
export function bridgeAt(address: string, hosts: { codeHost?: string; codeHostRaw?: string } = {}, pace: { longest?: number } = {}) {
  const service = hostedServiceAt(address, { service: address, ...hosts });
  if (service === undefined) throw new Error('The service is not recognized as a hosted one.');
  const { store, text } = memoryStore();
  const ask = createFetchHosted({ wait: async () => undefined, now: () => 0, ...pace });
  return { bridge: createBridge({ ...service, fetchHosted: ask, store, info: infoOf(service), now: () => new Date() }), stored: text };
}

/** A store in memory for one test. */
export function memoryStore(
  canStore: () => boolean = () => true,
  storing: (value: object) => Promise<void> | undefined = () => undefined,
): {
  readonly store: Store;
  readonly changes: readonly StoredChange[];
  text(): string;
} {
  const documents = new Map<string, object>();
  const changes: StoredChange[] = [];
  const key = (...names: string[]) => names.join('/');
  return {
    changes,
    text: () => JSON.stringify([...documents]),
    store: {
      async put(kind, org, id, value) {
        await storing(value);
        if (!canStore()) throw new Error('The folder is read-only');
        documents.set(key(kind, org, id), value);
        if (kind === 'change') changes.push(StoredChange.parse(value));
      },
      get: async (kind, org, id) => documents.get(key(kind, org, id)),
      remove: async (kind, org, id) => void documents.delete(key(kind, org, id)),
      list: async (kind, org, newest) =>
        [...documents]
          .filter(([name]) => name.startsWith(`${key(kind, org)}/`))
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([, value]) => value)
          .slice(newest === undefined ? 0 : -newest),
    },
  };
}

export function siteBody(name: string) {
  return {
    content: {
      source: {
        type: 'markup',
        url: `https://author-p100-e200.example.com/bin/franklin.delivery/${EXAMPLE.org}/${name}/main`,
        suffix: '.html',
      },
    },
    code: { owner: EXAMPLE.org, repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } },
    access: { admin: { role: { admin: [EXAMPLE.admin] }, requireAuth: 'auto' } },
    public: { paths: { mappings: [`/content/${name}/:/`], includes: [`/content/${name}/`] } },
  };
}

/** The settings with which the command line reaches the stand-in. */
export function settingsOf(hosted: Hosted): Record<string, string> {
  return {
    REPOLESS_SERVICE: hosted.address,
    REPOLESS_HOSTED: hosted.address,
    REPOLESS_HOSTED_SUCCESSOR: hosted.successor,
    REPOLESS_HOSTED_PREVIEW: hosted.previewDomain,
    REPOLESS_HOSTED_LIVE: hosted.liveDomain,
  };
}
