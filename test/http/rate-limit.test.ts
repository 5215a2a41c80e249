import { stopAfterTest } from '../support/start-before-all.ts';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { readSettings } from '@repoless/service/config.ts';
import { clientAddress, networkOf } from '@repoless/service/http/caller.ts';
import { ask } from '../support/ask.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';

it('refuses a caller with too many requests to any organization, and no other caller', async () => {
  const backend = await stopAfterTest(
    startTestBackend({
      dryRun: false,
      orgs: ['wknd', 'acme'],
      settings: { RATE_LIMIT: '0.01', RATE_LIMIT_BURST: '6' },
    }),
  );
  const list = (org: string, as: string) => backend.call('GET', `/config/${org}/sites.json`, { as });
  const answers = [];
  // The two claims count too.
  for (let count = 0; count < 6; count += 1) answers.push(await list('wknd', OPERATOR));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429]);
  const refused = answers.at(-1);
  expect(refused?.headers).toMatchObject({ 'x-error-code': 'RATE_LIMITED', 'x-ratelimit-limit': '6', 'x-ratelimit-rate': '0.01' });
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await list('acme', OPERATOR)).status).toBe(429);
  expect((await list('made-up', OPERATOR)).status).toBe(429);
  expect((await list('wknd', 'sam.stranger@example.com')).status).toBe(404);
});

it('allows all API keys of an organization together four times the limit of a caller, apart from its people', async () => {
  const backend = await stopAfterTest(
    startTestBackend({
      dryRun: false,
      orgs: ['wknd', 'acme'],
      settings: { RATE_LIMIT: '0.01', RATE_LIMIT_BURST: '20' },
    }),
  );
  const keyOf = async (org: string) => {
    const created = await backend.call('POST', `/config/${org}/apiKeys.json`, { as: OPERATOR, body: { roles: ['admin'] } });
    return { authorization: `Bearer ${String(Object(created.json()).value)}` };
  };
  const list = (org: string, headers: Record<string, string>) => backend.call('GET', `/config/${org}/sites.json`, { headers });
  const [first = {}, ...others] = await Promise.all(Array.from({ length: 6 }, () => keyOf('wknd')));
  const elsewhere = await keyOf('acme');
  const answered = async (headers: Record<string, string>, count: number) => {
    let found = 0;
    for (let sent = 0; sent < count; sent += 1) found += (await list('wknd', headers)).status === 200 ? 1 : 0;
    return found;
  };
  expect(await answered(first, 25)).toBe(20);
  for (const headers of others.slice(0, 3)) expect(await answered(headers, 20)).toBe(20);
  for (const headers of others.slice(3)) {
    const refused = await list('wknd', headers);
    expect([refused.status, refused.code, refused.headers['x-ratelimit-limit']]).toEqual([429, 'RATE_LIMITED', '80']);
    expect(Object(refused.json()).detail).toContain('to the API keys of an organization together.');
  }
  expect((await list('acme', elsewhere)).status).toBe(200);
  expect((await backend.call('GET', '/config/wknd/sites.json', { as: OPERATOR })).status).toBe(200);
});

const FEW = { RATE_LIMIT: '0.01', RATE_LIMIT_BURST: '4' };

it('counts all calls without a token by address, except /health', async () => {
  const backend = await stopAfterTest(startTestBackend({ claim: false, settings: { ...FEW, TRUST_PROXY: '127.0.0.0/8,::1' } }));
  const from = async (address: string, path: string) =>
    (await ask(backend.address, path, { headers: { 'x-forwarded-for': address } })).status;
  const mixed = ['/service.json', '/auth/discovery/keys', '/config/wknd/sites.json', '/profile', '/service.json', '/openapi.json'];
  const statuses = [];
  for (const path of mixed) statuses.push(await from('198.51.100.7', path));
  expect(statuses).toEqual([200, 200, 401, 401, 429, 429]);
  expect(await from('198.51.100.7', '/health')).toBe(200);
  expect(await from('198.51.100.8', '/service.json')).toBe(200);
  // A forged start of the header is not trusted.
  expect(await from('192.0.2.1, 198.51.100.7', '/service.json')).toBe(429);
  expect(await from('2001:db8::1', '/service.json')).toBe(200);
  for (let host = 2; host < 5; host += 1) await from(`2001:db8::${host}`, '/service.json');
  expect(await from('2001:db8:0:0:ffff::1', '/service.json')).toBe(429);
  expect(await from('2001:db8:0:1::1', '/service.json')).toBe(200);
});

it('accepts client addresses only from listed proxies', async () => {
  const backend = await stopAfterTest(startTestBackend({ claim: false, settings: FEW }));
  const statuses = [];
  for (let host = 1; host < 6; host += 1)
    statuses.push((await ask(backend.address, '/service.json', { headers: { 'x-forwarded-for': `198.51.100.${host}` } })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
});

it.each([
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['127.0.0.1', '192.0.2.9, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
  ['127.0.0.1', '192.0.2.9, made-up, 10.1.2.3', '10.1.2.3'],
  ['127.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
  ['127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['127.0.0.1', ' , ,', '127.0.0.1'],
  ['203.0.113.1', '198.51.100.7', '203.0.113.1'],
])('a connection from %s with x-forwarded-for %j comes from %s', (remoteAddress, header, expected) => {
  const request = new IncomingMessage(new Socket());
  Object.defineProperty(request.socket, 'remoteAddress', { value: remoteAddress });
  if (header !== undefined) request.headers['x-forwarded-for'] = header;
  expect(clientAddress(['127.0.0.1', '10.0.0.0/8'])(request)).toBe(expected);
});

it('counts the addresses of an IPv6 network as one', () => {
  expect(['2001:db8::1', '2001:DB8:0:0:1:2:3:4', '2001:db8:0:1::'].map(networkOf)).toEqual([
    '2001:db8:0:0::/64',
    '2001:db8:0:0::/64',
    '2001:db8:0:1::/64',
  ]);
  expect(networkOf('198.51.100.7')).toBe('198.51.100.7');
});

it.each(['10.0.0.0/33', 'proxy.example.com', '10.0.0', '::1/129', '10.0.0.1/8/8'])('%s is not accepted as a proxy', (text) => {
  expect(() => readSettings({ TRUST_PROXY: text })).toThrow(/TRUST_PROXY: Write addresses like/);
});
