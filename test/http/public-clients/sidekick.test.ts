import { beforeAll, describe, expect, it } from 'vitest';
import { callsAs, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient } from './public-client.ts';

const AUTHOR = 'ann.author@example.com';
const EXTENSION = 'abcdefghijklmnopabcdefghijklmnop';
const CONFIG = '/sidekick/wknd/kicked/main/config.json';
let domains: { preview: string; live: string };

const backend = startBeforeAll(() => startTestBackend({ settings: { EXTENSION_IDS: EXTENSION } }));
beforeAll(async () => {
  const info = Object((await backend.call('GET', '/service.json')).json());
  domains = { preview: info.previewDomain, live: info.liveDomain };
  const access = { admin: { role: { author: [AUTHOR] } } };
  const sidekick = { project: 'Kicked', plugins: [{ id: 'library', title: 'Library', url: '/tools/library.html' }] };
  const cdn = {
    prod: { host: 'www.kicked.example', type: 'managed', route: ['/de/**'] },
    review: { host: '$ref--$site--$org.review.example' },
  };
  await put('kicked', { access, sidekick, cdn });
  await put('plain', { title: 'Plain site' });
  await put('open', { access: { admin: { requireAuth: false } }, cdn: { preview: { host: '$ref--$repo--$owner.preview.example' } } });
});

async function put(site: string, more: object): Promise<void> {
  const body = siteBody('wknd', site, { code: { owner: 'acme', repo: 'shared' }, ...more });
  await callsAs(backend, OPERATOR).done('PUT', `/config/wknd/sites/${site}.json`, body);
}

describe('The configuration of a sidekick', () => {
  it('is the part with the hosts of the branch, the project’s name and the content source, for authors', async () => {
    const answer = await backend.call('GET', CONFIG, { as: AUTHOR });
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        project: 'Kicked',
        plugins: [{ id: 'library', title: 'Library', url: '/tools/library.html' }],
        previewHost: `main--kicked--wknd.${domains.preview}`,
        liveHost: `main--kicked--wknd.${domains.live}`,
        reviewHost: 'main--kicked--wknd.review.example',
        host: 'www.kicked.example',
        routes: ['/de/**'],
        contentSourceType: 'markup',
        contentSourceUrl: expect.stringContaining('/wknd/kicked/main'),
      },
    ]);
    const newer = await backend.call('GET', '/wknd/sites/kicked/sidekick', { as: AUTHOR });
    expect([newer.text, newer.headers['etag']]).toEqual([answer.text, answer.headers['etag']]);
    const branch = await backend.call('GET', '/sidekick/wknd/kicked/feature-one/config.json', { as: AUTHOR });
    expect(branch.json()).toMatchObject({ previewHost: `feature-one--kicked--wknd.${domains.preview}` });
  });

  it('exists for a site without that part, and is public if its reads are', async () => {
    const plain = await backend.call('GET', '/sidekick/wknd/plain/main/config.json', { as: OPERATOR });
    expect(plain.json()).toMatchObject({ project: 'Plain site', previewHost: `main--plain--wknd.${domains.preview}` });
    const open = await backend.call('GET', '/sidekick/wknd/open/main/config.json');
    expect([open.status, open.json()]).toEqual([
      200,
      expect.objectContaining({ project: 'open', previewHost: 'main--shared--acme.preview.example' }),
    ]);
    expect((await backend.call('GET', CONFIG)).status).toBe(401);
  });
});

