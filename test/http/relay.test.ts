import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '#sandbox/web/listen.ts';
import type { Running } from '#sandbox/running.ts';
import { startSessionService } from './session-service.ts';
import type { SessionService } from './session-service.ts';

const CONFIGURATION = '/conf/wknd/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content';
const AUTHORING_TOKEN = 'authoring-token-of-the-caller';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

describe('the relay to the authoring system', () => {
  let service: SessionService;
  let author: Running;
  let elsewhere: Running;
  let host: string;
  let token: string;
  let received: Received[];
  let answer: RequestListener;

  beforeAll(async () => {
    author = await listen(0, (request, response) => {
      void text(request).then((body) => {
        received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        answer(request, response);
      });
    });
    elsewhere = await listen(0, (_request, response) => void response.end('elsewhere'));
    const { port } = new URL(author.address);
    host = `author-p1-e2.authoring.localhost:${port}`;
    service = await startSessionService({
      authorHosts: [`*.authoring.localhost:${port}`, 'exact.localhost:1'],
      authorTimeout: 400,
      authorSizeLimit: 2000,
    });
    token = await service.token('ada.admin@example.com');
  });
  afterAll(async () => {
    await service.stop();
    await author.stop();
    await elsewhere.stop();
  });
  beforeEach(() => {
    received = [];
    answer = (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jcr:title":"WKND"}');
  });

  const signedIn = (more: Record<string, string> = {}): Record<string, string> => ({
    'x-auth-token': token,
    'x-content-source-authorization': `Bearer ${AUTHORING_TOKEN}`,
    ...more,
  });
  const read = (path: string, headers = signedIn(), at = host) => fetch(`${service.address}/authoring/${at}${path}`, { headers });
  const write = (path: string, form: Record<string, string> | [string, string][], headers = signedIn()) =>
    fetch(`${service.address}/authoring/${host}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
  async function expectRefusal(response: Response, status: number, code: string): Promise<void> {
    expect([response.status, response.headers.get('x-error-code')]).toEqual([status, code]);
    expect(response.headers.get('x-relayed')).toBeNull();
    expect(response.headers.get('x-error')).toMatch(/^\S.*\S$/);
    const told = `${await response.text()} ${[...response.headers.values()].join(' ')} ${service.logged.join(' ')}`;
    expect(told).not.toContain(AUTHORING_TOKEN);
    expect(told).not.toContain(token);
  }

  it('passes on the caller’s authoring token, and no other credential', async () => {
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

  it.each([300, 401, 403, 404, 500])('answers the author’s own %i with its body', async (status) => {
    answer = (_request, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end('["/content.1.json"]');
    const response = await read('/content.infinity.json');
    expect(response.status).toBe(status);
    expect(response.headers.get('x-relayed')).toBe('true');
    expect(await response.text()).toBe('["/content.1.json"]');
  });

  it('takes the power from what the author sends', async () => {
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

  it('asks for a sign-in, and takes no write by cookie', async () => {
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
  ])('does not go to %s', async (other) => {
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
  ])('does not read %s', async (path) => {
    await expectRefusal(await read(path), 403, 'AUTHOR_PATH_NOT_ALLOWED');
    expect(received).toEqual([]);
  });

  it('sends the path that it checked, encoded anew, and the query of a read', async () => {
    await read('/content/w%C3%A4/a%20b.1.json?ts=1%202');
    expect(received[0]?.url).toBe('/content/w%C3%A4/a%20b.1.json?ts=1+2');
  });

  it('writes properties, with the caller’s CSRF token', async () => {
    const fields = {
      _charset_: 'utf-8',
      './owner': 'wknd',
      './repo@Delete': '',
      './projectType@TypeHint': 'String',
      ':cq_csrf_token': 'csrf',
    };
    const response = await write(CONFIGURATION, fields);
    expect(response.status).toBe(200);
    expect(received[0]).toMatchObject({ method: 'POST', body: new URLSearchParams(fields).toString() });
    expect(received[0]?.headers['csrf-token']).toBe('csrf');
    await write(CONFIGURATION, { './owner': 'wknd' }, signedIn({ 'csrf-token': 'other' }));
    expect(received[1]?.headers['csrf-token']).toBe('other');
  });

  it('creates a page and deletes a configuration page', async () => {
    const page = {
      cmd: 'createPage',
      parentPath: '/content/wknd',
      title: 'Configuration',
      label: 'configuration',
      template: '/libs/core/t',
    };
    expect((await write('/bin/wcmcommand', page)).status).toBe(200);
    expect((await write('/content/wknd/configuration', { ':operation': 'delete' })).status).toBe(200);
    expect(received).toHaveLength(2);
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
    ['/content/wknd/jcr:content', { ':operation': 'delete' }],
    ['/bin/wcmcommand', { ...page, cmd: 'deletePage' }],
    ['/bin/wcmcommand', { ...page, parentPath: '/apps' }],
    ['/bin/wcmcommand', { ...page, parentPath: '/content/../apps' }],
    ['/bin/wcmcommand', { ...page, label: '../x' }],
    ['/bin/wcmcommand', { ...page, force: 'true' }],
    ['/bin/wcmcommand', [...Object.entries(page), ['cmd', 'deletePage']]],
    ['/bin/wcmcommand', { cmd: 'createPage' }],
  ])('does not write to %s the fields %j', async (path, form) => {
    await expectRefusal(await write(path, form), 400, 'BODY_INVALID');
    expect(received).toEqual([]);
  });

  it.each(['/apps/x', '/content', '/content/wknd', '/conf/wknd', `${CONFIGURATION}?:operation=delete`, '/content/a%2f..%2fjcr:content'])(
    'does not write to %s',
    async (path) => {
      await expectRefusal(await write(path, { './owner': 'x' }), 403, 'AUTHOR_PATH_NOT_ALLOWED');
      expect(received).toEqual([]);
    },
  );

  it('takes forms alone, and no larger than the limit', async () => {
    const other = await fetch(`${service.address}/authoring/${host}${CONFIGURATION}`, {
      method: 'POST',
      headers: { ...signedIn(), 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x--',
    });
    await expectRefusal(other, 415, 'CONTENT_TYPE_UNSUPPORTED');
    await expectRefusal(await write(CONFIGURATION, { './owner': 'x'.repeat(200_000) }), 413, 'BODY_TOO_LARGE');
  });

  it('follows a redirect of the same author to a listed path', async () => {
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
    ['in a circle', () => '/content/wknd.json'],
    ['out of the list', () => '/content/%2e%2e%2fapps.json'],
    ['nowhere', () => 'http://['],
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

  it('waits no longer than the time limit, for the head and for the body', async () => {
    answer = () => undefined;
    await expectRefusal(await read('/content/wknd.json'), 504, 'AUTHOR_TIMEOUT');
    answer = (_request, response) => void response.writeHead(200).write('{');
    await expectRefusal(await read('/content/wknd.json'), 504, 'AUTHOR_TIMEOUT');
  });

  it('reads no more than the size limit, announced or not', async () => {
    answer = (_request, response) => void response.end('x'.repeat(2001));
    await expectRefusal(await read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
    answer = (_request, response) => void (response.write('x'.repeat(1500)), response.end('x'.repeat(1500)));
    await expectRefusal(await read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
  });

  it('says that an author does not answer', async () => {
    await expectRefusal(await read('/content/wknd.json', signedIn(), 'exact.localhost:1'), 502, 'AUTHOR_UNREACHABLE');
    answer = (request) => void request.socket.destroy();
    await expectRefusal(await read('/content/wknd.json'), 502, 'AUTHOR_UNREACHABLE');
  });

  it('does not go to internal addresses where the settings refuse them', async () => {
    const { port } = new URL(author.address);
    const careful = await startSessionService({
      internalAddresses: 'refuse',
      authorHosts: [host, `127.0.0.1:${port}`, `localhost:${port}`, `0x7f000001:${port}`],
    });
    const headers = { 'x-auth-token': await careful.token('ada.admin@example.com') };
    for (const internal of [host, `127.0.0.1:${port}`, `localhost:${port}`, `0x7f000001:${port}`]) {
      const response = await fetch(`${careful.address}/authoring/${internal}/content/wknd.json`, { headers });
      expect([internal, response.status, response.headers.get('x-error-code')]).toEqual([internal, 502, 'AUTHOR_UNREACHABLE']);
    }
    expect(received).toEqual([]);
    await careful.stop();
  });
});
