import { beforeAll, describe, expect, it } from 'vitest';
import { aliasesOf } from '@repoless/contract/public-api.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const STRANGER = 'sam.stranger@example.com';

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  await backend.call('PUT', '/config/wknd/sites/first.json', {
    as: OPERATOR,
    body: siteBody('wknd', 'first', { public: publicPart('first'), robots: { txt: 'User-agent: *\n' } }),
  });
});

describe('the newer form of an address', () => {
  it.each([
    ['/config/wknd.json', '/wknd/config.json'],
    ['/config/wknd/sites.json', '/wknd/sites'],
    ['/config/wknd/sites.json', '/wknd/sites.json'],
    ['/config/wknd/sites.json', '/wknd/config/sites.json'],
    ['/config/wknd/users.json', '/wknd/config/users.json'],
    ['/config/wknd/profiles.json', '/wknd/profiles'],
    ['/config/wknd/profiles.json', '/wknd/profiles.json'],
    ['/config/wknd/profiles.json', '/wknd/config/profiles.json'],
    ['/config/wknd/aggregated/first.json', '/wknd/aggregated/first/config.json'],
    ['/config/wknd/aggregated/first/robots.txt', '/wknd/aggregated/first/config/robots.txt'],
    ['/config/wknd/aggregated/first/public.json', '/wknd/aggregated/first/config/public.json'],
    ['/config/wknd/sites/first.json', '/wknd/sites/first/config.json'],
    ['/config/wknd/sites/first/public.json', '/wknd/sites/first/config/public.json'],
    ['/config/wknd/sites/first/cdn/prod.json', '/wknd/sites/first/config/cdn/prod.json'],
    ['/config/wknd/sites/first/versions.json', '/wknd/sites/first/config/versions.json'],
    ['/config/wknd/sites/first/secrets.json', '/wknd/sites/first/config/secrets.json'],
    ['/config/wknd/sites/first/robots.txt', '/wknd/sites/first/config/robots.txt'],
    ['/job/wknd/first/main/code', '/wknd/sites/first/jobs/code'],
    ['/job/wknd/first/stage/code', '/wknd/sites/first/jobs/code?ref=stage'],
    ['/job/wknd/first/main/code', '/wknd/sites/first/job/code'],
    ['/code/wknd/first/*', '/wknd/sites/first/code/*'],
    ['/code/wknd/first/*', '/wknd/repos/first/code/*'],
    ['/code/wknd/first/main/scripts/scripts.js', '/wknd/repos/first/code/main/scripts/scripts.js'],
  ])('of %s, %s, answers the same', async (path, alias) => {
    const [one, other] = [await backend.call('GET', path, { as: OPERATOR }), await backend.call('GET', alias, { as: OPERATOR })];
    expect([other.status, other.headers['x-error-code'], other.headers['etag']]).toEqual([
      one.status,
      one.headers['x-error-code'],
      one.headers['etag'],
    ]);
    if (one.status === 200) expect(other.text).toBe(one.text);
  });

  it('takes writes, with all that is checked on them', async () => {
    const path = '/wknd/sites/second/config.json';
    expect((await backend.call('PUT', path, { as: OPERATOR, body: siteBody('wknd', 'second') })).status).toBe(201);
    expect((await backend.call('PUT', path, { as: OPERATOR, body: siteBody('wknd', 'third') })).headers['x-error-code']).toBe(
      'CONTENT_ADDRESS_MISMATCH',
    );
    const stale = { 'if-match': '"another"' };
    expect((await backend.call('PUT', path, { as: OPERATOR, body: siteBody('wknd', 'second'), headers: stale })).status).toBe(412);
    const part = '/wknd/sites/second/config/public.json';
    expect((await backend.call('POST', part, { as: OPERATOR, body: publicPart('second') })).status).toBe(200);
    expect((await backend.call('GET', '/config/wknd/sites/second/public.json', { as: OPERATOR })).json()).toEqual(publicPart('second'));
    expect((await backend.call('DELETE', path, { as: OPERATOR })).status).toBe(204);
    expect((await backend.call('GET', path, { as: OPERATOR })).status).toBe(404);
  });

  it('refuses methods and names as the address does', async () => {
    expect((await backend.call('DELETE', '/wknd/sites', { as: OPERATOR })).headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await backend.call('GET', '/WKND/sites/first/config.json', { as: OPERATOR })).headers['x-error-code']).toBe('NAME_INVALID');
    expect((await backend.call('GET', '/wknd/sites/first/config/nonsense.json', { as: OPERATOR })).headers['x-error-code']).toBe(
      'PROPERTY_UNKNOWN',
    );
  });

  const aliases = allEndpoints().flatMap(([id, row]) =>
    row.permission === 'public' ? [] : aliasesOf(row.path).map((alias) => ({ id, row, alias })),
  );

  // Concurrent, because each 404 for a stranger waits for the next time step.
  it.concurrent.each(aliases)('of $id lets in whom its own address lets in', async ({ row, alias }) => {
    const ask = async (path: string, as?: string) => {
      const filled = path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => PLACE[name] ?? '1');
      const { status } = await backend.call(row.method, filled, as === undefined ? {} : { as });
      return [401, 403, 404].includes(status) ? status : 'in';
    };
    for (const as of [undefined, STRANGER]) expect([as, await ask(alias.path, as)]).toEqual([as, await ask(row.path, as)]);
  });
});

const PLACE: Readonly<Record<string, string>> = { org: 'wknd', site: 'first', ref: 'main', profile: 'defaults', part: 'public.json' };

describe('a form instead of JSON', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('is taken where JSON is, lists and all', async () => {
    const user = await backend.call('POST', '/config/wknd/users.json', {
      as: OPERATOR,
      body: 'email=fred.form%40example.com&roles=author',
      headers: form,
    });
    expect([user.status, user.json()]).toEqual([200, expect.objectContaining({ email: 'fred.form@example.com', roles: ['author'] })]);
    const several = await backend.call('POST', '/config/wknd/users.json', {
      as: OPERATOR,
      body: 'email=frida.form%40example.com&roles[]=author&roles[]=publish',
      headers: form,
    });
    expect(several.json()).toMatchObject({ roles: ['author', 'publish'] });
    const secret = await backend.call('POST', '/config/wknd/sites/first/secrets/other.json', {
      as: OPERATOR,
      body: 'value=12345',
      headers: form,
    });
    expect(secret.status).toBe(200);
  });

  it('is checked as JSON is', async () => {
    const answer = await backend.call('POST', '/config/wknd/users.json', {
      as: OPERATOR,
      body: 'email=x%40example.com&roles=King',
      headers: form,
    });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
    const trap = await backend.call('POST', '/config/wknd/users.json', { as: OPERATOR, body: '__proto__=1', headers: form });
    expect(trap.headers['x-error-code']).toBe('BODY_INVALID');
  });
});
