import { sessionEndpoints } from '@repoless/contract/session.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, openFolder } from '../command-line/command.ts';
import { siteBody } from '../upstream/hosted-world.ts';
import { startFrontWorld } from './hosted-world.ts';

const world = startFrontWorld();
let folder: Folder;
beforeAll(async () => void (folder = await openFolder()));
afterAll(() => folder.remove());

const site = `/config/${EXAMPLE.org}/sites/${EXAMPLE.ownSite}`;

test('says at each address of a sign-in where people sign in', async () => {
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
  expect([unknown.status, unknown.text]).toEqual([401, expect.stringContaining(`Send a token of the hosted service (${hosted.address})`)]);
  expect((await backend.call('GET', '/profile')).json()).toMatchObject({ links: { login: `${hosted.address}/login` } });
  expect((await backend.call('GET', '/')).text).toContain(`<a href="${hosted.address}/login">Sign in</a>`);
});

test('signs the command line in, sends its token to no host, and forgets it', async () => {
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
    heard: (text) => void pressSend(text, token),
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

test('shows the value of a new key or secret once, with its etag', async () => {
  const { backend, ada } = world;
  for (const [part, body] of [
    ['secrets', {}],
    ['apiKeys', { roles: ['publish'] }],
  ] as const) {
    const made = await backend.call('POST', `${site}/${part}.json`, { headers: ada, body });
    expect(made.status, made.text).toBe(201);
    const { id, value } = made.json() as { id: string; value: string };
    expect(value).not.toBe('');
    const address = `${site}/${part}/${id}.json`;
    expect((await backend.call('GET', address, { headers: ada })).text).not.toContain(value);
    const removed = await backend.call('DELETE', address, { headers: { ...ada, 'if-match': String(made.headers['etag']) } });
    expect(removed.status, removed.text).toBe(204);
  }
});

test('says in the words of a rule what the hosted service does not accept', async () => {
  const { backend, ada } = world;
  const wrong = await backend.call('POST', `/config/${EXAMPLE.org}/access/admin.json`, { headers: ada, body: {} });
  expect(wrong.json()).toMatchObject({
    code: 'BODY_INVALID',
    errors: [{ rule: 'hosted', data: { says: 'must NOT have additional properties' } }],
  });
  const bare = await backend.call('POST', `/config/${EXAMPLE.org}/sites/bare.json`, { headers: ada, body: {} });
  expect(bare.json()).toMatchObject({ errors: [{ rule: 'contentMissing' }, { rule: 'codeMissing' }] });
});

describe('made-up tokens', () => {
  const front = startFrontWorld({ TRUST_PROXY: '127.0.0.1' });

  /** Sends made-up tokens concurrently, each from its address. Returns how often each status was answered, and how many were looked up. */
  async function tryTokens(addresses: readonly string[]) {
    const asked = front.hosted.requests.length;
    const answers = await Promise.all(
      addresses.map((address, index) =>
        front.backend.call('GET', '/orgs.json', {
          headers: { 'x-auth-token': `made-up ${address} ${index}`, 'x-forwarded-for': address },
        }),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    return { refused: count(401), tooMany: count(429), asked: front.hosted.requests.length - asked };
  }

  test('are looked up as rarely if a network tries them at once as one after the other', async () => {
    const { refused, tooMany, asked } = await tryTokens(Array.from({ length: 100 }, () => '203.0.113.7'));
    // Two are looked up at a time.
    expect(asked).toBeLessThanOrEqual(41);
    expect([refused, tooMany]).toEqual([40, 60]);
    const token = front.hosted.token('session', { email: EXAMPLE.admin });
    const from = (address: string) =>
      front.backend.call('GET', '/orgs.json', { headers: { 'x-auth-token': token, 'x-forwarded-for': address } });
    expect((await from('203.0.113.7')).status).toBe(429);
    expect((await from('203.0.113.8')).status).toBe(200);
  });

  test('are counted for all addresses of one customer of a provider', async () => {
    const addresses = Array.from({ length: 100 }, (_, index) => `2001:db8:7:${index.toString(16)}::1`);
    const { refused, tooMany, asked } = await tryTokens(addresses);
    expect(asked).toBeLessThanOrEqual(81);
    expect([refused, tooMany]).toEqual([80, 20]);
  });
});
