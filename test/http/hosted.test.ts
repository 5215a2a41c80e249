import type { AuditVerification } from '@repoless/contract/audit.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import type { Hosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestBackend } from '../support/backend.ts';
import { siteBody } from '../upstream/hosted-world.ts';
import { startFrontWorld } from './hosted-world.ts';

const world = startFrontWorld();
let hosted: Hosted;
let backend: TestBackend;
let ada: Readonly<Record<string, string>>;
const { lines } = world;

beforeAll(() => void ({ hosted, backend, ada } = world));
beforeEach(() => hosted.set({ ims: true }));

test('names the hosted service and the hosts of its sites, and is ready', async () => {
  const service = await backend.call('GET', '/service.json');
  expect(service.json()).toMatchObject({ hosted: hosted.address, previewDomain: hosted.previewDomain, liveDomain: hosted.liveDomain });
  expect((await backend.call('GET', '/ready')).json()).toEqual({ status: 'ready' });
});

test('registers a site with the caller’s own token, and records the caller', async () => {
  const path = `/config/${EXAMPLE.org}/sites/kept.json`;
  expect((await backend.call('PUT', path, { headers: ada, body: siteBody('kept') })).status).toBe(201);
  expect(hosted.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  const { etag = '' } = (await backend.call('GET', path, { headers: ada })).headers;
  expect((await backend.call('GET', path, { headers: { ...ada, 'if-none-match': String(etag) } })).status).toBe(304);
  const stale = await backend.call('POST', path.replace('.json', '/headers.json'), {
    headers: { ...ada, 'if-match': '"another"' },
    body: { '/**': [{ key: 'x-one', value: '1' }] },
  });
  expect(stale.code).toBe('PRECONDITION_FAILED');
  expect(await backend.store.hosted.list('change', EXAMPLE.org)).toEqual([
    expect.objectContaining({ subject: 'sites/kept', user: EXAMPLE.admin, outcome: 'stored' }),
  ]);
});

test('refuses what the hosted service refuses, with the reason', async () => {
  const stranger = { 'x-auth-token': hosted.token('session', { email: EXAMPLE.stranger }) };
  const path = `/config/${EXAMPLE.org}/sites/${EXAMPLE.ownSite}.json`;
  expect((await backend.call('GET', path)).code).toBe('NOT_AUTHENTICATED');
  expect((await backend.call('GET', path, { headers: stranger })).code).toBe('NOT_AUTHORIZED');
  const expired = { 'x-auth-token': hosted.token('expired', { email: EXAMPLE.admin }) };
  expect((await backend.call('GET', path, { headers: expired })).code).toBe('NOT_AUTHENTICATED');
});

test('describes only the calls that it offers', async () => {
  const { paths } = (await backend.call('GET', '/openapi.json')).json() as { paths: Record<string, { get?: object }> };
  const parameters: Readonly<Record<string, string>> = { org: EXAMPLE.org, site: EXAMPLE.ownSite, group: 'editors', user: 'nobody' };
  const left = allEndpoints().filter(([, { method, path }]) => method === 'GET' && paths[path.replaceAll('*}', '}')]?.get === undefined);
  expect(left.length).toBeGreaterThan(10);
  const answers = left.map(async ([, { path }]) => {
    const address = path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => parameters[name] ?? '1');
    return [path, (await backend.call('GET', address, { headers: ada })).code];
  });
  expect(await Promise.all(answers)).toEqual(left.map(([, { path }]) => [path, 'NOT_OFFERED']));
  const aliases = (await backend.call('GET', '/openapi-aliases.json')).json() as { paths: Record<string, object> };
  expect(Object.keys(aliases.paths)).toContain('/{org}/sites');
});

test('does not call the hosted service for callers without a token', async () => {
  const before = hosted.requests.length;
  for (const path of ['/profile', '/orgs.json', `/config/${EXAMPLE.org}.json`, '/authoring/localhost:1/content.1.json'])
    expect((await backend.call('GET', path)).status, path).toBe(401);
  expect((await backend.call('GET', '/profile', { headers: { cookie: `auth_token=${ada['x-auth-token'] ?? ''}` } })).status).toBe(401);
  expect(hosted.requests).toHaveLength(before);
});

