import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSessionService } from './session-service.ts';
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@repoless/sandbox/web.ts';
import { isIP } from 'node:net';
import { isInternalAddress, type Resolve } from '@repoless/service/remote/guarded-lookup.ts';
import { createRemote } from '@repoless/service/remote/remote.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';

const CONFIGURATION = '/conf/wknd/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content';
const AUTHORING_TOKEN = 'authoring-token-of-the-caller';
/** Bytes of the largest answer that the service forwards. */
const SIZE_LIMIT = 10 * 1024 * 1024;

/** Requests that reached the authoring system in this test. */
let received: { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers']; body: string }[] = [];
const answerPage: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jcr:title":"WKND"}');
/** How the authoring system answers in this test. */
let answer = answerPage;
let host = '';
let token = '';

const author = startBeforeAll(() =>
  listen(0, async (request, response) => {
    received.push({ method: request.method, url: request.url, headers: request.headers, body: await text(request) });
    answer(request, response);
  }),
);
/** A host to which the service must not forward. */
const elsewhere = startBeforeAll(() => listen(0, (_request, response) => void response.end('elsewhere')));
const service = startBeforeAll(() => {
  const { port } = new URL(author.address);
  host = `author-p1-e2.authoring.localhost:${port}`;
  const AUTHOR_HOSTS = `*.authoring.localhost:${port},exact.localhost:1`;
  return startSessionService({ settings: { AUTHOR_HOSTS, AUTHOR_TIMEOUT: '2', BODY_LIMIT: '100000' } });
});
beforeAll(async () => void (token = await service.token('ada.admin@example.com')));
beforeEach(() => {
  received = [];
  answer = answerPage;
});

const signedIn = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'x-auth-token': token,
  'x-content-source-authorization': `Bearer ${AUTHORING_TOKEN}`,
  ...more,
});
const read = (path: string, headers = signedIn(), at = host) => fetch(`${service.address}/authoring/${at}${path}`, { headers });
const write = (path: string, form: Readonly<Record<string, string>> | [string, string][], headers = signedIn()) =>
  fetch(`${service.address}/authoring/${host}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });

/** Expects a refusal by the service itself, with a reason and without a token. */
async function expectRefusal(response: Response, status: number, code: string): Promise<void> {
  expect([response.status, response.headers.get('x-error-code')]).toEqual([status, code]);
  expect(response.headers.get('x-relayed')).toBeNull();
  expect(response.headers.get('x-error')).toMatch(/^\S.*\S$/);
  const shown = `${await response.text()} ${[...response.headers.values()].join(' ')} ${service.logged.join(' ')}`;
  expect(shown).not.toContain(AUTHORING_TOKEN);
  expect(shown).not.toContain(token);
}

describe('the authoring proxy', () => {
  it('forwards the caller’s authoring token and no other credential', async () => {
    const response = await read('/content/wknd/jcr%3Acontent.json', signedIn({ cookie: 'auth_token=mine', 'x-forwarded-for': '10.0.0.1' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('x-relayed')).toBe('true');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ 'jcr:title': 'WKND' });
    const { headers = {}, url } = received[0] ?? {};
    expect(url).toBe('/content/wknd/jcr%3Acontent.json');
    expect(headers.authorization).toBe(`Bearer ${AUTHORING_TOKEN}`);
    expect(headers.host).toBe(host);
    for (const name of ['cookie', 'x-auth-token', 'x-content-source-authorization', 'x-forwarded-for', 'origin']) {
      expect(headers[name]).toBeUndefined();
    }
  });

  it.each([300, 401, 403, 404, 500])('forwards the author’s %i with its body', async (status) => {
    answer = (_request, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end('["/content.1.json"]');
    const response = await read('/content.infinity.json');
    expect(response.status).toBe(status);
    expect(response.headers.get('x-relayed')).toBe('true');
    expect(await response.text()).toBe('["/content.1.json"]');
  });

  it('removes cookies, CORS and refresh headers from an answer, and sandboxes it', async () => {
    answer = (_request, response) =>
      void response
        .writeHead(200, {
          'content-type': 'text/html',
          'set-cookie': 'auth_token=other',
          'access-control-allow-origin': '*',
          refresh: '0; url=/',
        })
        .end('<script>1</script>');
    const response = await read('/bin/franklin.delivery/wknd/site/main/index.html');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('refresh')).toBeNull();
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('requires a sign-in and refuses writes by cookie', async () => {
    await expectRefusal(await read('/content/wknd.json', {}), 401, 'NOT_AUTHENTICATED');
    await expectRefusal(await write(CONFIGURATION, { './owner': 'wknd' }, { cookie: `auth_token=${token}` }), 401, 'NOT_AUTHENTICATED');
    await expectRefusal(
      await read('/content/wknd.json', signedIn({ 'x-content-source-authorization': 'Basic abc' })),
      401,
      'NOT_AUTHENTICATED',
    );
    expect(received).toEqual([]);
  });

  it.each([
    'evil.example.com',
    'authoring.localhost',
    'author.authoring.localhost.evil.com',
    'exact.localhost',
    'exact.localhost:2',
    '127.0.0.1',
  ])('refuses the host %s', async (other) => {
    await expectRefusal(await read('/content/wknd.json', signedIn(), other), 403, 'AUTHOR_NOT_ALLOWED');
  });

  it.each([
    '/content',
    '/apps/wknd.json',
    '/content/wknd.html',
    '/content/%2e%2e/apps.json',
    '/content/..%2fapps.json',
    '/content/%252e%252e/apps.json',
    '/content/...%2f.json',
    '/content//wknd.json',
    '/content/a%00.json',
    '/content/a;b.json',
    '/content/a%5cb.json',
    '/content/a%3fb.json',
    '/content/a%23.json',
    '/libs/granite/csrf/token.jsonx',
    '/crx/de/index.jsp',
    '/system/console.json',
    '/bin/querybuilder.json',
    '/bin/wcmcommand',
  ])('refuses to read %s', async (path) => {
    await expectRefusal(await read(path), 403, 'AUTHOR_PATH_NOT_ALLOWED');
    expect(received).toEqual([]);
  });

  it('sends the checked path of a read, re-encoded, and its query', async () => {
    await read('/content/w%C3%A4/a%20b.1.json?ts=1%202');
    expect(received[0]?.url).toBe('/content/w%C3%A4/a%20b.1.json?ts=1+2');
  });

  it('writes properties with the caller’s CSRF token', async () => {
    const fields = {
      _charset_: 'utf-8',
      './owner': 'wknd',
      './repo@Delete': '',
      './projectType@TypeHint': 'String',
      ':cq_csrf_token': 'csrf',
    };
    expect((await write(CONFIGURATION, fields)).status).toBe(200);
    expect(received[0]).toMatchObject({ method: 'POST', body: new URLSearchParams(fields).toString() });
    expect(received[0]?.headers['csrf-token']).toBe('csrf');
    await write(CONFIGURATION, { './owner': 'wknd' }, signedIn({ 'csrf-token': 'other' }));
    expect(received[1]?.headers['csrf-token']).toBe('other');
  });

  it('creates a page and deletes configuration pages', async () => {
    const page = {
      cmd: 'createPage',
      parentPath: '/content/wknd',
      title: 'Configuration',
      label: 'configuration',
      template: '/libs/core/t',
    };
    expect((await write('/bin/wcmcommand', page)).status).toBe(200);
    expect((await write('/content/wknd/configuration', { ':operation': 'delete' })).status).toBe(200);
    expect((await write(CONFIGURATION.replace('/jcr:content', ''), { ':operation': 'delete' })).status).toBe(200);
    expect(received).toHaveLength(3);
  });

  const answerType = (type: string | undefined, status = 200): void => {
    answer = (_request, response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ 'sling:resourceType': type }));
  };
  const SHEET = 'core/franklin/components/spreadsheet/v1/spreadsheet';
  const PAGE = 'core/franklin/components/page/v1/page';

  it('deletes a page of any name after reading that it is a sheet', async () => {
    answerType(SHEET);
    expect((await write('/content/wknd/site-configuration', { ':operation': 'delete' })).status).toBe(200);
    expect(received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/content/wknd/site-configuration/jcr:content.json', ''],
      ['POST', '/content/wknd/site-configuration', '%3Aoperation=delete'],
    ]);
    expect(received[0]?.headers.authorization).toBe(`Bearer ${AUTHORING_TOKEN}`);
  });

  it.each([
    ['/content/wknd/page', PAGE, 1],
    ['/content/wknd/page', undefined, 1],
    ['/content/wknd', SHEET, 0],
    ['/apps/wknd/page', SHEET, 0],
  ])('refuses to delete %s of the type %s', async (path, type, reads) => {
    answerType(type);
    await expectRefusal(await write(path, { ':operation': 'delete' }), 403, 'AUTHOR_PATH_NOT_ALLOWED');
    expect(received.map(({ method }) => method)).toEqual(Array.from({ length: reads }, () => 'GET'));
  });

  it.each([404, 503])('forwards the %i for an unreadable page and deletes nothing', async (status) => {
    answerType(SHEET, status);
    expect((await write('/content/wknd/sheet', { ':operation': 'delete' })).status).toBe(status);
    expect(received.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each([{ './a': 'b' }, { ':applyTo': '/content/*' }])('refuses to delete a sheet with another field: %j', async (more) => {
    answerType(SHEET);
    await expectRefusal(await write('/content/wknd/sheet', { ':operation': 'delete', ...more }), 400, 'BODY_INVALID');
    expect(received).toEqual([]);
  });

  const page = { cmd: 'createPage', parentPath: '/content/wknd', title: 'T', label: 'l', template: '/conf/t' };
  it.each<[path: string, form: Record<string, string> | [string, string][]]>([
    [CONFIGURATION, { ':operation': 'delete' }],
    [CONFIGURATION, { ':operation': 'import', ':content': '{}' }],
    [CONFIGURATION, { './owner@MoveFrom': '/content/secret' }],
    [CONFIGURATION, { './owner@CopyFrom': '/content/secret' }],
    [CONFIGURATION, { './../../owner': 'x' }],
    [CONFIGURATION, { './a/b/c': 'x' }],
    [CONFIGURATION, { './rep:policy': 'x' }],
    [CONFIGURATION, { '/apps/x': 'x' }],
    [CONFIGURATION, { owner: 'x' }],
    [CONFIGURATION, { './owner': 'x', ':redirect': 'http://evil.example.com' }],
    [CONFIGURATION, { _charset_: 'utf-8' }],
    ['/content/wknd/configuration', { ':operation': 'delete', ':applyTo': '/content/*' }],
    ['/content/wknd/configuration', { ':operation': 'move', ':dest': '/apps' }],
    ['/content/wknd/configuration', { ':operation': 'delete', './a': 'b' }],
    [CONFIGURATION.replace('/jcr:content', ''), { ':operation': 'delete', './a': 'b' }],
    ['/content/wknd/jcr:content', { ':operation': 'delete' }],
    ['/bin/wcmcommand', { ...page, cmd: 'deletePage' }],
    ['/bin/wcmcommand', { ...page, parentPath: '/apps' }],
    ['/bin/wcmcommand', { ...page, parentPath: '/content/../apps' }],
    ['/bin/wcmcommand', { ...page, label: '../x' }],
    ['/bin/wcmcommand', { ...page, force: 'true' }],
    ['/bin/wcmcommand', [...Object.entries(page), ['cmd', 'deletePage']]],
    ['/bin/wcmcommand', { cmd: 'createPage' }],
  ])('refuses to write to %s the fields %j', async (path, form) => {
    await expectRefusal(await write(path, form), 400, 'BODY_INVALID');
    expect(received).toEqual([]);
  });

  it.each([
    '/apps/x',
    '/content',
    '/content/wknd',
    '/conf/wknd',
    `${CONFIGURATION}?:operation=delete`,
    '/conf/wknd/settings/cloudconfigs',
    '/content/a%2f..%2fjcr:content',
  ])('refuses to write to %s', async (path) => {
    await expectRefusal(await write(path, { './owner': 'x' }), 403, 'AUTHOR_PATH_NOT_ALLOWED');
    expect(received).toEqual([]);
  });

  it('accepts only forms, up to BODY_LIMIT', async () => {
    const other = await fetch(`${service.address}/authoring/${host}${CONFIGURATION}`, {
      method: 'POST',
      headers: { ...signedIn(), 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x--',
    });
    await expectRefusal(other, 415, 'CONTENT_TYPE_UNSUPPORTED');
    await expectRefusal(await write(CONFIGURATION, { './owner': 'x'.repeat(200_000) }), 413, 'BODY_TOO_LARGE');
  });

  it('does not connect to internal addresses if the settings refuse them', async () => {
    const { port } = new URL(author.address);
    const hosts = [host, `127.0.0.1:${port}`, `localhost:${port}`, `0x7f000001:${port}`];
    const careful = await stopAfterTest(startSessionService({ settings: { INTERNAL_ADDRESSES: 'refuse', AUTHOR_HOSTS: hosts.join(',') } }));
    const headers = { 'x-auth-token': await careful.token('ada.admin@example.com') };
    for (const internal of hosts) {
      const response = await fetch(`${careful.address}/authoring/${internal}/content/wknd.json`, { headers });
      expect([internal, response.status, response.headers.get('x-error-code')]).toEqual([internal, 502, 'AUTHOR_UNREACHABLE']);
    }
    expect(received).toEqual([]);
  });
});

describe('the authoring proxy, when an author answers,', () => {
  it('follows a redirect to an allowed path of the same author', async () => {
    answer = (request, response) => {
      if (request.url === '/content/wknd.json') response.writeHead(302, { location: '/content/wknd.1.json' }).end();
      else response.end('{}');
    };
    expect((await read('/content/wknd.json')).status).toBe(200);
    expect(received.map(({ url }) => url)).toEqual(['/content/wknd.json', '/content/wknd.1.json']);
  });

  it.each([
    ['to another host', () => `${elsewhere.address}/content/other.json`],
    ['to another scheme', () => `https://${host}/content/other.json`],
    ['to the sign-in page', () => '/libs/granite/core/content/login.html'],
    ['in a loop', () => '/content/wknd.json'],
    ['to a path that is not allowed', () => '/content/%2e%2e%2fapps.json'],
    ['to an invalid address', () => 'http://['],
  ])('does not follow a redirect %s', async (_, location) => {
    answer = (request, response) => {
      if (request.url === '/content/wknd.json') response.writeHead(302, { location: location() }).end();
      else response.end('{}');
    };
    await expectRefusal(await read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
  });

  it('does not follow a redirect of a write', async () => {
    answer = (_request, response) => void response.writeHead(302, { location: '/content/wknd.json' }).end();
    await expectRefusal(await write(CONFIGURATION, { './owner': 'x' }), 502, 'AUTHOR_ANSWER_REFUSED');
    expect(received).toHaveLength(1);
  });

  it('waits for the headers and the body no longer than the time limit', async () => {
    answer = (request, response) => void (request.url === '/content/body.json' && response.writeHead(200).write('{'));
    for (const response of await Promise.all([read('/content/head.json'), read('/content/body.json')]))
      await expectRefusal(response, 504, 'AUTHOR_TIMEOUT');
  });

  it.each([
    ['a read', () => read('/content/wknd.json'), { seconds: '2' }],
    ['a write, which may still be carried out', () => write(CONFIGURATION, { './owner': 'x' }), { seconds: '2', write: 'yes' }],
  ])('says what kind of request got no response: %s', async (_, send, data) => {
    answer = () => undefined;
    expect(await (await send()).json()).toMatchObject({ code: 'AUTHOR_TIMEOUT', data });
  });

  it('refuses an answer above the size limit, with or without a content length', async () => {
    answer = (_request, response) => void response.end(Buffer.alloc(SIZE_LIMIT + 1));
    await expectRefusal(await read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
    const half = Buffer.alloc(SIZE_LIMIT / 2 + 1);
    answer = (_request, response) => void (response.write(half), response.end(half));
    await expectRefusal(await read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
  });

  it('reports an author that does not respond', async () => {
    await expectRefusal(await read('/content/wknd.json', signedIn(), 'exact.localhost:1'), 502, 'AUTHOR_UNREACHABLE');
    answer = (request) => void request.socket.destroy();
    await expectRefusal(await read('/content/wknd.json'), 502, 'AUTHOR_UNREACHABLE');
  });
});

describe('internal addresses', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '2002:7f00:1::',
    '::ffff:0:127.0.0.1',
    '::ffff:0:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::7f00:1',
    '2001:0:7f00:1::',
    '2a00:1450::5efe:7f00:1',
    '2a00:1450::200:5efe:7f00:1',
    'fe80::1%eth0',
    '2606:4700::1111%lo',
    '192.88.99.1',
    '3fff::1',
    'nonsense',
  ])('include %s', (address) => {
    expect(isInternalAddress(address)).toBe(true);
  });

  it.each(['8.8.8.8', '172.32.0.1', '192.167.255.255', '1.1.1.1', '2606:4700::1111', '2a00:1450::1'])('do not include %s', (address) => {
    expect(isInternalAddress(address)).toBe(false);
  });

  it.each(['localhost', 'LOCALHOST.', 'a.localhost', 'ip6-localhost', 'ip6-loopback', 'localhost6', 'localhost.localdomain'])(
    'include the name %s, whatever it resolves to',
    async (name) => {
      const remote = createRemote({ internalAddresses: 'refuse', timeout: 1000, sizeLimit: 10, resolve: resolving('93.184.216.34') });
      await expect(remote.send({ method: 'GET', url: `http://${name}:9/` })).rejects.toThrow(/is an internal address/);
      await remote.close();
    },
  );
});

