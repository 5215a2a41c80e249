import { beforeAll, describe, expect, it } from 'vitest';
import { aliasesOf, notOfferedAt } from '@repoless/contract/public-api.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { EXTENSION_ORIGIN, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import fc from 'fast-check';

const STRANGER = 'sam.stranger@example.com';

const backend = startBeforeAll(() =>
  startTestBackend({
    profiles: { base: { title: 'Base' } },
    sites: {
      first: { public: publicPart('first'), robots: { txt: 'User-agent: *\n' } },
      rows: { headers: { '/**': [{ key: 'x-brand', value: 'one' }] }, robots: { txt: 'User-agent: *\n' } },
    },
  }),
);

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
  ])('of %s, %s, gives the same answer', async (path, alias) => {
    const [one, other] = [await backend.call('GET', path, { as: OPERATOR }), await backend.call('GET', alias, { as: OPERATOR })];
    expect([other.status, other.code, other.headers['etag']]).toEqual([one.status, one.code, one.headers['etag']]);
    if (one.status === 200) expect(other.text).toBe(one.text);
  });

  it('accepts writes with all their checks', async () => {
    const path = '/wknd/sites/second/config.json';
    expect((await backend.call('PUT', path, { as: OPERATOR, body: siteBody('wknd', 'second') })).status).toBe(201);
    expect((await backend.call('PUT', path, { as: OPERATOR, body: siteBody('wknd', 'third') })).code).toBe('CONTENT_ADDRESS_MISMATCH');
    const stale = { 'if-match': '"another"' };
    expect((await backend.call('PUT', path, { as: OPERATOR, body: siteBody('wknd', 'second'), headers: stale })).status).toBe(412);
    const part = '/wknd/sites/second/config/public.json';
    expect((await backend.call('POST', part, { as: OPERATOR, body: publicPart('second') })).status).toBe(200);
    expect((await backend.call('GET', '/config/wknd/sites/second/public.json', { as: OPERATOR })).json()).toEqual(publicPart('second'));
    expect((await backend.call('DELETE', path, { as: OPERATOR })).status).toBe(204);
    expect((await backend.call('GET', path, { as: OPERATOR })).status).toBe(404);
  });

  it('refuses methods and names like the original address', async () => {
    expect((await backend.call('DELETE', '/wknd/sites', { as: OPERATOR })).headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await backend.call('GET', '/WKND/sites/first/config.json', { as: OPERATOR })).code).toBe('NAME_INVALID');
    expect((await backend.call('GET', '/wknd/sites/first/config/nonsense.json', { as: OPERATOR })).code).toBe('PROPERTY_UNKNOWN');
  });

  const aliases = allEndpoints().flatMap(([id, row]) =>
    row.permission === 'public' ? [] : aliasesOf(row.path).map((alias) => ({ id, row, alias })),
  );

  // Concurrent, because each 404 for a stranger waits for the next time step.
  it.concurrent.each(aliases)('of $id answers anonymous callers and strangers like the original address', async ({ row, alias }) => {
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

  it('is accepted like JSON, including lists', async () => {
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

  it('is checked like JSON', async () => {
    const answer = await backend.call('POST', '/config/wknd/users.json', {
      as: OPERATOR,
      body: 'email=x%40example.com&roles=King',
      headers: form,
    });
    expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    const trap = await backend.call('POST', '/config/wknd/users.json', { as: OPERATOR, body: '__proto__=1', headers: form });
    expect(trap.code).toBe('BODY_INVALID');
  });
});

const TECHNICAL_ACCOUNT = 'p100-e200@techacct.example.com';
const SITE = '/config/wknd/sites/lantern';
const FURTHER = '/config/wknd/sites/orchard';
const paths = { mappings: ['/content/lantern/:/', '/content/lantern/configuration:/.helix/config.json'], includes: ['/content/lantern/'] };
const access = { admin: { role: { admin: [OPERATOR], config_admin: [TECHNICAL_ACCOUNT] }, requireAuth: 'auto' } };
const code = {
  owner: '100',
  repo: '200',
  source: { type: 'byogit', url: 'https://build.example.com/api', raw_url: 'https://build.example.com/raw', owner: '100', repo: '200' },
};
const codeWithSecret = { ...code, source: { ...code.source, secretId: 'cm-byog' } };

/** The ten calls by their numbers, each with its body (docs/contract.md 1.1). */
const CALLS = {
  1: ['PUT', `${SITE}.json`, { version: 1, code: codeWithSecret, content: contentOf('lantern') }],
  2: ['POST', `${FURTHER}.json`, { code, content: contentOf('orchard'), access: { admin: { role: { admin: [OPERATOR] } } } }],
  3: ['POST', `${SITE}/public.json`, { paths }],
  4: ['POST', `${SITE}/access.json`, access],
  5: ['POST', `${SITE}/code.json`, { source: codeWithSecret.source }],
  6: ['POST', `${SITE}/secrets/cm-byog.json`, { value: 'the-secret' }],
  7: ['GET', '/job/wknd/lantern/main/code', undefined],
  8: ['GET', '/login', undefined],
  9: ['GET', '/profile', undefined],
} as const;
type CallNumber = keyof typeof CALLS;
const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const satisfies readonly CallNumber[];
beforeAll(async () => {
  for (const number of NUMBERS) expect((await call(number)).status).toBeLessThan(300);
});

describe('on a complete site', () => {
  it('repeating the ten calls in any order preserves config.json, access and mappings', async () => {
    const before = await siteState();
    expect(before).toEqual({ config: { public: { paths } }, access, paths });
    const orders = fc.shuffledSubarray([...NUMBERS], { minLength: NUMBERS.length });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        for (const number of order) {
          const { status, headers } = await call(number);
          expect([number, status < 300, headers['x-warning']]).toEqual([number, true, undefined]);
          expect([number, await siteState()]).toEqual([number, before]);
        }
      }),
      { numRuns: 6, seed: 8 },
    );
  });

  it('call 2 replaces the complete site and warns of that in its dry run and its answer', async () => {
    const [, , body] = CALLS[2];
    await backend.call('POST', `${FURTHER}/public.json`, { as: OPERATOR, body: { paths: { includes: ['/content/orchard/'] } } });
    const dryRun = await backend.call('POST', `${FURTHER}.json?dryRun=true`, { as: OPERATOR, body });
    expect(dryRun.json()).toMatchObject({ status: 200, warnings: [expect.stringContaining('removes public')] });
    expect(await call(2)).toMatchObject({ status: 200, headers: { 'x-warning': expect.stringContaining('removes public') } });
    expect((await backend.visit('live', 'main--orchard--wknd', '/config.json')).status).toBe(404);
  });
});