test('requests the profile of a token once, and offers the authoring proxy to people known to the hosted service', async () => {
  const token = { 'x-auth-token': hosted.token('session', { email: EXAMPLE.publisher, name: 'Pia' }) };
  const requests = () => hosted.requests.filter(({ path }) => path === '/profile').length;
  const before = requests();
  for (let time = 0; time < 3; time += 1) {
    const proxied = await backend.call('GET', '/authoring/localhost:1/content.1.json', { headers: token });
    expect(proxied.code).toBe('AUTHOR_UNREACHABLE');
    expect((await backend.call('GET', '/profile', { headers: token })).json()).toMatchObject({ profile: { email: EXAMPLE.publisher } });
  }
  expect(requests() - before).toBe(1);
  const unknown = await backend.call('GET', '/authoring/localhost:1/content.1.json', { headers: { 'x-auth-token': 'made-up' } });
  expect(unknown.code).toBe('NOT_AUTHENTICATED');
});

test('changes many sites at the rate that the hosted service accepts, and stores its progress without a token', async () => {
  const names = ['many-1', 'many-2', 'many-3', 'many-4', 'many-5', 'many-6'];
  for (const name of names) hosted.change('PUT', `/config/${EXAMPLE.org}/sites/${name}.json`, siteBody(name));
  hosted.set({ requestsPerSecond: 10, retryAfter: true });
  const body = { title: 'Robots', edits: [{ op: 'set', path: '/robots/txt', value: '{site}' }], sites: names };
  const started = await backend.call('POST', `/config/${EXAMPLE.org}/rollouts.json`, { headers: ada, body });
  expect(started.status, started.text).toBe(201);
  const { id } = started.json() as { id: string };
  const path = `/config/${EXAMPLE.org}/rollouts/${id}.json`;
  const now = async () => (await backend.call('GET', path, { headers: ada })).json();
  await expect.poll(now, { timeout: 20_000 }).toMatchObject({ state: 'done', sites: { changed: names.length } });
  const sites = await backend.call('GET', path.replace('.json', '/sites.json?limit=4'), { headers: ada });
  expect([sites.json(), sites.headers['link']]).toEqual([
    { sites: names.slice(0, 4).map((name) => expect.objectContaining({ name, state: 'changed', from: 1, to: 2 }) as unknown) },
    expect.stringContaining('limit=4&after=many-4>; rel="next"'),
  ]);
  const stored = JSON.stringify(await backend.store.hosted.list('rollout', EXAMPLE.org));
  expect([stored.includes(id), stored.includes(ada['x-auth-token'] ?? '')]).toEqual([true, false]);
  hosted.set({ requestsPerSecond: 0 });
});

test('accepts the authoring token if the hosted service does, and issues no token of its own', async () => {
  const token = hosted.token('ims', { email: EXAMPLE.admin });
  const taken = await backend.call('POST', '/auth/exchange', { body: { token } });
  expect(taken.json()).toEqual({ token, exp: expect.any(Number) });
  const read = await backend.call('GET', `/config/${EXAMPLE.org}/sites.json`, { headers: { 'x-auth-token': token } });
  expect(read.status).toBe(200);
});

test('reports that the hosted service does not accept the authoring token, and what to sign in with instead', async () => {
  const token = hosted.token('foreignIms', { email: EXAMPLE.admin });
  const refused = await backend.call('POST', '/auth/exchange', { body: { token } });
  expect(refused.code).toBe('TOKEN_REFUSED');
  expect(refused.text).toContain('Paste a token of the hosted service, or an API key.');
});

test('accepts an API key, and names it by its identifier', async () => {
  const key = hosted.token('apiKey', { sub: `${EXAMPLE.org}/*`, roles: ['admin'] });
  expect((await backend.call('POST', '/auth/exchange', { body: { token: key } })).status).toBe(200);
  const self = await backend.call('GET', '/profile', { headers: { 'x-auth-token': key } });
  expect(self.json()).toMatchObject({ profile: { email: expect.stringMatching(/^api-key:/) } });
  expect((await backend.call('GET', '/orgs.json', { headers: { 'x-auth-token': key } })).json()).toEqual({
    orgs: [{ name: EXAMPLE.org, roles: ['admin'] }],
  });
});

test('logs the caller, and no token', async () => {
  const path = `/config/${EXAMPLE.org}/sites.json`;
  await backend.call('GET', path, { headers: ada });
  await expect.poll(() => lines.some((line) => line.includes(path) && line.includes(EXAMPLE.admin))).toBe(true);
  expect(lines.join('\n')).not.toContain(ada['x-auth-token']);
});

