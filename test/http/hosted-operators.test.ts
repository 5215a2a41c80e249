import { ServiceState } from '@repoless/contract/operator.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { expect, test, afterAll, beforeAll, describe } from 'vitest';
import { startFrontWorld } from './hosted-world.ts';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { callTool } from '../command-line/mcp-journey.ts';
import { connectTo } from './mcp-client.ts';
import { sessionEndpoints } from '@repoless/contract/session.ts';
import { type Folder, openFolder } from '../command-line/command.ts';
import { siteBody } from '../upstream/hosted-world.ts';

const world = startFrontWorld({ OPERATORS: EXAMPLE.admin, METRICS_PORT: '0' });
const org = `/config/${EXAMPLE.org}.json`;
const site = `/config/${EXAMPLE.org}/sites/${EXAMPLE.ownSite}.json`;

async function state(): Promise<ServiceState> {
  const answer = await world.backend.call('GET', '/admin/state', { headers: world.ada });
  expect(answer.status, answer.text).toBe(200);
  return ServiceState.parse(answer.json());
}

async function figures(): Promise<Map<string, number>> {
  const [address = ''] = world.lines.flatMap((line) => /Metrics are at (http:\S+?)"/.exec(line)?.[1] ?? []);
  const printed = (await (await fetch(address)).text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(printed.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

test('operators see how the hosted service answers, and whose requests are queued', async () => {
  const { backend, hosted, ada } = world;
  await state();
  const requests = Array.from({ length: 14 }, () => backend.call('GET', site, { headers: ada }));
  await expect
    .poll(async () => (await state()).hosted?.organizations, { timeout: 10_000, interval: 10 })
    .toEqual([{ org: EXAMPLE.org, running: expect.any(Number), waiting: expect.toSatisfy((count: number) => count > 0) }]);
  const busy = await figures();
  expect(busy.get('repoless_hosted_waiting_requests')).toBeGreaterThan(0);
  expect(busy.get('repoless_hosted_longest_wait_seconds')).toBeGreaterThan(0);
  await Promise.all(requests);
  hosted.fault({ kind: 'cut', method: 'GET', path: org });
  expect((await backend.call('GET', org, { headers: ada })).code).toBe('HOSTED_UNREACHABLE');
  expect((await backend.call('GET', site, { headers: { 'x-auth-token': 'made-up' } })).status).toBe(401);

  const { service, nodes, queues, hosted: seen } = await state();
  expect([nodes.length, queues, service.uptime]).toEqual([1, { rollouts: { waiting: 0 } }, expect.any(Number)]);
  expect(seen).toMatchObject({ address: hosted.address, organizations: [], refused: 1 });
  const count = (status: string) => hosted.requests.filter((one) => String(one.status) === status).length;
  expect(seen?.answers.map(({ status, count: times }) => [status, times])).toEqual([
    ['200', count('200')],
    ['401', 1],
    ['none', 1],
  ]);
  const found = await figures();
  expect(found.get('repoless_hosted_requests_total{status="200"}')).toBe(count('200'));
  expect(found.get('repoless_hosted_requests_total{status="none"}')).toBe(1);
  expect(found.get('repoless_hosted_request_seconds_total')).toBeGreaterThan(0);
  expect(found.get('repoless_hosted_waiting_requests')).toBe(0);
  expect(found.get('repoless_hosted_refused_tokens_total')).toBe(1);
  expect([found.get('repoless_storage_up'), found.get('repoless_overloaded')]).toEqual([1, 0]);
});

test('operators see the same on a page, which requests a token first', async () => {
  const { backend, hosted, ada } = world;
  const unknown = await backend.call('GET', '/admin', { headers: { accept: 'text/html' } });
  expect([unknown.status, unknown.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
  expect(unknown.headers['content-security-policy']).toContain(`connect-src ${backend.address}/admin;`);
  expect(unknown.text).toContain('<label for="token">Token</label>');
  const { status, text } = await backend.call('GET', '/admin', { headers: ada });
  expect(status).toBe(200);
  for (const shown of [
    `Answers of the hosted service at ${hosted.address}`,
    'no answer',
    'Tokens that it did not accept: 1.',
    'Rollouts in progress',
  ])
    expect(text).toContain(shown);
  // Functions and addresses that the service lacks here.
  for (const absent of ['Code syncs', 'Nearest to their quotas', '/logout']) expect(text).not.toContain(absent);
});

test('people who are not operators and API keys see neither', async () => {
  const { backend, hosted } = world;
  const otto = { 'x-auth-token': hosted.token('session', { email: EXAMPLE.otherAdmin }) };
  const key = { 'x-auth-token': hosted.token('apiKey', { sub: `${EXAMPLE.org}/*`, roles: ['admin'] }) };
  for (const headers of [otto, key]) {
    expect((await backend.call('GET', '/admin/state', { headers })).code).toBe('NOT_AUTHORIZED');
    const page = await backend.call('GET', '/admin', { headers });
    expect([page.status, page.text.includes('Answers of the hosted service')]).toEqual([403, false]);
  }
  expect((await backend.call('GET', '/admin/state')).code).toBe('NOT_AUTHENTICATED');
});
describe('an assistant', () => {
  const world = startFrontWorld();
  const organization = EXAMPLE.org;
  const EDITOR_FILES = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'];
  let ada: Client;
  let stranger: Client;
  beforeAll(async () => {
    const { hosted, backend } = world;
    hosted.set({ codeFiles: { 'wknd/wknd': Object.fromEntries(EDITOR_FILES.map((name) => [`/${name}`, '{}'])) } });
    const as = (email: string) => connectTo(backend.address, { authorization: `Bearer ${hosted.token('session', { email })}` });
    [ada, stranger] = [await as(EXAMPLE.admin), await as(EXAMPLE.stranger)];
  });
  afterAll(() => Promise.all([ada.close(), stranger.close()]));

  const file = JSON.stringify({
    version: 1,
    organization,
    author: 'https://author-p100-e200.example.com',
    code: { owner: 'wknd', repo: 'wknd' },
    access: { role: { admin: [EXAMPLE.admin] } },
    sites: [{ name: 'by-assistant', contentRoot: '/content/wknd/ch/de' }],
  });

  test('sets up a site by a plan with the caller’s own token, which is not stored', async () => {
    const { backend, hosted, lines } = world;
    const planned = await callTool(ada, 'plan_sites', { file });
    expect(planned, planned.text).toMatchObject({ exitCode: 3, result: { summary: { create: 1 } } });
    expect(hosted.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    const gone = { isError: true, text: expect.stringMatching(/^The plan \S+ doesn’t exist/) };
    expect(await callTool(stranger, 'apply_plan', { planId: planned.planId })).toMatchObject(gone);
    const applied = await callTool(ada, 'apply_plan', { planId: planned.planId });
    expect(applied, applied.text).toMatchObject({ exitCode: 0, result: { summary: { created: 1 } } });
    expect(await callTool(ada, 'apply_plan', { planId: planned.planId })).toMatchObject(gone);
    expect((await callTool(ada, 'site_status', { file })).text).toContain('1 in sync');

    const put = hosted.requests.filter(({ method, path }) => method === 'PUT' && path.includes('by-assistant'));
    expect(put).toHaveLength(1);
    const changes = await backend.store.hosted.list('change', organization);
    expect(changes).toEqual([expect.objectContaining({ subject: 'sites/by-assistant', user: EXAMPLE.admin })]);
    const token = hosted.token('session', { email: EXAMPLE.admin });
    const [, claims = ''] = token.split('.');
    const storedText = JSON.stringify([changes, await backend.store.shortLived.list('plan', ''), lines]);
    expect([claims.length > 40, storedText.includes(claims.slice(0, 40))]).toEqual([true, false]);
    expect(lines.some((line) => line.includes('mcp apply_plan') && line.includes(EXAMPLE.admin))).toBe(true);
  });

  test('reads the hosts of the hosted service anonymously, including guarded ones', async () => {
    const { hosted } = world;
    const open = await callTool(ada, 'check_sites', { file });
    expect(open.text).toContain('by-assistant');
    // Both were read, and serve the stored configuration.
    expect(open.text).not.toMatch(/config-(?:preview|live):/);
    hosted.change('POST', `/config/${organization}/sites/by-assistant/access/site.json`, { allow: ['*@example.com'] });
    expect((await callTool(ada, 'check_sites', { file })).text).toMatch(/page-live: \S+ is protected \(status 401\)/);
  });

  test('reports changes, restores a version, and changes many sites', async () => {
    const site = 'by-assistant';
    const history = await callTool(ada, 'history', { organization, site });
    expect(history.text).toMatch(/^Version 2, .*\nVersion 1, \S+, by ada\.admin@example\.com/);
    const restored = await callTool(ada, 'plan_restore', { organization, site, version: 1 });
    expect((await callTool(ada, 'apply_plan', { planId: restored.planId })).text).toBe('by-assistant is as it was in version 1.');
    expect((await callTool(ada, 'fleet_health', { organization })).text).toMatch(/^2 sites: /);
    const rollout = { title: 'Robots', edits: [{ op: 'set', path: '/robots/txt', value: 'of {site}' }], sites: [site] };
    const planned = await callTool(ada, 'plan_rollout', { organization, rollout });
    expect(planned.text).toContain('1 would change');
    expect((await callTool(ada, 'apply_plan', { planId: planned.planId })).text).toMatch(/Rollout \S+ is done\./);
    expect((await callTool(ada, 'rollouts', { organization })).text).toContain(`done, 1 site, started by ${EXAMPLE.admin}`);
    const sync = await callTool(ada, 'plan_sync', { organization, sites: [site] });
    expect(sync.text).toContain('Sync wknd/wknd for by-assistant.');
  });

  test('refuses what the hosted service refuses the caller', async () => {
    const planned = await callTool(stranger, 'plan_sites', { file });
    expect(planned).toMatchObject({ planId: '', text: expect.stringMatching(/role|access/i) });
    expect(await callTool(stranger, 'history', { organization, site: 'by-assistant' })).toMatchObject({ isError: true });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await world.backend.call('POST', '/mcp', { body })).code).toBe('NOT_AUTHENTICATED');
  });
});
describe('the service in front of the hosted one', () => {
  const world = startFrontWorld();
  let folder: Folder;
  beforeAll(async () => void (folder = await openFolder()));
  afterAll(() => folder.remove());

  const site = `/config/${EXAMPLE.org}/sites/${EXAMPLE.ownSite}`;

  test('reports at each address of a sign-in where people sign in', async () => {
    const { backend, hosted, ada } = world;
    // Those that take a form check the form first.
    const { profile: _profile, exchangeToken: _exchange, approveDevice: _device, deviceToken: _token, ...others } = sessionEndpoints;
    for (const { method, path } of Object.values(others)) {
      const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => (name === 'email' ? EXAMPLE.admin : 'main'));
      const refused = await backend.call(method, address, { headers: ada });
      expect(refused, address).toMatchObject({ status: 501, code: 'NOT_OFFERED' });
      expect(refused.text).toContain(`Sign-ins begin and end at the hosted service itself, ${hosted.address}.`);
    }
    const unknown = await backend.call('GET', `${site}.json`);
    expect([unknown.status, unknown.text]).toEqual([
      401,
      expect.stringContaining(`Send a token of the hosted service (${hosted.address})`),
    ]);
    expect((await backend.call('GET', '/profile')).json()).toMatchObject({ links: { login: `${hosted.address}/login` } });
    expect((await backend.call('GET', '/')).text).toContain(`<a href="${hosted.address}/login">Sign in</a>`);
  });

  test('signs the command line in and out, and sends its token to no site host', async () => {
    const { backend, hosted } = world;
    hosted.change('PUT', `/config/${EXAMPLE.org}/sites/guarded.json`, {
      ...siteBody('guarded'),
      access: { admin: { role: { admin: [EXAMPLE.admin] }, requireAuth: 'auto' }, site: { allow: ['*@example.com'] } },
    });
    const env = { REPOLESS_SERVICE: backend.address };
    const token = hosted.token('session', { email: EXAMPLE.admin });
    const signedIn = await folder.repoless(['login', '--organization', EXAMPLE.org, '--site', EXAMPLE.ownSite], {
      env,
      wait: () => new Promise(() => undefined),
      onStderr: (text) => void pressSend(text, token),
    });
    expect([signedIn.code, signedIn.out], signedIn.err).toEqual([0, expect.stringContaining(`${EXAMPLE.admin}`)]);
    const doctor = await folder.repoless(['doctor', '--organization', EXAMPLE.org, '--site', 'guarded'], { env });
    expect(doctor.out).toContain(`You: ${EXAMPLE.admin}, signed in by a session`);
    await folder.repoless(['export', '--organization', EXAMPLE.org, '-o', 'sites.yaml'], { env });
    const checked = await folder.repoless(['check', '-f', 'sites.yaml', '--site', 'guarded', '--no-record'], { env });
    expect(checked.out, checked.err).toContain('guarded');
    expect(hosted.violations).toEqual([]);
    expect((await folder.repoless(['logout'], { env })).out).toContain('It stays valid until it expires.');
    expect(await folder.repoless(['doctor'], { env })).toMatchObject({ code: 3 });

    async function pressSend(text: string, authToken: string): Promise<void> {
      const page = new URL(/Open (\S+) in/.exec(text)?.[1] ?? backend.address);
      if (page.origin !== hosted.address) return;
      const body = JSON.stringify({ state: page.searchParams.get('state'), siteToken: 'hlxtst_x', authToken });
      const to = page.searchParams.get('redirect_uri') ?? '';
      await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }
  });

  test('shows the value of a new key or secret once, and its etag', async () => {
    const { backend, ada } = world;
    for (const [part, body] of [
      ['secrets', {}],
      ['apiKeys', { roles: ['publish'] }],
    ] as const) {
      const created = await backend.call('POST', `${site}/${part}.json`, { headers: ada, body });
      expect(created.status, created.text).toBe(201);
      const { id, value } = created.json() as { id: string; value: string };
      expect(value).not.toBe('');
      const address = `${site}/${part}/${id}.json`;
      expect((await backend.call('GET', address, { headers: ada })).text).not.toContain(value);
      const removed = await backend.call('DELETE', address, { headers: { ...ada, 'if-match': String(created.headers['etag']) } });
      expect(removed.status, removed.text).toBe(204);
    }
  });

  test('reports what the hosted service does not accept as broken rules', async () => {
    const { backend, ada } = world;
    const wrong = await backend.call('POST', `/config/${EXAMPLE.org}/access/admin.json`, { headers: ada, body: {} });
    expect(wrong.json()).toMatchObject({
      code: 'BODY_INVALID',
      errors: [{ rule: 'hosted', data: { says: 'must NOT have additional properties' } }],
    });
    const bare = await backend.call('POST', `/config/${EXAMPLE.org}/sites/bare.json`, { headers: ada, body: {} });
    expect(bare.json()).toMatchObject({ errors: [{ rule: 'contentMissing' }, { rule: 'codeMissing' }] });
  });

  describe('limits made-up tokens', () => {
    const front = startFrontWorld({ TRUST_PROXY: '127.0.0.1' });

    /** Sends made-up tokens concurrently, each from its address. Returns how often each status was answered, and the number of lookups. */
    async function tryTokens(addresses: readonly string[]) {
      const requests = front.hosted.requests.length;
      const answers = await Promise.all(
        addresses.map((address, index) =>
          front.backend.call('GET', '/orgs.json', {
            headers: { 'x-auth-token': `made-up ${address} ${index}`, 'x-forwarded-for': address },
          }),
        ),
      );
      const count = (status: number) => answers.filter((answer) => answer.status === status).length;
      return { refused: count(401), tooMany: count(429), requests: front.hosted.requests.length - requests };
    }

    test('that a network tries concurrently', async () => {
      const { refused, tooMany, requests } = await tryTokens(Array.from({ length: 100 }, () => '203.0.113.7'));
      // Two are looked up at a time.
      expect(requests).toBeLessThanOrEqual(41);
      expect([refused, tooMany]).toEqual([40, 60]);
      const token = front.hosted.token('session', { email: EXAMPLE.admin });
      const from = (address: string) =>
        front.backend.call('GET', '/orgs.json', { headers: { 'x-auth-token': token, 'x-forwarded-for': address } });
      expect((await from('203.0.113.7')).status).toBe(429);
      expect((await from('203.0.113.8')).status).toBe(200);
    });

    test('that come from all addresses of a customer of a provider', async () => {
      const addresses = Array.from({ length: 100 }, (_, index) => `2001:db8:7:${index.toString(16)}::1`);
      const { refused, tooMany, requests } = await tryTokens(addresses);
      expect(requests).toBeLessThanOrEqual(81);
      expect([refused, tooMany]).toEqual([80, 20]);
    });
  });
});
