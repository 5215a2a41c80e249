import type { Headers } from '@repoless/contract/site-parts.ts';
import { CreatedSubscription, SubscriptionList } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { type Site, SiteList } from '@repoless/contract/site.ts';
import { UsageReport } from '@repoless/contract/org.ts';
import { folderPage } from '@repoless/service/delivery/find-path.ts';
import { pageAnswer, type PageServices } from '@repoless/service/delivery/page-answer.ts';
import { siteHeaders } from '@repoless/service/delivery/with-site-headers.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestAnswer } from '../support/ask.ts';
import { callsAs, externalCode, OPERATOR as as, siteBody, type TestBackend } from '../support/backend.ts';
import { eachStore, startNodes, startRaced } from '../support/each-store.ts';

const SITE = '/config/wknd/sites/raced';
interface Way {
  readonly method: string;
  readonly body?: object;
}
type Make = (backend: TestBackend) => Promise<string>;

/** The name, how it is created, a change, and later calls with the same `if-match`. */
const THINGS: readonly (readonly [string, Make, Way, readonly Way[]])[] = [
  [
    'a secret',
    createSecret,
    { method: 'POST', body: { value: 'first' } },
    [{ method: 'POST', body: { value: 'second' } }, { method: 'DELETE' }],
  ],
  [
    'a subscription',
    createSubscription,
    { method: 'PUT', body: webhook('first') },
    [{ method: 'PUT', body: webhook('second') }, { method: 'DELETE' }],
  ],
  [
    'the secret of a subscription',
    createSubscription,
    { method: 'PUT', body: webhook('present', 'the secret that is first of the two') },
    [{ method: 'PUT', body: webhook('present', 'the secret that comes a moment later') }, { method: 'DELETE' }],
  ],
  [
    'the name of a version',
    async () => `${SITE}/versions/1.json`,
    { method: 'POST', body: { name: 'first' } },
    [{ method: 'POST', body: { name: 'second' } }, { method: 'DELETE' }],
  ],
];

eachStore((engine) => {
  it.each(THINGS)('the second of two concurrent changes of %s with one if-match is refused', async (_, make, change, others) => {
    const { backend, next } = await startRaced(engine);
    await backend.call('PUT', `${SITE}.json`, { as, body: siteBody('wknd', 'raced') });
    await backend.call('PUT', `${SITE}.json`, { as, body: { title: 'Second' } });
    for (const [turn, other] of others.entries()) {
      const path = await make(backend);
      const headers = { 'if-match': (await backend.call('GET', path, { as })).headers['etag'] ?? '' };
      const faster = renamed(change, turn);
      next(async () => expect((await backend.call(faster.method, path, { as, headers, body: faster.body })).status).toBe(200));
      const late = await backend.call(other.method, path, { as, headers, body: other.body });
      expect(late).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
      const kept = await backend.call('GET', path, { as });
      expect(kept.status).toBe(200);
      expect(kept.headers['etag']).not.toBe(headers['if-match']);
    }
  });

  it('the second of two concurrent first values of a secret with if-none-match is refused', async () => {
    const { backend, next } = await startRaced(engine);
    await backend.call('PUT', `${SITE}.json`, { as, body: siteBody('wknd', 'raced') });
    const set = (value: string) =>
      backend.call('POST', `${SITE}/secrets/one.json`, { as, headers: { 'if-none-match': '*' }, body: { value } });
    next(async () => expect((await set('first')).status).toBe(200));
    expect((await set('second')).status).toBe(412);
  });
});

/** Uses a new name each time; the current one would be no change. */
function renamed({ method, body }: Way, turn: number): Way {
  return body !== undefined && 'name' in body
    ? { method, body: { name: `first ${turn}` } }
    : { method, ...(body !== undefined && { body }) };
}

async function createSecret(backend: TestBackend): Promise<string> {
  const path = `${SITE}/secrets/one.json`;
  expect((await backend.call('POST', path, { as, body: { value: 'present' } })).status).toBe(200);
  return path;
}

