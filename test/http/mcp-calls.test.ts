import { startReceiver } from '../support/receiver.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditLog } from '@repoless/contract/audit.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { callTool } from '../command-line/mcp-journey.ts';
import type { TestRequest } from '../support/ask.ts';
import { callsAs, EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';
import { connectTo } from './mcp-client.ts';
import { threadTime } from '../support/turns.mjs';
import { lookup } from 'node:dns';
import { composeAssistant } from '@repoless/service/composition/assistant.ts';
import { readSettings } from '@repoless/service/config.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { newSecretKeys, readSecretBox } from '@repoless/service/secrets/secret-box.ts';
import { createRemote } from '@repoless/service/remote/remote.ts';
import { NO_TRACING } from '@repoless/service/tracing/tracing.ts';
import { ada, otto, createWorld } from '../domain/world.ts';
import { sqliteEngine } from '../support/each-store.ts';
import { ownFetch } from '@repoless/service/mcp/own-fetch.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const lines: string[] = [];
const backend = startBeforeAll(() => startTestBackend({ logged: (line) => void lines.push(line) }));
const { call } = callsAs(backend, OPERATOR);
beforeAll(async () => {
  for (const title of ['One', 'Two']) {
    const answer = await call('PUT', '/config/wknd/sites/door.json', siteBody('wknd', 'door', { title }));
    expect(answer.status).toBeLessThan(300);
  }
});

type RequestOptions = Omit<TestRequest, 'method'> & { readonly anonymous?: true };
const send = ({ anonymous, ...options }: RequestOptions = {}) =>
  backend.call('POST', '/mcp', { ...(anonymous === undefined && { as: OPERATOR }), body: LIST, ...options });
const succeeded: unknown = expect.objectContaining({ isError: false });
const ones = (count: number) => Array.from({ length: count }, () => 1);
const json = { 'content-type': 'application/json' };

describe('/mcp', () => {
  it('answers a message without a session', async () => {
    const answer = await send();
    expect([answer.status, answer.headers['content-type'], answer.headers['mcp-session-id']]).toEqual([200, 'application/json', undefined]);
    expect(answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'plan_sites' })]) },
    });
    expect((await send({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } })).status).toBe(202);
    expect((await send({ body: { jsonrpc: '2.0', id: 2, method: 'tools/forget' } })).json()).toMatchObject({ error: { code: -32601 } });
  });

  it.each<[string, RequestOptions, number, string]>([
    ['has no token', { anonymous: true }, 401, 'NOT_AUTHENTICATED'],
    ['has an invalid token', { anonymous: true, headers: { authorization: 'Bearer nonsense' } }, 401, 'NOT_AUTHENTICATED'],
    ['has a malformed authoring token', { headers: { 'x-content-source-authorization': 'nonsense' } }, 401, 'NOT_AUTHENTICATED'],
    ['comes from a page of another origin', { headers: { origin: 'https://evil.example.com' } }, 403, 'NOT_AUTHORIZED'],
    [
      'comes from a page of another origin, without a token',
      { anonymous: true, headers: { origin: 'https://evil.example.com' } },
      403,
      'NOT_AUTHORIZED',
    ],
    ['comes from a page without an origin', { headers: { origin: 'null' } }, 403, 'NOT_AUTHORIZED'],
    ['is plain text', { body: JSON.stringify(LIST), headers: { 'content-type': 'text/plain' } }, 415, 'CONTENT_TYPE_UNSUPPORTED'],
    [
      'is a form',
      { body: 'jsonrpc=2.0&id=1&method=tools/list', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'CONTENT_TYPE_UNSUPPORTED',
    ],
    ['is too large', { body: { ...LIST, params: { more: 'x'.repeat(1_100_000) } } }, 413, 'BODY_TOO_LARGE'],
    [
      'is nested too deeply',
      { body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(99)}${']'.repeat(99)}}`, headers: json },
      400,
      'BODY_INVALID',
    ],
    [
      'has too many values',
      { body: { ...LIST, params: { more: Array.from({ length: LIMITS.bodyValues }, () => 1) } } },
      400,
      'BODY_INVALID',
    ],
    ['is a batch', { body: [LIST, LIST] }, 400, 'BODY_INVALID'],
    ['is not JSON', { body: '{', headers: json }, 400, 'BODY_UNPARSABLE'],
    ['is not a JSON-RPC message', { body: { id: 1 } }, 400, 'BODY_INVALID'],
    ['is neither a request nor an answer', { body: { jsonrpc: '2.0', id: {} } }, 400, 'BODY_INVALID'],
    ['has an unknown protocol version', { headers: { 'mcp-protocol-version': '1066-10-14' } }, 400, 'BODY_INVALID'],
    ['requests a dry run', { headers: { 'x-dry-run': 'true' } }, 400, 'QUERY_INVALID'],
  ])('refuses a message that %s', async (_, options, status, code) => {
    const answer = await send(options);
    expect(answer, answer.text).toMatchObject({ status: status, code: code });
    if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm=/);
  });

  it.each(['GET', 'DELETE', 'PUT'])('refuses the method %s, as it has no streams and no sessions', async (method) => {
    expect(await call(method, '/mcp')).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } });
  });

  it.each([EXTENSION_ORIGIN, 'own'])('accepts a message from a page of %s', async (origin) => {
    expect((await send({ headers: { origin: origin === 'own' ? backend.address : origin } })).status).toBe(200);
  });

  it('accepts no cookie', async () => {
    const cookie = `auth_token=${await backend.token(OPERATOR)}`;
    for (const origin of [EXTENSION_ORIGIN, backend.address])
      expect((await send({ anonymous: true, headers: { cookie, origin } })).status).toBe(401);
    expect((await send({ anonymous: true, headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status).toBe(401);
  });

  it('is missing if MCP is off', async () => {
    const other = await startTestBackend({ settings: { MCP: 'off' } });
    const answer = await other.call('POST', '/mcp', { as: OPERATOR, body: LIST });
    await other.stop();
    expect(answer).toMatchObject({ status: 404, code: 'ROUTE_NOT_FOUND' });
  });
});

describe('a tool', () => {
  it('calls only the service, whatever addresses its file names', async () => {
    const elsewhere = await stopAfterTest(startReceiver((_, response) => void response.end('{}')));
    const { address } = elsewhere;
    const token = `Bearer ${await backend.token(OPERATOR)}`;
    const client = await connectTo(backend.address, { authorization: token, 'x-content-source-authorization': 'Bearer of-the-author' });
    const file = JSON.stringify({
      version: 1,
      organization: 'wknd',
      service: address,
      author: address,
      code: { owner: 'wknd', repo: 'wknd' },
      access: { role: { admin: [OPERATOR] } },
      sites: [{ name: 'lured', contentRoot: '/content/lured' }],
    });
    for (const tool of ['plan_sites', 'check_sites', 'site_status', 'simulate_mappings']) {
      expect((await callTool(client, tool, { file })).text).not.toBe('');
    }
    await client.close();
    expect(elsewhere.requests).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ['is longer than LIMITS.assistantFile', { file: ' '.repeat(LIMITS.assistantFile + 1) }, /more than 100000 characters/],
    ['is YAML', { file: 'version: 1' }, /is not JSON/],
    [
      'has more values than LIMITS.assistantFileValues',
      { file: JSON.stringify(ones(LIMITS.assistantFileValues)) },
      /more than 1000 values/,
    ],
    [
      'has LIMITS.assistantFileValues values, and is not a file of sites',
      { file: JSON.stringify(ones(LIMITS.assistantFileValues - 1)) },
      /This must be an object/,
    ],
    ['is missing', {}, /Pass the text of the file/],
    ['is not text', { file: 7 }, /file/],
  ])('refuses a file that %s', async (_, input, sentence) => {
    const answer = await send({ body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'plan_sites', arguments: input } } });
    expect(answer.json()).toMatchObject({ result: { isError: true, content: [{ text: expect.stringMatching(sentence) }] } });
  });

  it('counts toward the rate limit of its caller', async () => {
    const other = await startTestBackend({ settings: { RATE_LIMIT: '0.001', RATE_LIMIT_BURST: '8' }, dryRun: false });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'history', arguments: { organization: 'wknd' } } };
    const answers = [];
    // The claim was one request; each tool call takes two, and the last call has only one left.
    for (let left = 7; left > 0; left -= 2) answers.push((await other.call('POST', '/mcp', { as: OPERATOR, body })).json());
    const refused = await other.call('POST', '/mcp', { as: OPERATOR, body });
    await other.stop();
    expect(answers.slice(0, -1)).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ result: succeeded })));
    expect(answers.at(-1)).toMatchObject({ result: { isError: true, content: [{ text: expect.stringContaining('Too many requests') }] } });
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });

  it('is logged by its name, without tokens', async () => {
    lines.length = 0;
    const token = await backend.token(OPERATOR);
    const headers = { authorization: `Bearer ${token}`, 'x-content-source-authorization': 'Bearer author-s-secret-token' };
    const client = await connectTo(backend.address, headers);
    const planned = await callTool(client, 'plan_restore', { organization: 'wknd', site: 'door', version: 1 });
    expect((await callTool(client, 'apply_plan', { planId: planned.planId })).isError).toBe(false);
    await client.close();
    const log = await call('GET', '/config/wknd/log.json');
    await expect.poll(() => lines.filter((line) => line.includes('"event":"mcp apply_plan"'))).toHaveLength(1);
    const [outer = ''] = lines.filter((line) => line.includes('"event":"mcp apply_plan"'));
    const [, id = ''] = /"requestId":"([^"]+)"/.exec(outer) ?? [];
    expect(AuditLog.parse(log.json()).entries.map(({ requestId }) => requestId)).toContain(`mcp:${id}`);
    const inner = lines.filter((line) => line.includes('"requestId":"mcp:'));
    expect(inner.length).toBeGreaterThan(3);
    expect(inner.every((line) => line.includes(`"user":"${OPERATOR}"`) || line.includes('"/service.json"'))).toBe(true);
    for (const secret of [token, 'author-s-secret-token', planned.planId]) {
      expect(lines.join('\n')).not.toContain(secret);
      expect(log.text).not.toContain(secret);
    }
  });
});

describe('the answer to', () => {
  const backend = startBeforeAll(() => startTestBackend());

  async function send(method: string, params?: object): Promise<string> {
    const body = { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) };
    return (await callsAs(backend, OPERATOR).done('POST', '/mcp', body)).text;
  }

  /** Milliseconds of the processor. */
  async function costOf(work: () => Promise<unknown>): Promise<number> {
    const started = threadTime();
    for (let count = 0; count < 20; count += 1) await work();
    return threadTime() - started;
  }

  it.each([
    // Its text is longer; when built for each message, it took three times as long.
    ['tools/list', 2.3, undefined],
    ['resources/read', 1.4, { uri: 'repoless://sites-file-schema' }],
    ['initialize', 1.4, { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }],
  ])('%s costs little more than that to ping, because it is built once', async (method, most, params) => {
    // Garbage collection adds to any of them at random, so each counts with its least cost, in as many rounds as needed.
    const least = { ping: Infinity, own: Infinity };
    for (let round = 0; round < 60 && !(round >= 9 && least.own / least.ping < most); round += 1) {
      least.ping = Math.min(least.ping, await costOf(() => send('ping')));
      least.own = Math.min(least.own, await costOf(() => send(method, params)));
    }
    expect(least.own / least.ping).toBeLessThan(most);
  });
});

const engine = sqliteEngine();

it('messages of one caller are queued up to LIMITS.assistantMessages, and do not delay another caller', async () => {
  const partners = createRemote({ internalAddresses: 'refuse', resolve: lookup, timeout: 1000, sizeLimit: 1000 });
  const assistant = composeAssistant(readSettings({}), {
    publicAddress: 'http://localhost:1',
    isSiteHost: () => false,
    isMember: async () => false,
    port: 1,
    box: readSecretBox(newSecretKeys()),
    partners,
    log: { failure: () => undefined },
    tracing: NO_TRACING,
  });
  const world = await createWorld(await engine.open());
  const answered: string[] = [];
  const send = async (caller: typeof ada, method: string) => {
    const body = { jsonrpc: '2.0' as const, id: 1, method };
    try {
      const { status } = await assistant.serveAssistant(world.context(caller), { params: {}, query: {}, headers: {}, body });
      answered.push(`${caller.email} ${status}`);
    } catch (error) {
      answered.push(`${caller.email} ${error instanceof Refusal ? error.code : String(error)}`);
    }
  };
  // The first message loads the tools.
  await send(ada, 'ping');
  await Promise.all([...Array.from({ length: 2 * LIMITS.assistantMessages }, () => send(ada, 'tools/list')), send(otto, 'ping')]);
  const [, ...others] = answered;
  // One is in progress besides those that wait.
  expect(others.filter((line) => line === `${ada.email} 200`)).toHaveLength(LIMITS.assistantMessages + 1);
  expect(others.filter((line) => line === `${ada.email} OVERLOADED`)).toHaveLength(LIMITS.assistantMessages - 1);
  expect(others.filter((line) => line.endsWith('200')).indexOf(`${otto.email} 200`)).toBeLessThanOrEqual(2);
  assistant.close();
  await partners.close();
}, 60_000);

/** The requests, by their Host header. */
const requests: string[] = [];
const never = new AbortController().signal;

const foreign = startBeforeAll(() =>
  startReceiver((request, response) => {
    requests.push(`foreign ${request.headers.host}`);
    response.end();
  }),
);
const own = startBeforeAll(() =>
  startReceiver((request, response) => {
    requests.push(`${request.method} ${request.headers.host}${request.url}`);
    if (request.url === '/away') response.writeHead(302, { location: foreign.address });
    if (request.url === '/silent') return;
    response.end(request.method === 'HEAD' ? undefined : 'own');
  }),
);
beforeEach(() => {
  requests.length = 0;
});

/** The `fetch` of a service at https://service.example.com, with its live host on this machine. */
function fetchUntil(end: AbortSignal, host = '127.0.0.1') {
  const isOwn = ({ origin }: URL) => /^https:\/\/(?:service|main--site--org\.live)\.example\.com$/.test(origin);
  return ownFetch({ host, port: own.port, isOwn, traceHeaders: () => ({}), fetchOther: () => undefined }).until(end);
}

it.each(['127.0.0.1', '0.0.0.0'])('the service calls itself and its hosts by their names if it listens on %s', async (host) => {
  const fetching = fetchUntil(never, host);
  expect(await (await fetching('https://service.example.com/config/org.json?a=b')).text()).toBe('own');
  expect((await fetching('https://main--site--org.live.example.com/', { method: 'HEAD' })).status).toBe(200);
  expect(requests).toEqual(['GET service.example.com/config/org.json?a=b', 'HEAD main--site--org.live.example.com/']);
});

it.each([
  ['another host', () => foreign.address],
  ['the same port by another name', () => `http://127.0.0.1:${own.port}/`],
  ['another scheme', () => 'http://service.example.com/'],
  ['a name with the same start', () => 'https://service.example.com.evil.example/'],
  ['a name behind a password', () => 'https://service.example.com@evil.example/'],
  ['a file', () => 'file:///etc/hostname'],
])('no request is sent to %s', async (_, address) => {
  const token = { headers: { 'x-auth-token': 'secret' } };
  await expect(fetchUntil(never)(address(), token)).rejects.toThrow(/^Requests to \S+ are not allowed/);
  expect(requests).toEqual([]);
});

it('redirects are not followed', async () => {
  expect((await fetchUntil(never)('https://service.example.com/away', { redirect: 'follow' })).status).toBe(302);
  expect(requests).toEqual(['GET service.example.com/away']);
});

it('a request in progress is aborted with its message, or by its own signal', async () => {
  const [end, own] = [new AbortController(), new AbortController()];
  const answers = [
    fetchUntil(end.signal)('https://service.example.com/silent'),
    fetchUntil(never)('https://service.example.com/silent', { signal: own.signal }),
  ];
  await expect.poll(() => requests.length).toBe(2);
  end.abort();
  own.abort();
  for (const answer of answers) await expect(answer).rejects.toThrow(/abort/);
});
