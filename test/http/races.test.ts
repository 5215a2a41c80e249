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
import { OPERATOR as as, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { eachStore, meanwhile } from '../support/each-store.ts';

const SITE = '/config/wknd/sites/raced';
interface Way {
  readonly method: string;
  readonly body?: object;
}
type Make = (backend: TestBackend) => Promise<string>;

/** How it is created, a change, and the calls that follow with the same `if-match`. */
const THINGS: readonly (readonly [string, Make, Way, readonly Way[]])[] = [
  [
    'a secret',
    secretMade,
    { method: 'POST', body: { value: 'first' } },
    [{ method: 'POST', body: { value: 'second' } }, { method: 'DELETE' }],
  ],
  [
    'a subscription',
    subscriptionMade,
    { method: 'PUT', body: webhook('first') },
    [{ method: 'PUT', body: webhook('second') }, { method: 'DELETE' }],
  ],
  [
    'the secret of a subscription',
    subscriptionMade,
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
  it.each(THINGS)('of two changes of %s at once with one if-match the second is refused', async (_, make, change, others) => {
    const { open } = await engine.place();
    const between = meanwhile();
    const backend = await startTestBackend({ dryRun: false, open: async () => between.within(await open()) });
    await backend.call('PUT', `${SITE}.json`, { as, body: siteBody('wknd', 'raced') });
    await backend.call('PUT', `${SITE}.json`, { as, body: { title: 'Second' } });
    for (const [turn, other] of others.entries()) {
      const path = await make(backend);
      const headers = { 'if-match': (await backend.call('GET', path, { as })).headers['etag'] ?? '' };
      const faster = renamed(change, turn);
      between.next(async () => expect((await backend.call(faster.method, path, { as, headers, body: faster.body })).status).toBe(200));
      const late = await backend.call(other.method, path, { as, headers, body: other.body });
      expect([late.status, late.headers['x-error-code']]).toEqual([412, 'PRECONDITION_FAILED']);
      const kept = await backend.call('GET', path, { as });
      expect(kept.status).toBe(200);
      expect(kept.headers['etag']).not.toBe(headers['if-match']);
    }
    await backend.stop();
  });

  it('of two first values of a secret at once with if-none-match the second is refused', async () => {
    const { open } = await engine.place();
    const between = meanwhile();
    const backend = await startTestBackend({ dryRun: false, open: async () => between.within(await open()) });
    await backend.call('PUT', `${SITE}.json`, { as, body: siteBody('wknd', 'raced') });
    const set = (value: string) =>
      backend.call('POST', `${SITE}/secrets/one.json`, { as, headers: { 'if-none-match': '*' }, body: { value } });
    between.next(async () => expect((await set('first')).status).toBe(200));
    expect((await set('second')).status).toBe(412);
    await backend.stop();
  });
});

/** Uses a new name each time; the current one would be no change. */
function renamed({ method, body }: Way, turn: number): Way {
  return body !== undefined && 'name' in body
    ? { method, body: { name: `first ${turn}` } }
    : { method, ...(body !== undefined && { body }) };
}

async function secretMade(backend: TestBackend): Promise<string> {
  const path = `${SITE}/secrets/one.json`;
  expect((await backend.call('POST', path, { as, body: { value: 'present' } })).status).toBe(200);
  return path;
}

async function subscriptionMade(backend: TestBackend): Promise<string> {
  const made = await backend.call('POST', '/config/wknd/subscriptions.json', { as, body: webhook('present') });
  return `/config/wknd/subscriptions/${CreatedSubscription.parse(made.json()).id}.json`;
}

function webhook(name: string, secret?: string): object {
  const given = secret !== undefined && { secret: `whsec_${Buffer.from(secret).toString('base64')}` };
  return { channel: { type: 'webhook', url: `https://hooks.example.com/${name}`, ...given } };
}

const MOST = 5;
const MORE = 20;

eachStore((engine) => {
  it('an organization has no more sites, secrets and API keys than it may, however many are made at once', async () => {
    const { open } = await engine.place();
    const settings = {
      SECRET_KEY_FILE: join(mkdtempSync(join(tmpdir(), 'keys-')), 'secret.json'),
      ORG_SITES: `${MOST}`,
      ORG_SECRETS: `${MOST}`,
      ORG_API_KEYS: `${MOST}`,
    };
    const orgs = ['wknd', 'other'];
    const nodes = [await startTestBackend({ settings, orgs, dryRun: false, open })];
    if (engine.name === 'PostgreSQL') nodes.push(await startTestBackend({ settings, orgs, dryRun: false, claim: false, open }));
    const call = async (turn: number, method: string, path: string, body?: object) => {
      const node = nodes[turn % nodes.length];
      if (node === undefined) throw new Error('There is no node.');
      return await node.call(method, `/config/${path}`, { as, ...(body !== undefined && { body }) });
    };
    /** Sends more than the limit concurrently. Returns how many were created, and how many the limit refused. */
    const at = async (make: (n: number) => ReturnType<typeof call>) => {
      const answers = await Promise.all(Array.from({ length: MOST + MORE }, (_, n) => make(n)));
      const refused = answers.filter(({ status, headers }) => status === 403 && headers['x-error-code'] === 'QUOTA_REACHED');
      return { made: answers.filter(({ status }) => status === 201).length, refused: refused.length };
    };
    const putSite = (org: string, n: number, more = {}) => call(n, 'PUT', `${org}/sites/s${n}.json`, siteBody(org, `s${n}`, more));
    const full = { made: MOST, refused: MORE };
    expect(await Promise.all([at((n) => putSite('wknd', n)), at((n) => putSite('other', n))])).toEqual([full, full]);
    const sites = SiteList.parse((await call(0, 'GET', 'wknd/sites.json')).json()).sites.map(({ name }) => name);
    const [first, second = ''] = sites;
    expect(await at((n) => call(n, 'POST', n % 2 === 0 ? 'wknd/apiKeys.json' : `wknd/sites/${first}/apiKeys.json`, {}))).toEqual(full);
    expect(await at((n) => call(n, 'POST', `wknd/sites/${sites[n % MOST]}/secrets.json`))).toEqual(full);
    const report = UsageReport.parse((await call(0, 'GET', 'wknd/usage.json')).json());
    expect([report.sites.used, report.apiKeys.used, report.secrets.used]).toEqual([MOST, MOST, MOST]);

    // Existing ones may be changed, and removing one makes room for another.
    expect((await putSite('wknd', Number(second.slice(1)), { title: 'Changed' })).status).toBe(200);
    expect((await call(1, 'DELETE', `wknd/sites/${first}.json`)).status).toBe(204);
    expect(await at((n) => putSite('wknd', 100 + n))).toEqual({ made: 1, refused: MOST + MORE - 1 });
    for (const node of nodes) await node.stop();
  });
});

eachStore((engine) => {
  it('there are no more subscriptions than may be, however many are made at once, and those that are there may be replaced', async () => {
    const { open } = await engine.place();
    const settings = { SECRET_KEY_FILE: join(mkdtempSync(join(tmpdir(), 'keys-')), 'secret.json') };
    const nodes = [await startTestBackend({ settings, dryRun: false, open })];
    if (engine.name === 'PostgreSQL') nodes.push(await startTestBackend({ settings, dryRun: false, claim: false, open }));
    const call = async (turn: number, method: string, path: string, body?: object) => {
      const node = nodes[turn % nodes.length];
      if (node === undefined) throw new Error('There is no node.');
      return await node.call(method, `/config/wknd/${path}`, { as, ...(body !== undefined && { body }) });
    };
    const webhook = (n: number) => ({ channel: { type: 'webhook', url: `https://hooks.example.com/${n}` } });
    const most = LIMITS.subscriptions;
    const answers = await Promise.all(Array.from({ length: most + 20 }, (_, n) => call(n, 'POST', 'subscriptions.json', webhook(n))));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status, headers }) => status === 409 && headers['x-error-code'] === 'SUBSCRIPTION_REFUSED');
    expect([made.length, refused.length]).toEqual([most, 20]);
    const list = async () => SubscriptionList.parse((await call(0, 'GET', 'subscriptions.json')).json()).subscriptions;
    expect(await list()).toHaveLength(most);
    const [first] = made.map((answer) => CreatedSubscription.parse(answer.json()).id);
    expect((await call(0, 'PUT', `subscriptions/${first}.json`, webhook(99))).status).toBe(200);
    expect((await call(1, 'DELETE', `subscriptions/${first}.json`)).status).toBe(204);
    expect((await call(0, 'POST', 'subscriptions.json', webhook(100))).status).toBe(201);
    expect(await list()).toHaveLength(most);
    for (const node of nodes) await node.stop();
  });

  it('one that is removed, or gets another secret, while it is replaced is decided on again', async () => {
    const { open } = await engine.place();
    const between = meanwhile();
    const backend = await startTestBackend({ dryRun: false, open: async () => between.within(await open()) });
    const path = (id: string) => `/config/wknd/subscriptions/${id}.json`;
    const webhook = (name: string, secret?: string) => ({ channel: { type: 'webhook', url: `https://hooks.example.com/${name}`, secret } });
    const make = async () => {
      const made = await backend.call('POST', '/config/wknd/subscriptions.json', { as, body: webhook('first') });
      return CreatedSubscription.parse(made.json()).id;
    };
    const id = await make();
    between.next(async () => expect((await backend.call('DELETE', path(id), { as })).status).toBe(204));
    const late = await backend.call('PUT', path(id), { as, body: webhook('late') });
    expect([late.status, late.headers['x-error-code']]).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
    expect((await backend.call('GET', path(id), { as })).status).toBe(404);

    const other = await make();
    const sealed = async () =>
      (await backend.store.reads.subscriptions('wknd')).map(({ channel }) => ('sealed' in channel ? channel.sealed : ''));
    const first = await sealed();
    let second = first;
    between.next(async () => {
      const secret = `whsec_${Buffer.from('another secret of the same receiver').toString('base64')}`;
      expect((await backend.call('PUT', path(other), { as, body: webhook('second', secret) })).status).toBe(200);
      second = await sealed();
    });
    expect((await backend.call('PUT', path(other), { as, body: webhook('third') })).status).toBe(200);
    expect(await sealed()).toEqual(second);
    expect(second).not.toEqual(first);
    await backend.stop();
  });
});