async function createSubscription(backend: TestBackend): Promise<string> {
  const created = await backend.call('POST', '/config/wknd/subscriptions.json', { as, body: webhook('present') });
  return `/config/wknd/subscriptions/${CreatedSubscription.parse(created.json()).id}.json`;
}

function webhook(name: string, secret?: string): object {
  const given = secret !== undefined && { secret: `whsec_${Buffer.from(secret).toString('base64')}` };
  return { channel: { type: 'webhook', url: `https://hooks.example.com/${name}`, ...given } };
}

const MOST = 5;
const MORE = 20;

eachStore((engine) => {
  it('concurrent calls create no more sites, secrets and API keys than the quotas allow', async () => {
    const settings = {
      SECRET_KEY_FILE: join(mkdtempSync(join(tmpdir(), 'keys-')), 'secret.json'),
      ORG_SITES: `${MOST}`,
      ORG_SECRETS: `${MOST}`,
      ORG_API_KEYS: `${MOST}`,
    };
    const [first, second] = await startNodes(engine, { settings, orgs: ['wknd', 'other'] });
    const call = (turn: number, method: string, path: string, body?: object) =>
      callsAs(turn % 2 === 0 ? first : second, as).call(method, `/config/${path}`, body);
    /** Sends more than the limit concurrently. Returns how many were created, and how many the limit refused. */
    const at = async (make: (n: number) => ReturnType<typeof call>) => {
      const answers = await Promise.all(Array.from({ length: MOST + MORE }, (_, n) => make(n)));
      const refused = answers.filter(({ status, headers }) => status === 403 && headers['x-error-code'] === 'QUOTA_REACHED');
      return { created: answers.filter(({ status }) => status === 201).length, refused: refused.length };
    };
    const putSite = (org: string, n: number, more = {}) => call(n, 'PUT', `${org}/sites/s${n}.json`, siteBody(org, `s${n}`, more));
    const full = { created: MOST, refused: MORE };
    expect(await Promise.all([at((n) => putSite('wknd', n)), at((n) => putSite('other', n))])).toEqual([full, full]);
    const sites = SiteList.parse((await call(0, 'GET', 'wknd/sites.json')).json()).sites.map(({ name }) => name);
    const [removed, kept = ''] = sites;
    expect(await at((n) => call(n, 'POST', n % 2 === 0 ? 'wknd/apiKeys.json' : `wknd/sites/${removed}/apiKeys.json`, {}))).toEqual(full);
    expect(await at((n) => call(n, 'POST', `wknd/sites/${sites[n % MOST]}/secrets.json`))).toEqual(full);
    const report = UsageReport.parse((await call(0, 'GET', 'wknd/usage.json')).json());
    expect([report.sites.used, report.apiKeys.used, report.secrets.used]).toEqual([MOST, MOST, MOST]);

    // Existing ones may be changed, and removing one makes room for another.
    expect((await putSite('wknd', Number(kept.slice(1)), { title: 'Changed' })).status).toBe(200);
    expect((await call(1, 'DELETE', `wknd/sites/${removed}.json`)).status).toBe(204);
    expect(await at((n) => putSite('wknd', 100 + n))).toEqual({ created: 1, refused: MOST + MORE - 1 });
  });

  it('concurrent calls create no more subscriptions than the limit, and existing ones may be replaced', async () => {
    const settings = { SECRET_KEY_FILE: join(mkdtempSync(join(tmpdir(), 'keys-')), 'secret.json') };
    const [node, other] = await startNodes(engine, { settings });
    const call = (turn: number, method: string, path: string, body?: object) =>
      callsAs(turn % 2 === 0 ? node : other, as).call(method, `/config/wknd/${path}`, body);
    const most = LIMITS.subscriptions;
    const answers = await Promise.all(Array.from({ length: most + 20 }, (_, n) => call(n, 'POST', 'subscriptions.json', webhook(`${n}`))));
    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status, headers }) => status === 409 && headers['x-error-code'] === 'SUBSCRIPTION_REFUSED');
    expect([created.length, refused.length]).toEqual([most, 20]);
    const list = async () => SubscriptionList.parse((await call(0, 'GET', 'subscriptions.json')).json()).subscriptions;
    expect(await list()).toHaveLength(most);
    const [first] = created.map((answer) => CreatedSubscription.parse(answer.json()).id);
    expect((await call(0, 'PUT', `subscriptions/${first}.json`, webhook('99'))).status).toBe(200);
    expect((await call(1, 'DELETE', `subscriptions/${first}.json`)).status).toBe(204);
    expect((await call(0, 'POST', 'subscriptions.json', webhook('100'))).status).toBe(201);
    expect(await list()).toHaveLength(most);
  });

  it('a replacement is decided again if the subscription is removed or gets another secret concurrently', async () => {
    const { backend, next } = await startRaced(engine);
    const path = (id: string) => `/config/wknd/subscriptions/${id}.json`;
    const make = async () => {
      const created = await backend.call('POST', '/config/wknd/subscriptions.json', { as, body: webhook('first') });
      return CreatedSubscription.parse(created.json()).id;
    };
    const id = await make();
    next(async () => expect((await backend.call('DELETE', path(id), { as })).status).toBe(204));
    const late = await backend.call('PUT', path(id), { as, body: webhook('late') });
    expect(late).toMatchObject({ status: 404, code: 'SUBSCRIPTION_NOT_FOUND' });
    expect((await backend.call('GET', path(id), { as })).status).toBe(404);

    const other = await make();
    const sealed = async () =>
      (await backend.store.reads.subscriptions('wknd')).map(({ channel }) => ('sealed' in channel ? channel.sealed : ''));
    const first = await sealed();
    let second = first;
    next(async () => {
      const body = webhook('second', 'another secret of the same receiver');
      expect((await backend.call('PUT', path(other), { as, body })).status).toBe(200);
      second = await sealed();
    });
    expect((await backend.call('PUT', path(other), { as, body: webhook('third') })).status).toBe(200);
    expect(await sealed()).toEqual(second);
    expect(second).not.toEqual(first);
  });
});