test('relays reads of site hosts, and of no other host', async () => {
  const host = `main--${EXAMPLE.ownSite}--${EXAMPLE.org}.${hosted.previewDomain}`;
  const read = (path: string) => backend.call('GET', `/authoring/${path}`, { headers: ada });
  const served = await read(`${host}/at/config.json`);
  expect([served.status, served.headers['x-relayed'], served.json()]).toEqual([200, 'true', { public: expect.any(Object) }]);
  expect((await read(`${host}/at/`)).status).toBe(404);
  expect((await read(`${host}/config.json`)).code).toBe('AUTHOR_PATH_NOT_ALLOWED');
  expect((await read(`${host}/at/..%2Fconfig.json`)).code).toBe('AUTHOR_PATH_NOT_ALLOWED');
  expect((await read(`${hosted.previewDomain}/at/config.json`)).code).toBe('AUTHOR_NOT_ALLOWED');
  expect((await backend.call('GET', `/authoring/${host}/at/config.json`)).status).toBe(401);
});

test('stores a person’s findings about a site, which are outdated once the site changes', async () => {
  const path = `/config/${EXAMPLE.org}/sites/checked.json`;
  await backend.call('PUT', path, { headers: ada, body: siteBody('checked') });
  const checks = path.replace('.json', '/checks.json');
  const finding = { check: 'config-preview', verdict: 'wrong', data: { address: 'http://preview' } };
  const found = { version: 1, switched: true, drifts: [], findings: [finding] };
  expect((await backend.call('PUT', checks, { headers: ada, body: found })).json()).toMatchObject({ state: 'faulty', isOutdated: false });
  const blind = { ...found, findings: [{ ...finding, verdict: 'unknown' }] };
  await backend.call('PUT', checks, { headers: ada, body: blind });
  const storedChecks = (await backend.call('GET', checks, { headers: ada })).json();
  expect(storedChecks).toMatchObject({ state: 'faulty', authoring: { by: EXAMPLE.admin }, findings: [finding] });
  const listed = await backend.call('GET', `/config/${EXAMPLE.org}/checks.json`, { headers: ada });
  expect(listed.json()).toMatchObject({ counts: { states: { faulty: 1 } } });
  hosted.change('POST', path.replace('.json', '/headers.json'), { '/**': [{ key: 'x-made', value: 'elsewhere' }] });
  expect((await backend.call('GET', checks, { headers: ada })).json()).toMatchObject({ isOutdated: true });
  const stranger = { 'x-auth-token': hosted.token('session', { email: EXAMPLE.stranger }) };
  expect((await backend.call('PUT', checks, { headers: stranger, body: found })).code).toBe('NOT_AUTHORIZED');
});

test('lists its changes with their authors, newest first', async () => {
  const path = `/config/${EXAMPLE.org}/sites/logged.json`;
  await backend.call('PUT', path, { headers: ada, body: siteBody('logged') });
  await backend.call('POST', path.replace('.json', '/headers.json'), { headers: ada, body: { '/**': [{ key: 'x-one', value: '1' }] } });
  const log = `/config/${EXAMPLE.org}/log.json?since=7d&site=logged`;
  const all = await backend.call('GET', log, { headers: ada });
  const entries = ['set-headers', 'put-site'].map((action) => expect.objectContaining({ user: EXAMPLE.admin, site: 'logged', action }));
  expect(all.json()).toEqual({ entries, links: {} });
  expect(await backend.call('GET', `${log}&limit=0x1`, { headers: ada })).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  const { links } = (await backend.call('GET', `${log}&limit=1`, { headers: ada })).json() as { links: { next: string } };
  expect((await backend.call('GET', links.next, { headers: ada })).json()).toEqual({ entries: entries.slice(1), links: {} });
});

test('detects that its audit trail was altered', async () => {
  const { trail } = backend.store.hosted;
  const path = `/config/${EXAMPLE.org}/sites/verified.json`;
  await backend.call('PUT', path, { headers: ada, body: siteBody('verified') });
  // Two concurrent writes are two entries.
  const write = (part: string, body: object) => backend.call('POST', path.replace('.json', `/${part}.json`), { headers: ada, body });
  await Promise.all([write('folders', { '/a': '/b' }), write('robots', { txt: 'User-agent: *' })]);
  const verify = async (query = '') =>
    (await backend.call('GET', `/config/${EXAMPLE.org}/log/verification.json${query}`, { headers: ada })).json() as AuditVerification;
  const whole = await verify();
  const { to } = whole.verified;
  expect(whole).toEqual({ intact: true, verified: { from: 1, to }, hash: expect.stringMatching(/^[0-9a-f]{64}$/), links: {} });
  const log = await backend.call('GET', `/config/${EXAMPLE.org}/log.json?limit=1`, { headers: ada });
  expect(log.json()).toMatchObject({ entries: [{ hash: whole.hash }] });
  expect(await verify(`?after=${to - 1}`)).toMatchObject({ intact: true, verified: { from: to, to }, hash: whole.hash });

  const [last] = await trail.between(EXAMPLE.org, { after: to - 1, before: to + 1, newestFirst: false, limit: 1 });
  const { entry, ...rest } = last as { entry: { user: string } };
  const id = String(to).padStart(12, '0');
  await backend.store.hosted.put('audit', EXAMPLE.org, id, { ...rest, entry: { ...entry, user: 'eve.elsewhere@example.com' } });
  expect(await verify()).toMatchObject({ intact: false, broken: { entry: to, problem: 'altered' } });
  await backend.store.hosted.put('audit', EXAMPLE.org, id, last as object);
  await backend.store.hosted.remove('audit', EXAMPLE.org, String(to - 1).padStart(12, '0'));
  expect(await verify()).toMatchObject({ intact: false, broken: { entry: to - 1, problem: 'missing' } });
  const stranger = { 'x-auth-token': hosted.token('session', { email: EXAMPLE.stranger }) };
  const refused = await backend.call('GET', `/config/${EXAMPLE.org}/log/verification.json`, { headers: stranger });
  expect(refused.code).toBe('NOT_AUTHORIZED');
});

