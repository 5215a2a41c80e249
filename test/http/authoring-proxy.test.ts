import { describe, expect, it } from 'vitest';
import { AUTHORING_TOKEN, CONFIGURATION, useAuthoringProxy } from './authoring-proxy-world.ts';
import { startSessionService } from './session-service.ts';

describe('the authoring proxy to the authoring system', () => {
  const proxy = useAuthoringProxy();

  it('passes on the caller’s authoring token, and no other credential', async () => {
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

  it('asks for a sign-in, and takes no write by cookie', async () => {
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

  it('sends the path that it checked, encoded anew, and the query of a read', async () => {
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

  it('takes forms alone, and no larger than the limit', async () => {
    const other = await fetch(`${proxy.service.address}/authoring/${proxy.host}${CONFIGURATION}`, {
      method: 'POST',
      headers: { ...proxy.signedIn(), 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x--',
    });
    await proxy.expectRefusal(other, 415, 'CONTENT_TYPE_UNSUPPORTED');
    await proxy.expectRefusal(await proxy.write(CONFIGURATION, { './owner': 'x'.repeat(200_000) }), 413, 'BODY_TOO_LARGE');
  });

  it('does not go to internal addresses where the settings refuse them', async () => {
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
