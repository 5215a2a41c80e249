import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSessionService } from './session-service.ts';
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@repoless/sandbox/web.ts';
import type { Running } from '@repoless/sandbox/web.ts';
import type { SessionService } from './session-service.ts';
import { isIP } from 'node:net';
import type { Resolve } from '@repoless/service/remote/guarded-lookup.ts';
import { isInternalAddress } from '@repoless/service/remote/guarded-lookup.ts';
import { createRemote } from '@repoless/service/remote/remote.ts';
import { startReceiver } from '../support/receiver.ts';

describe('the authoring proxy to the authoring system', () => {
  const proxy = useAuthoringProxy();

  it('forwards the caller’s authoring token, and no other credential', async () => {
    const response = await proxy.read(
      '/content/wknd/jcr%3Acontent.json',
      proxy.signedIn({ cookie: 'auth_token=mine', 'x-forwarded-for': '10.0.0.1' }),
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('x-relayed')).toBe('true');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ 'jcr:title': 'WKND' });
    const { headers = {}, url } = proxy.received[0] ?? {};
    expect(url).toBe('/content/wknd/jcr%3Acontent.json');
    expect(headers.authorization).toBe(`Bearer ${AUTHORING_TOKEN}`);
    expect(headers.host).toBe(proxy.host);
    for (const name of ['cookie', 'x-auth-token', 'x-content-source-authorization', 'x-forwarded-for', 'origin']) {
      expect(headers[name]).toBeUndefined();
    }
  });

  it.each([300, 401, 403, 404, 500])('answers the author’s own %i with its body', async (status) => {
    proxy.answer = (_request, response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end('["/content.1.json"]');
    const response = await proxy.read('/content.infinity.json');
    expect(response.status).toBe(status);
    expect(response.headers.get('x-relayed')).toBe('true');
    expect(await response.text()).toBe('["/content.1.json"]');
  });

  it('takes the power from what the author sends', async () => {
    proxy.answer = (_request, response) =>
      void response
        .writeHead(200, {
          'content-type': 'text/html',
          'set-cookie': 'auth_token=other',
          'access-control-allow-origin': '*',
          refresh: '0; url=/',
        })
        .end('<script>1</script>');
    const response = await proxy.read('/bin/franklin.delivery/wknd/site/main/index.html');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('refresh')).toBeNull();
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('requires a sign-in, and accepts no write by cookie', async () => {
    await proxy.expectRefusal(await proxy.read('/content/wknd.json', {}), 401, 'NOT_AUTHENTICATED');
    await proxy.expectRefusal(
      await proxy.write(CONFIGURATION, { './owner': 'wknd' }, { cookie: `auth_token=${proxy.token}` }),
      401,
      'NOT_AUTHENTICATED',
    );
    await proxy.expectRefusal(
      await proxy.read('/content/wknd.json', proxy.signedIn({ 'x-content-source-authorization': 'Basic abc' })),
      401,
      'NOT_AUTHENTICATED',
    );
    expect(proxy.received).toEqual([]);
  });

  it.each([
    'evil.example.com',
    'authoring.localhost',
    'author.authoring.localhost.evil.com',
    'exact.localhost',
    'exact.localhost:2',
    '127.0.0.1',
  ])('does not go to %s', async (other) => {
    await proxy.expectRefusal(await proxy.read('/content/wknd.json', proxy.signedIn(), other), 403, 'AUTHOR_NOT_ALLOWED');
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
  ])('does not read %s', async (path) => {
    await proxy.expectRefusal(await proxy.read(path), 403, 'AUTHOR_PATH_NOT_ALLOWED');
    expect(proxy.received).toEqual([]);
  });

  it('sends the checked path, re-encoded, and the query of a read', async () => {
    await proxy.read('/content/w%C3%A4/a%20b.1.json?ts=1%202');
    expect(proxy.received[0]?.url).toBe('/content/w%C3%A4/a%20b.1.json?ts=1+2');
  });

  it('writes properties, with the caller’s CSRF token', async () => {
    const fields = {
      _charset_: 'utf-8',
      './owner': 'wknd',
      './repo@Delete': '',
      './projectType@TypeHint': 'String',
      ':cq_csrf_token': 'csrf',
    };
    const response = await proxy.write(CONFIGURATION, fields);
    expect(response.status).toBe(200);
    expect(proxy.received[0]).toMatchObject({ method: 'POST', body: new URLSearchParams(fields).toString() });
    expect(proxy.received[0]?.headers['csrf-token']).toBe('csrf');
    await proxy.write(CONFIGURATION, { './owner': 'wknd' }, proxy.signedIn({ 'csrf-token': 'other' }));
    expect(proxy.received[1]?.headers['csrf-token']).toBe('other');
  });

  it('creates a page and deletes a configuration page', async () => {
    const page = {
      cmd: 'createPage',
      parentPath: '/content/wknd',
      title: 'Configuration',
      label: 'configuration',
      template: '/libs/core/t',
    };
    expect((await proxy.write('/bin/wcmcommand', page)).status).toBe(200);
    expect((await proxy.write('/content/wknd/configuration', { ':operation': 'delete' })).status).toBe(200);
    expect((await proxy.write(CONFIGURATION.replace('/jcr:content', ''), { ':operation': 'delete' })).status).toBe(200);
    expect(proxy.received).toHaveLength(3);
  });

  const answerType = (type: string | undefined, status = 200): void => {
    proxy.answer = (_request, response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ 'sling:resourceType': type }));
  };
  const SHEET = 'core/franklin/components/spreadsheet/v1/spreadsheet';
  const PAGE = 'core/franklin/components/page/v1/page';

  it('deletes a configuration page of any name, once it has read that it is a sheet', async () => {
    answerType(SHEET);
    expect((await proxy.write('/content/wknd/site-configuration', { ':operation': 'delete' })).status).toBe(200);
    expect(proxy.received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/content/wknd/site-configuration/jcr:content.json', ''],
      ['POST', '/content/wknd/site-configuration', '%3Aoperation=delete'],
    ]);
    expect(proxy.received[0]?.headers.authorization).toBe(`Bearer ${AUTHORING_TOKEN}`);
  });

  it.each([
    ['/content/wknd/page', PAGE, 1],
    ['/content/wknd/page', undefined, 1],
    ['/content/wknd', SHEET, 0],
    ['/apps/wknd/page', SHEET, 0],
  ])('does not delete %s of the type %s', async (path, type, reads) => {
    answerType(type);
    await proxy.expectRefusal(await proxy.write(path, { ':operation': 'delete' }), 403, 'AUTHOR_PATH_NOT_ALLOWED');
    expect(proxy.received.map(({ method }) => method)).toEqual(Array.from({ length: reads }, () => 'GET'));
  });

  it.each([404, 503])('passes on the %i of a page that is not read, and deletes nothing', async (status) => {
    answerType(SHEET, status);
    expect((await proxy.write('/content/wknd/sheet', { ':operation': 'delete' })).status).toBe(status);
    expect(proxy.received.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each([{ './a': 'b' }, { ':applyTo': '/content/*' }])('deletes a sheet with no other field: %j', async (more) => {
    answerType(SHEET);
    await proxy.expectRefusal(await proxy.write('/content/wknd/sheet', { ':operation': 'delete', ...more }), 400, 'BODY_INVALID');
    expect(proxy.received).toEqual([]);
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
  ])('does not write to %s the fields %j', async (path, form) => {
    await proxy.expectRefusal(await proxy.write(path, form), 400, 'BODY_INVALID');
    expect(proxy.received).toEqual([]);
  });

  it.each([
    '/apps/x',
    '/content',
    '/content/wknd',
    '/conf/wknd',
    `${CONFIGURATION}?:operation=delete`,
    '/conf/wknd/settings/cloudconfigs',
    '/content/a%2f..%2fjcr:content',
  ])('does not write to %s', async (path) => {
    await proxy.expectRefusal(await proxy.write(path, { './owner': 'x' }), 403, 'AUTHOR_PATH_NOT_ALLOWED');
    expect(proxy.received).toEqual([]);
  });

  it('accepts only forms, up to the limit', async () => {
    const other = await fetch(`${proxy.service.address}/authoring/${proxy.host}${CONFIGURATION}`, {
      method: 'POST',
      headers: { ...proxy.signedIn(), 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x--',
    });
    await proxy.expectRefusal(other, 415, 'CONTENT_TYPE_UNSUPPORTED');
    await proxy.expectRefusal(await proxy.write(CONFIGURATION, { './owner': 'x'.repeat(200_000) }), 413, 'BODY_TOO_LARGE');
  });

  it('does not call internal addresses if the settings refuse them', async () => {
    const { port } = new URL(proxy.author.address);
    const careful = await startSessionService({
      internalAddresses: 'refuse',
      authorHosts: [proxy.host, `127.0.0.1:${port}`, `localhost:${port}`, `0x7f000001:${port}`],
    });
    const headers = { 'x-auth-token': await careful.token('ada.admin@example.com') };
    for (const internal of [proxy.host, `127.0.0.1:${port}`, `localhost:${port}`, `0x7f000001:${port}`]) {
      const response = await fetch(`${careful.address}/authoring/${internal}/content/wknd.json`, { headers });
      expect([internal, response.status, response.headers.get('x-error-code')]).toEqual([internal, 502, 'AUTHOR_UNREACHABLE']);
    }
    expect(proxy.received).toEqual([]);
    await careful.stop();
  });
});

export const CONFIGURATION = '/conf/wknd/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content';
export const AUTHORING_TOKEN = 'authoring-token-of-the-caller';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Form = Readonly<Record<string, string>> | [string, string][];

/** A service, the authoring system to which it forwards, and another host to which it must not. */
class AuthoringProxyWorld {
  service!: SessionService;
  author!: Running;
  elsewhere!: Running;
  host = '';
  token = '';
  /** Requests that reached the authoring system in this test. */
  received: Received[] = [];
  /** How the authoring system answers in this test. */
  answer: RequestListener = answerPage;

  async start(): Promise<void> {
    this.author = await listen(0, (request, response) => {
      void text(request).then((body) => {
        this.received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        this.answer(request, response);
      });
    });
    this.elsewhere = await listen(0, (_request, response) => void response.end('elsewhere'));
    const { port } = new URL(this.author.address);
    this.host = `author-p1-e2.authoring.localhost:${port}`;
    this.service = await startSessionService({
      authorHosts: [`*.authoring.localhost:${port}`, 'exact.localhost:1'],
      authorTimeout: 400,
      authorSizeLimit: 2000,
    });
    this.token = await this.service.token('ada.admin@example.com');
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.author.stop();
    await this.elsewhere.stop();
  }

  signedIn(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { 'x-auth-token': this.token, 'x-content-source-authorization': `Bearer ${AUTHORING_TOKEN}`, ...more };
  }

  read(path: string, headers = this.signedIn(), at = this.host): Promise<Response> {
    return fetch(`${this.service.address}/authoring/${at}${path}`, { headers });
  }

  write(path: string, form: Form, headers = this.signedIn()): Promise<Response> {
    return fetch(`${this.service.address}/authoring/${this.host}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
  }

  /** Expects a refusal by the service itself, with a reason and without a token. */
  async expectRefusal(response: Response, status: number, code: string): Promise<void> {
    expect([response.status, response.headers.get('x-error-code')]).toEqual([status, code]);
    expect(response.headers.get('x-relayed')).toBeNull();
    expect(response.headers.get('x-error')).toMatch(/^\S.*\S$/);
    const told = `${await response.text()} ${[...response.headers.values()].join(' ')} ${this.service.logged.join(' ')}`;
    expect(told).not.toContain(AUTHORING_TOKEN);
    expect(told).not.toContain(this.token);
  }
}

/** Starts it before the tests of a file and stops it after them. */
export function useAuthoringProxy(): AuthoringProxyWorld {
  const world = new AuthoringProxyWorld();
  beforeAll(() => world.start());
  afterAll(() => world.stop());
  beforeEach(() => {
    world.received = [];
    world.answer = answerPage;
  });
  return world;
}

const answerPage: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jcr:title":"WKND"}');

describe('what the authoring proxy accepts from the authoring system', () => {
  const proxy = useAuthoringProxy();

  it('follows a redirect of the same author to a listed path', async () => {
    proxy.answer = (request, response) => {
      if (request.url === '/content/wknd.json') response.writeHead(302, { location: '/content/wknd.1.json' }).end();
      else response.end('{}');
    };
    expect((await proxy.read('/content/wknd.json')).status).toBe(200);
    expect(proxy.received.map(({ url }) => url)).toEqual(['/content/wknd.json', '/content/wknd.1.json']);
  });

  it.each([
    ['to another host', () => `${proxy.elsewhere.address}/content/other.json`],
    ['to another scheme', () => `https://${proxy.host}/content/other.json`],
    ['to the sign-in page', () => '/libs/granite/core/content/login.html'],
    ['in a circle', () => '/content/wknd.json'],
    ['out of the list', () => '/content/%2e%2e%2fapps.json'],
    ['nowhere', () => 'http://['],
  ])('does not follow a redirect %s', async (_, location) => {
    proxy.answer = (request, response) => {
      if (request.url === '/content/wknd.json') response.writeHead(302, { location: location() }).end();
      else response.end('{}');
    };
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
  });

  it('does not follow a redirect of a write', async () => {
    proxy.answer = (_request, response) => void response.writeHead(302, { location: '/content/wknd.json' }).end();
    await proxy.expectRefusal(await proxy.write(CONFIGURATION, { './owner': 'x' }), 502, 'AUTHOR_ANSWER_REFUSED');
    expect(proxy.received).toHaveLength(1);
  });

  it('waits no longer than the time limit, for the head and for the body', async () => {
    proxy.answer = () => undefined;
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 504, 'AUTHOR_TIMEOUT');
    proxy.answer = (_request, response) => void response.writeHead(200).write('{');
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 504, 'AUTHOR_TIMEOUT');
  });

  it('reads no more than the size limit, announced or not', async () => {
    proxy.answer = (_request, response) => void response.end('x'.repeat(2001));
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
    proxy.answer = (_request, response) => void (response.write('x'.repeat(1500)), response.end('x'.repeat(1500)));
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
  });

  it('says that an author does not respond', async () => {
    await proxy.expectRefusal(await proxy.read('/content/wknd.json', proxy.signedIn(), 'exact.localhost:1'), 502, 'AUTHOR_UNREACHABLE');
    proxy.answer = (request) => void request.socket.destroy();
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 502, 'AUTHOR_UNREACHABLE');
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
    'are meant by the name %s, whatever a resolver says',
    async (name) => {
      const remote = createRemote({ internalAddresses: 'refuse', timeout: 1000, sizeLimit: 10, resolve: resolving('93.184.216.34') });
      await expect(remote.send({ method: 'GET', url: `http://${name}:9/` })).rejects.toThrow(/is an internal address/);
      await remote.close();
    },
  );
});