test('lists the content roots of sites, reading each site once and again after a write', async () => {
  const list = async () => {
    const { json } = await backend.call('GET', `/config/${EXAMPLE.org}/sites.json?details=true`, { headers: ada });
    const { sites } = json() as { sites: { name: string; public?: unknown }[] };
    return sites.find(({ name }) => name === 'listed')?.public;
  };
  const path = `/config/${EXAMPLE.org}/sites/listed.json`;
  expect((await backend.call('PUT', path, { headers: ada, body: siteBody('listed') })).status).toBe(201);
  const readings = () => hosted.requests.filter((one) => one.method === 'GET' && one.path.endsWith('/sites/listed.json')).length;
  const { public: stored } = siteBody('listed') as { public?: unknown };
  const sample = () => backend.call('GET', `/config/${EXAMPLE.org}/sites.json?details=true&limit=20`, { headers: ada });
  const sampledFrom = hosted.requests.length;
  expect((await sample()).status).toBe(200);
  expect(hosted.requests.slice(sampledFrom).filter((one) => /\/sites\/[^/]+\.json$/.test(one.path))).toEqual([]);
  expect(await list()).toEqual(stored);
  const before = readings();
  expect(await list()).toEqual(stored);
  expect(readings()).toBe(before);
  const paths = { mappings: ['/content/listed/:/'], includes: ['/content/listed/'] };
  await backend.call('POST', path.replace('.json', '/public.json'), { headers: ada, body: { paths } });
  expect(await list()).toEqual({ paths });
});

test('gives a version the name of its change', async () => {
  const path = `/config/${EXAMPLE.org}/sites/named.json`;
  await backend.call('PUT', `${path}?versionName=repoless%20setup`, { headers: ada, body: siteBody('named') });
  // Someone else's change does not count as this service's, whatever the name of its version.
  const named = 'versionName=repoless%20setup%2000000000-0000-4000-8000-000000000000';
  hosted.change('POST', path.replace('.json', `/headers.json?${named}`), { '/**': [{ key: 'x-two', value: '2' }] });
  const versions = await backend.call('GET', path.replace('.json', '/versions.json'), { headers: ada });
  const { versions: listed } = versions.json() as { versions: object[] };
  expect(listed[0]).toMatchObject({ version: 1, name: 'repoless setup', user: EXAMPLE.admin });
  expect(listed[0]).not.toHaveProperty('elsewhere');
  expect(listed[1]).toMatchObject({ version: 2, elsewhere: true });
  expect(await backend.store.hosted.list('change', EXAMPLE.org, 1)).toEqual([expect.objectContaining({ subject: 'sites/named' })]);
});

test('reports that the hosted service does not respond', async () => {
  hosted.fault({ kind: 'cut', method: 'GET', path: `/config/${EXAMPLE.org}.json` });
  expect((await backend.call('GET', `/config/${EXAMPLE.org}.json`, { headers: ada })).code).toBe('HOSTED_UNREACHABLE');
});

test('refuses invalid tokens after many attempts from a network', async () => {
  const tryToken = async (index: number) => backend.call('GET', '/orgs.json', { headers: { 'x-auth-token': `guess-${index}` } });
  let last = await tryToken(0);
  for (let index = 1; last.status === 401 && index < 400; index += 1) last = await tryToken(index);
  expect(last.code).toBe('RATE_LIMITED');
  expect((await backend.call('GET', '/orgs.json', { headers: ada })).status).toBe(200);
});