async function call(number: CallNumber) {
  const [method, path, body] = CALLS[number];
  return await backend.call(method, path, { as: OPERATOR, body });
}

/** The answer of call 10, and the stored state behind it. */
async function siteState(): Promise<unknown> {
  const [config, live, stored] = await Promise.all([
    backend.visit('preview', 'main--lantern--wknd', '/config.json'),
    backend.visit('live', 'main--lantern--wknd', '/config.json'),
    backend.call('GET', `${SITE}.json`, { as: OPERATOR }),
  ]);
  expect([config.status, live.text]).toEqual([200, config.text]);
  const site = Object(stored.json());
  return { config: config.json(), access: site.access, paths: site.public.paths };
}

function contentOf(site: string) {
  return {
    source: { type: 'markup', url: `https://author-p100-e200.example.com/bin/franklin.delivery/wknd/${site}/main`, suffix: '.html' },
  };
}

describe('every endpoint', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
  const PLACE: Readonly<Record<string, string>> = {
    org: 'wknd',
    site: 'rows',
    ref: 'main',
    profile: 'base',
    version: '1',
    from: '1',
    to: '1',
    part: 'headers.json',
    name: 'job-2026-01-01-00-00-00-00000000',
  };
  /** They differ between answers (as do the nonces of a policy), or describe how the body is sent, and HEAD has none. */
  const CHANGING = new Set(['date', 'x-request-id', 'set-cookie', 'transfer-encoding', 'connection', 'keep-alive']);

  const filled = (path: string) => path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => PLACE[name] ?? 'x');
  /** Each address of the service, aliases too, with the methods of the rows on it. */
  const addresses = new Map<string, Set<string>>();
  for (const [, row] of allEndpoints())
    for (const { path } of [row, ...aliasesOf(row.path)]) addresses.set(path, (addresses.get(path) ?? new Set()).add(row.method));
  const readable = [...addresses].filter(([, methods]) => methods.has('GET')).map(([path]) => path);

  describe('HEAD', () => {
    it.each(readable)('on %s answers like GET, without the body', async (path) => {
      for (const as of [OPERATOR, undefined]) {
        const caller = as === undefined ? {} : { as };
        const get = await backend.call('GET', filled(path), caller);
        const head = await backend.call('HEAD', filled(path), caller);
        expect([head.status, head.text]).toEqual([get.status, '']);
        expect(lasting(head.headers)).toEqual(lasting(get.headers));
      }
    });
  });

  function lasting(headers: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
    const stable = Object.entries(headers).filter(([name]) => !CHANGING.has(name));
    return Object.fromEntries(stable.map(([name, value]) => [name, value?.replaceAll(/nonce-[\w-]+/g, 'nonce')]));
  }

  describe('an unsupported method', () => {
    it.each([...addresses])('is refused on %s with the list of supported methods', async (path, methods) => {
      const has = new Set([...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS']);
      const others = METHODS.filter((one) => !has.has(one) && notOfferedAt(one, filled(path)) === undefined);
      for (const method of ['PATCH', ...others]) {
        const answer = await backend.call(method, filled(path), { as: OPERATOR });
        expect(answer, method).toMatchObject({ status: 405, error: 'method not allowed', code: 'METHOD_NOT_ALLOWED' });
        expect(new Set(answer.headers['allow']?.split(', '))).toEqual(has);
      }
    });
  });

  it('answers OPTIONS without a token, also at its aliases', async () => {
    for (const path of addresses.keys()) {
      const answer = await backend.call('OPTIONS', filled(path), {
        headers: { origin: EXTENSION_ORIGIN, 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'x-auth-token' },
      });
      expect([path, answer.status, answer.headers['access-control-allow-origin']]).toEqual([path, 204, EXTENSION_ORIGIN]);
      // The same on every address, so it cannot list the methods of this one.
      expect([path, answer.headers['allow']]).toEqual([path, undefined]);
    }
  });
});