const at = (site: string) => `/config/wknd/sites/${site}.json`;

eachStore((engine) => {
  it('registering a site is decided again if the holder of its secret is removed concurrently, and vice versa', async () => {
    const { backend, next } = await startRaced(engine);

    // The holder is removed between the decision on another site and its commit.
    expect((await put(backend, 'removed', '100', true)).status).toBe(201);
    next(async () => expect((await remove(backend, 'removed')).status).toBe(204));
    const alone = await put(backend, 'alone', '100');
    expect([alone.status, alone.text]).toEqual([400, expect.stringContaining('This is the first site of the repository 100/100')]);
    expect((await backend.call('GET', at('alone'), { as })).status).toBe(404);

    // Then it gets another code source.
    expect((await put(backend, 'moved', '200', true)).status).toBe(201);
    next(async () => {
      expect((await backend.call('PUT', at('moved'), { as, body: siteBody('wknd', 'moved') })).status).toBe(200);
    });
    const left = await put(backend, 'left', '200');
    expect([left.status, left.text]).toEqual([400, expect.stringContaining('This is the first site of the repository 100/200')]);

    // Another site starts to use the secret between the decision to remove its holder and the commit.
    expect((await put(backend, 'held', '300', true)).status).toBe(201);
    next(async () => expect((await put(backend, 'user', '300')).status).toBe(201));
    expect(await remove(backend, 'held')).toMatchObject({ status: 409, code: 'SECRET_IN_USE' });
    expect((await backend.call('GET', at('held'), { as })).status).toBe(200);

    // Another site starts to hold the secret while the secret is stored with a site that did not name it.
    expect((await put(backend, 'before', '400', true)).status).toBe(201);
    expect((await put(backend, 'other', '400')).status).toBe(201);
    expect((await backend.call('PUT', at('before'), { as, body: siteBody('wknd', 'before') })).status).toBe(200);
    next(async () => expect((await put(backend, 'holder', '400', true)).status).toBe(201));
    const stored = await backend.call('POST', '/config/wknd/sites/other/secrets/cm-byog.json', { as, body: { value: 'a-secret-value' } });
    expect(stored).toMatchObject({ status: 400, code: 'SECRET_NOT_ALLOWED' });
  });

  it('of a concurrent removal and registration on several nodes, one is refused', async () => {
    const [first, second] = await startNodes(engine);
    const repositories = Array.from({ length: 24 }, (_, n) => `${500 + n}`);
    for (const repo of repositories) expect((await put(first, `h${repo}`, repo, true)).status).toBe(201);
    const ends = await Promise.all(
      repositories.map(async (repo) => {
        const [removed, created] = await Promise.all([remove(first, `h${repo}`), put(second, `u${repo}`, repo)]);
        return `${removed.status} ${created.status}`;
      }),
    );
    expect(ends.filter((end) => end !== '204 400' && end !== '409 201')).toEqual([]);
  });
});