describe('the address that is checked', () => {
  it('is the one connected to: a resolver that would answer differently the second time is only asked once', async () => {
    const [first, second] = [await startReceiver((_, response) => void response.end('first')), '127.0.0.2'];
    const asked: string[] = [];
    const remote = createRemote({
      internalAddresses: 'allow',
      timeout: 5000,
      sizeLimit: 100,
      resolve: resolving('127.0.0.1', second, asked),
    });
    const answer = await remote.send({ method: 'GET', url: `http://rebinding.example:${first.port}/` });
    expect([new TextDecoder().decode(answer.body), asked]).toEqual(['first', ['127.0.0.1']]);
    await remote.close();
    await first.stop();
  });

  it.each([
    ['one of several', ['93.184.216.34', '127.0.0.1']],
    ['a translated one', ['::ffff:0:127.0.0.1']],
  ])('is refused if %s is internal, without a connection', async (_, addresses) => {
    const receiver = await startReceiver((_request, response) => void response.end());
    const resolve: Resolve = (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      );
    const remote = createRemote({ internalAddresses: 'refuse', timeout: 5000, sizeLimit: 100, resolve });
    await expect(remote.send({ method: 'GET', url: `http://rebinding.example:${receiver.port}/` })).rejects.toThrow(
      /is an internal address/,
    );
    expect(receiver.asked).toEqual([]);
    await remote.close();
    await receiver.stop();
  });
});

/** Resolves to the first address once, then to the second. */
function resolving(first: string, second = first, asked: string[] = []): Resolve {
  return (_name, _options, callback) => {
    const address = asked.length === 0 ? first : second;
    asked.push(address);
    callback(null, [{ address, family: 4 }]);
  };
}
