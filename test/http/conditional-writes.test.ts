import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callsAs, EXTENSION_ORIGIN, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SITE = '/config/wknd/sites/conditional';
const as = OPERATOR;

const backend = startBeforeAll(() => startTestBackend());
const { call } = callsAs(backend, OPERATOR);
beforeAll(async () => {
  await call('PUT', `${SITE}.json`, siteBody('wknd', 'conditional'));
  await call('PUT', `${SITE}.json`, { title: 'Second' });
});

async function etagOf(path: string): Promise<string> {
  return (await call('GET', path)).headers['etag'] ?? '';
}

async function madeKey(path: string): Promise<string> {
  const { id } = Object((await call('POST', path, { roles: ['author'] })).json());
  return path.replace('.json', `/${id}.json`);
}

/** Each has an address to read, and calls that change it. */
const THINGS: readonly [string, () => Promise<string>, { method: string; body?: unknown }][] = [
  ['a secret that is set', () => madeSecret('one'), { method: 'POST', body: { value: 'another' } }],
  ['a secret that is removed', () => madeSecret('two'), { method: 'DELETE' }],
  ['a key of a site', () => madeKey(`${SITE}/apiKeys.json`), { method: 'DELETE' }],
  ['a key of an organization', () => madeKey('/config/wknd/apiKeys.json'), { method: 'DELETE' }],
  ['a version that is named', async () => `${SITE}/versions/1.json`, { method: 'POST', body: { name: 'first' } }],
  ['a version that is removed', async () => `${SITE}/versions/1.json`, { method: 'DELETE' }],
];

async function madeSecret(name: string): Promise<string> {
  const path = `${SITE}/secrets/${name}.json`;
  expect((await call('POST', path, { value: 'first' })).status).toBe(200);
  return path;
}

describe.each(THINGS)('%s', (_, make, { method, body }) => {
  it('is changed with the current etag, but not by a dry run or with an old etag', async () => {
    const path = await make();
    const before = await etagOf(path);
    expect(before).toMatch(/^"[^"]+"$/);
    const tried = await call(method, `${path}?dryRun=true`, body);
    expect(tried.json()).toMatchObject({ dryRun: true, status: method === 'DELETE' ? 204 : 200 });
    for (const headers of [{ 'if-match': '"old"' }, { 'if-none-match': '*' }]) {
      expect(await call(method, path, body, headers)).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    }
    expect(await etagOf(path)).toBe(before);
    expect((await backend.call('GET', path, { as, headers: { 'if-none-match': before } })).status).toBe(304);
    expect((await call(method, path, body, { 'if-match': before })).status).toBeLessThan(300);
    expect(await etagOf(path)).not.toBe(before);
  });
});

it.each([`${SITE}/secrets.json`, `${SITE}/apiKeys.json`, '/config/wknd/apiKeys.json', '/code/wknd/conditional/main/*'])(
  'POST %s makes something new: no if-match fits it, and a dry run leaves nothing',
  async (path) => {
    const list = path.startsWith('/code') ? '/job/wknd/conditional/main/code' : path;
    const before = (await call('GET', list)).text;
    const refused = await backend.call('POST', path, { as, headers: { 'if-match': '*' } });
    expect(refused).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    const tried = await call('POST', `${path}?dryRun=true`);
    expect(Object.keys(Object(tried.json()).result)).not.toContain('value');
    expect((await call('GET', list)).text).toBe(before);
  },
);

describe('a secret', () => {
  it('that is posted without a name has the value of its sender, which is not repeated', async () => {
    const answer = await call('POST', `${SITE}/secrets.json`, { value: 'my-own' });
    expect([answer.status, answer.json()]).toEqual([201, expect.objectContaining({ id: expect.any(String), type: 'hashed' })]);
    expect(answer.text).not.toContain('my-own');
    expect((await call('GET', `${SITE}/secrets.json`)).text).toContain(String(Object(answer.json()).id));
  });

  it.each(['Made_here=1', 'made-2'])(
    'is made by the service where it is posted by name without a value, and answered once (%s)',
    async (name) => {
      const path = `${SITE}/secrets/${name}.json`;
      for (const body of [undefined, {}]) {
        const answer = await call('POST', path, body);
        expect([answer.status, answer.json()]).toEqual([
          200,
          expect.objectContaining({ id: name, type: 'hashed', value: expect.any(String) }),
        ]);
      }
      expect(Object.keys(Object((await call('GET', path)).json()))).not.toContain('value');
    },
  );

  it('of an external repository is none that the service could make', async () => {
    const answer = await call('POST', `${SITE}/secrets/cm-byog.json`);
    expect([answer.status, answer.error]).toEqual([400, expect.stringContaining('build management')]);
  });
});