describe('the address that is checked', () => {
  it('is the one connected to: a name is resolved only once', async () => {
    const [first, second] = [await startReceiver((_, response) => void response.end('first')), '127.0.0.2'];
    const resolved: string[] = [];
    const remote = createRemote({
      internalAddresses: 'allow',
      timeout: 5000,
      sizeLimit: 100,
      resolve: resolving('127.0.0.1', second, resolved),
    });
    const answer = await remote.send({ method: 'GET', url: `http://rebinding.example:${first.port}/` });
    expect([new TextDecoder().decode(answer.body), resolved]).toEqual(['first', ['127.0.0.1']]);
    await remote.close();
    await first.stop();
  });

  it.each([
    ['one of several', ['93.184.216.34', '127.0.0.1']],
    ['a translated address', ['::ffff:0:127.0.0.1']],
  ])('is refused if %s is internal, without a connection', async (_, addresses) => {
    const receiver = await stopAfterTest(startReceiver((_request, response) => void response.end()));
    const resolve: Resolve = (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      );
    const remote = createRemote({ internalAddresses: 'refuse', timeout: 5000, sizeLimit: 100, resolve });
    await expect(remote.send({ method: 'GET', url: `http://rebinding.example:${receiver.port}/` })).rejects.toThrow(
      /is an internal address/,
    );
    expect(receiver.requests).toEqual([]);
    await remote.close();
  });
});

/** Resolves to the first address once, then to the second. */
function resolving(first: string, second = first, resolved: string[] = []): Resolve {
  return (_name, _options, callback) => {
    const address = resolved.length === 0 ? first : second;
    resolved.push(address);
    callback(null, [{ address, family: 4 }]);
  };
}