describe('A page of a site', () => {
  const as = async (origin: string) => browserClient(backend, origin, { 'x-auth-token': await backend.token(OPERATOR) });

  it.each([
    [CONFIG, 'GET'],
    ['/status/wknd/kicked/main/', 'GET'],
    ['/log/wknd/kicked/main', 'GET'],
    ['/config/wknd/sites/kicked.json', 'GET'],
    ['/config/wknd/sites/kicked/sidekick.json', 'GET'],
    ['/config/wknd/aggregated/kicked.json', 'GET'],
    ['/wknd/sites/kicked/config.json', 'GET'],
    ['/wknd/repos/kicked/code/main', 'GET'],
  ])('on any branch of its own hosts may read %s', async (path, method) => {
    for (const host of [
      `main--kicked--wknd.${domains.preview}`,
      `main--kicked--wknd.${domains.live}`,
      `feature-one--kicked--wknd.${domains.preview}`,
    ]) {
      const answer = await (await as(`http://${host}`)).call(method, path);
      expect(answer.status, path).toBe(200);
    }
  });

  it('of another site, scheme or domain may not, and none may read what belongs to no site', async () => {
    const allowed = async (origin: string, path = CONFIG) => {
      const token = { 'x-auth-token': await backend.token(OPERATOR) };
      const { headers } = await backend.call('GET', path, { headers: { origin, ...token } });
      const preflight = await backend.call('OPTIONS', path, { headers: { origin, 'access-control-request-method': 'GET' } });
      expect(preflight.headers['access-control-allow-methods'] === undefined).toBe(headers['access-control-allow-origin'] === undefined);
      return headers['access-control-allow-origin'];
    };
    const own = `http://main--kicked--wknd.${domains.preview}`;
    expect(await allowed(own)).toBe(own);
    const others = [
      `http://main--plain--wknd.${domains.preview}`,
      `http://main--kicked--acme.${domains.preview}`,
      `https://main--kicked--wknd.${domains.preview}`,
      `http://main--kicked--wknd.${domains.preview}.evil.example`,
      `http://kicked--wknd.${domains.preview}`,
      `http://${domains.preview}`,
      'null',
    ];
    expect(await Promise.all(others.map((origin) => allowed(origin)))).toEqual(others.map(() => undefined));
    for (const path of [
      '/profile',
      '/config/wknd.json',
      '/config/wknd/sites.json',
      '/orgs.json',
      '/login/wknd/kicked/main',
      '/wknd/sites/kicked/login',
    ])
      expect([path, await allowed(own, path)]).toEqual([path, undefined]);
  });

  const PROFILES = [
    '/profile/wknd/kicked/main',
    '/profile/wknd/kicked/feature-one',
    '/profile/wknd/kicked',
    '/profile?org=wknd&site=kicked',
  ];

  it.each(PROFILES)('reads at %s who its token belongs to', async (path) => {
    for (const host of [`main--kicked--wknd.${domains.preview}`, `feature-one--kicked--wknd.${domains.live}`]) {
      const origin = `http://${host}`;
      const answer = await (await as(origin)).call('GET', path);
      expect([answer.status, answer.json()]).toEqual([
        200,
        expect.objectContaining({ profile: expect.objectContaining({ email: OPERATOR }) }),
      ]);
      for (const form of ['token', 'Bearer']) {
        const authorization = `${form} ${await backend.token(OPERATOR)}`;
        const { headers } = await backend.call('GET', path, { headers: { origin, authorization } });
        expect([headers['access-control-allow-origin'], headers['set-cookie']]).toEqual([origin, undefined]);
      }
      const ended = await browserClient(backend, origin, { 'x-auth-token': 'ended' }).call('GET', path);
      expect([ended.status, ended.json()]).toEqual([401, expect.objectContaining({ error: 'unauthorized' })]);
    }
  });

  it.each([...PROFILES, '/profile'])('of another site does not read it at %s, and none does by a cookie', async (path) => {
    const token = await backend.token(OPERATOR);
    const own = `http://main--kicked--wknd.${domains.preview}`;
    const others = [
      `http://main--plain--wknd.${domains.preview}`,
      `http://main--kicked--acme.${domains.live}`,
      `https://main--kicked--wknd.${domains.preview}`,
      `http://main--kicked--wknd.${domains.preview}.evil.example`,
      `http://${domains.preview}`,
    ];
    for (const origin of [...others, ...(path === '/profile' ? [own] : [])]) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await backend.call(method, path, { headers: { origin, 'x-auth-token': token } });
        expect([origin, headers['access-control-allow-origin'], headers['access-control-allow-headers']]).toEqual([
          origin,
          undefined,
          undefined,
        ]);
      }
    }
    const cookie = `auth_token=${token}`;
    for (const headers of [{ cookie }, { cookie, 'sec-fetch-site': 'same-site' }, { cookie, authorization: 'Basic abc' }, {}]) {
      const answer = await backend.call('GET', path, { headers: { origin: own, ...headers } });
      expect([answer.status, answer.headers['access-control-allow-origin'], answer.text.includes(OPERATOR)]).toEqual([
        401,
        undefined,
        false,
      ]);
    }
  });

  it('whose address and query name different sites is identified by the address', async () => {
    const path = '/profile/wknd/kicked/main?org=wknd&site=plain';
    const allowed = async (site: string) => {
      const origin = `http://main--${site}--wknd.${domains.preview}`;
      const { headers } = await backend.call('GET', path, { headers: { origin, 'x-auth-token': await backend.token(OPERATOR) } });
      return headers['access-control-allow-origin'] === origin;
    };
    expect([await allowed('kicked'), await allowed('plain')]).toEqual([true, false]);
  });

  it('does not learn who is signed in by cookie', async () => {
    const origin = `http://main--kicked--wknd.${domains.preview}`;
    const cookie = `auth_token=${await backend.token(OPERATOR)}`;
    expect((await backend.call('GET', CONFIG, { headers: { origin, cookie } })).status).toBe(401);
  });
});

it('Only browser extensions listed in the settings may read answers', async () => {
  for (const [id, isAllowed] of [
    [EXTENSION, true],
    ['ponmlkjihgfedcbaponmlkjihgfedcba', false],
  ] as const) {
    const origin = `chrome-extension://${id}`;
    const { headers } = await backend.call('GET', '/profile', { headers: { origin } });
    expect(headers['access-control-allow-origin']).toBe(isAllowed ? origin : undefined);
  }
});