async function put(backend: TestBackend, site: string, repo: string, holds = false): Promise<TestAnswer> {
  return await backend.call('PUT', at(site), { as, body: siteBody('wknd', site, externalCode(repo, holds)) });
}

function remove(backend: TestBackend, site: string): Promise<TestAnswer> {
  return backend.call('DELETE', at(site), { as });
}

// Hosts cache one document for all requests to a site; the first request builds the indexes that later ones use.

/** Wraps an object, and counts how often it is iterated. */
function watched<T extends object>(target: T): { readonly object: T; readonly walks: () => number } {
  let walks = 0;
  const object = new Proxy(target, {
    ownKeys: (of) => {
      walks += 1;
      return Reflect.ownKeys(of);
    },
  });
  return { object, walks: () => walks };
}

const SERVICES: PageServices = {
  authors: { send: async () => ({ status: 200, headers: {}, body: Buffer.from('<main>Page</main>') }) },
  token: undefined,
  time: 20_000,
  isKnownAuthor: () => false,
};

describe('for any number of requests to a site', () => {
  it('its mappings are read once', async () => {
    let reads = 0;
    const paths = {
      get mappings() {
        reads += 1;
        return ['/content/site/:/'];
      },
    };
    const content = { source: { url: 'https://author.example.com/bin/x.delivery/acme/site/main', type: 'markup' as const } };
    const config: Site = { name: 'site', version: 1, created: '', lastModified: '', content, public: { paths } };
    for (const path of ['/', '/one', '/one', '/two.plain.html']) {
      const share = { reserve: () => undefined, drop: () => undefined };
      expect((await pageAnswer(SERVICES, share, { org: 'acme', site: 'site', config }, path)).status).toBe(200);
    }
    expect(reads).toBe(1);
  });

  it('its patterns of headers are read once', () => {
    const { object, walks } = watched<Headers>({ '/**': [{ key: 'X-A', value: 'all' }], '/b/*': [{ key: 'x-a', value: 'b' }] });
    const seen = ['/a', '/b/c', '/a'].map((path) =>
      siteHeaders(object, { path, isGuarded: false, origin: () => undefined }).set.get('x-a'),
    );
    expect([seen, walks()]).toEqual([['all', 'b', 'all'], 1]);
  });

  it('its folders are read once', () => {
    const { object, walks } = watched({ '/products': '/product', '/products/new/': '/new', '': '/any' });
    const seen = ['/products', '/products/one', '/products/new/', '/products/new/one', '/productsX'].map((path) =>
      folderPage(path, object),
    );
    expect([seen, walks()]).toEqual([['/product', '/product', '/product', '/new', '/any'], 1]);
  });
});