const at = (site: string) => `/config/wknd/sites/${site}.json`;

eachStore((engine) => {
  it('a site that is registered while the holder of its secret goes is decided on again, and so is the removal', async () => {
    const { open } = await engine.place();
    const between = meanwhile();
    const backend = await startTestBackend({ dryRun: false, open: async () => between.within(await open()) });

    // The holder is removed between the decision on another site and its commit.
    expect((await put(backend, 'removed', '100', true)).status).toBe(201);
    between.next(async () => expect((await remove(backend, 'removed')).status).toBe(204));
    const alone = await put(backend, 'alone', '100');
    expect([alone.status, alone.text]).toEqual([400, expect.stringContaining('This is the first site of the repository 100/100')]);
    expect((await backend.call('GET', at('alone'), { as })).status).toBe(404);

    // Then it gets another code source.
    expect((await put(backend, 'moved', '200', true)).status).toBe(201);
    between.next(async () => {
      const moved = await backend.call('PUT', at('moved'), { as, body: siteBody('wknd', 'moved') });
      expect(moved.status, moved.text).toBe(200);
    });
    const left = await put(backend, 'left', '200');
    expect([left.status, left.text]).toEqual([400, expect.stringContaining('This is the first site of the repository 100/200')]);

    // Another site starts to use the secret between the decision to remove its holder and the commit.
    expect((await put(backend, 'held', '300', true)).status).toBe(201);
    between.next(async () => expect((await put(backend, 'user', '300')).status).toBe(201));
    const refused = await remove(backend, 'held');
    expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'SECRET_IN_USE']);
    expect((await backend.call('GET', at('held'), { as })).status).toBe(200);

    // Another site starts to hold the secret while the secret is stored with a site that did not name it.
    expect((await put(backend, 'before', '400', true)).status).toBe(201);
    expect((await put(backend, 'other', '400')).status).toBe(201);
    expect((await backend.call('PUT', at('before'), { as, body: siteBody('wknd', 'before') })).status).toBe(200);
    between.next(async () => expect((await put(backend, 'holder', '400', true)).status).toBe(201));
    const stored = await backend.call('POST', '/config/wknd/sites/other/secrets/cm-byog.json', { as, body: { value: 'a-secret-value' } });
    expect([stored.status, stored.headers['x-error-code']]).toEqual([400, 'SECRET_NOT_ALLOWED']);
    await backend.stop();
  });

  it('of a removal and a registration at once on several nodes one is refused', async () => {
    const { open } = await engine.place();
    const nodes = [await startTestBackend({ dryRun: false, open })];
    if (engine.name === 'PostgreSQL') nodes.push(await startTestBackend({ dryRun: false, claim: false, open }));
    const [first, second = first] = nodes;
    if (first === undefined || second === undefined) throw new Error('There is no node.');
    const repositories = Array.from({ length: 24 }, (_, n) => `${500 + n}`);
    for (const repo of repositories) expect((await put(first, `h${repo}`, repo, true)).status).toBe(201);
    const ends = await Promise.all(
      repositories.map(async (repo) => {
        const [removed, made] = await Promise.all([remove(first, `h${repo}`), put(second, `u${repo}`, repo)]);
        return `${removed.status} ${made.status}`;
      }),
    );
    expect(ends.filter((end) => end !== '204 400' && end !== '409 201')).toEqual([]);
    for (const node of nodes) await node.stop();
  });
});

async function put(backend: TestBackend, site: string, repo: string, holds = false): Promise<TestAnswer> {
  const address = `https://build.example.com/100/${repo}`;
  const source = { type: 'byogit', url: address, raw_url: address, owner: '100', repo, ...(holds && { secretId: 'cm-byog' }) };
  return await backend.call('PUT', at(site), { as, body: siteBody('wknd', site, { code: { owner: '100', repo, source } }) });
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

describe('However many requests come for a site', () => {
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
      const share = { hold: () => undefined, drop: () => undefined };
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

  it('its folders are looked through once', () => {
    const { object, walks } = watched({ '/products': '/product', '/products/new/': '/new', '': '/any' });
    const seen = ['/products', '/products/one', '/products/new/', '/products/new/one', '/productsX'].map((path) =>
      folderPage(path, object),
    );
    expect([seen, walks()]).toEqual([['/product', '/product', '/product', '/new', '/any'], 1]);
  });
});