describe('?replace=true', () => {
  const SITE = '/config/wknd/sites/kept.json';
  const access = { admin: { role: { admin: [OPERATOR] } } };
  const complete = siteBody('wknd', 'kept', { access, public: publicPart('kept'), robots: { txt: 'User-agent: *\n' } });
  const bare = siteBody('wknd', 'kept');
  const sidekick = { project: 'Kept' };
  beforeEach(async () => {
    const { status } = await call('PUT', `${SITE}?replace=true`, complete);
    expect(status).toBeLessThan(300);
  });

  async function stored(): Promise<Record<string, unknown>> {
    return Object((await call('GET', SITE)).json());
  }

  async function etag(): Promise<string> {
    return (await call('GET', SITE)).headers['etag'] ?? '';
  }

  describe('PUT on a site that is there', () => {
    it.each(['', '?replace=false'])('keeps the parts that the body does not name (%o), and config.json with them', async (query) => {
      const answer = await call('PUT', `${SITE}${query}`, bare);
      expect([answer.status, answer.headers['x-warning']]).toEqual([200, undefined]);
      expect(await stored()).toMatchObject(complete);
      const live = await backend.visit('live', 'main--kept--wknd', '/config.json');
      expect([live.status, live.json()]).toEqual([200, { public: publicPart('kept') }]);
    });

    it('is valid with one part alone, whatever that is', async () => {
      expect((await call('PUT', SITE, { sidekick })).status).toBe(200);
      expect(await stored()).toMatchObject({ ...complete, sidekick });
    });

    it.each([{}, { version: 1 }])('refuses %j, which names no part', async (body) => {
      expect(await call('PUT', SITE, body)).toMatchObject({ status: 400, code: 'BODY_INVALID' });
      expect(await stored()).toMatchObject(complete);
    });

    it('replaces the part that it names, and does not merge it', async () => {
      const other = { paths: { includes: ['/content/kept/'] } };
      await call('PUT', SITE, { public: other });
      expect((await stored())['public']).toEqual(other);
    });

    it('refuses null, which names a part and says nothing of it', async () => {
      const answer = await call('PUT', SITE, { access: null });
      expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID' });
      expect(await stored()).toMatchObject(complete);
    });

    it('replaces the whole with ?replace=true, and says what that removes', async () => {
      const tried = await call('PUT', `${SITE}?replace=true&dryRun=true`, bare);
      expect(tried.json()).toMatchObject({ status: 200, warnings: [expect.stringMatching(/removes access, public, robots\./)] });
      expect(await stored()).toMatchObject(complete);
      const answer = await call('PUT', `${SITE}?replace=true`, bare);
      expect([answer.status, answer.headers['x-warning']]).toEqual([200, expect.stringMatching(/removes access, public, robots\./)]);
      expect(Object.keys(await stored())).not.toEqual(expect.arrayContaining(['access']));
    });

    it('replaces the whole where if-match is the etag of the whole, and says what that removes', async () => {
      const headers = { 'if-match': await etag() };
      const answer = await call('PUT', SITE, bare, headers);
      expect([answer.status, answer.headers['x-warning']]).toEqual([200, expect.stringContaining('access, public, robots')]);
      expect(Object.keys(await stored())).not.toEqual(expect.arrayContaining(['public']));
    });

    it('keeps the parts if if-match is "*", which is only a precondition', async () => {
      const answer = await call('PUT', SITE, bare, { 'if-match': '*' });
      expect([answer.status, answer.headers['x-warning']]).toEqual([200, undefined]);
      expect(await stored()).toMatchObject(complete);
    });

    it('creates a site that is not there by the whole that it needs', async () => {
      const answer = await call('PUT', '/config/wknd/sites/new-one.json', { sidekick });
      expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    });
  });

  describe('POST on a site that is there', () => {
    it('replaces it whole, and says what that removes, in a dry run too', async () => {
      const tried = await call('POST', `${SITE}?dryRun=true`, bare);
      expect(tried.json()).toMatchObject({ status: 200, warnings: [expect.stringContaining('access, public, robots')] });
      const answer = await call('POST', SITE, bare);
      expect([answer.status, answer.headers['x-warning']]).toEqual([200, expect.stringContaining('access, public, robots')]);
      expect(Object.keys(await stored())).not.toEqual(expect.arrayContaining(['access']));
    });

    it('warns of nothing if it removes nothing', async () => {
      const answer = await call('POST', SITE, { ...complete, sidekick });
      expect([answer.status, answer.headers['x-warning']]).toEqual([200, undefined]);
    });

    it.each([SITE, '/config/wknd.json'])('says of %s that a name finds no version, where nothing changes', async (path) => {
      const read = await call('GET', path);
      const write = { as: OPERATOR, body: read.json() };
      const tried = await backend.call('POST', `${path}?dryRun=true&versionName=mine`, write);
      expect(tried.json()).toMatchObject({ status: 200, warnings: [expect.stringContaining('versionName was not used')] });
      const answer = await backend.call('POST', `${path}?versionName=mine`, write);
      expect([answer.status, answer.headers['x-warning']]).toEqual([200, expect.stringContaining('versionName was not used')]);
    });

    it('lets a page of an allowed origin read the warning', async () => {
      const { headers } = await backend.call('GET', SITE, { headers: { origin: EXTENSION_ORIGIN } });
      expect(headers['access-control-expose-headers']?.split(', ')).toContain('x-warning');
    });
  });

  describe('contradictory queries', () => {
    it.each([
      ['POST', '?replace=false', /POST replaces a site whole/],
      ['PUT', '?owner=wknd&repo=other', /migrate=true/],
      ['POST', '?repo=other', /migrate=true/],
      ['GET', '?owner=other', /migrate=true/],
      ['PUT', '?migrate=true&replace=true', /Omit "replace"/],
      ['POST', '?migrate=true&restoreVersion=1', /not from both/],
    ])('%s %s is refused, and nothing is stored', async (method, query, sentence) => {
      const before = await stored();
      const answer = await backend.call(method, `${SITE}${query}`, { as: OPERATOR, ...(method !== 'GET' && { body: bare }) });
      expect(answer).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
      expect(answer.error).toMatch(sentence);
      expect(await stored()).toEqual(before);
    });
  });
});
