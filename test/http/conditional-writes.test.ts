import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SITE = '/config/wknd/sites/conditional';
const as = OPERATOR;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  await backend.call('PUT', `${SITE}.json`, { as, body: siteBody('wknd', 'conditional') });
  await backend.call('PUT', `${SITE}.json`, { as, body: { title: 'Second' } });
});

async function etagOf(path: string): Promise<string> {
  return (await backend.call('GET', path, { as })).headers['etag'] ?? '';
}

async function madeKey(path: string): Promise<string> {
  const { id } = Object((await backend.call('POST', path, { as, body: { roles: ['author'] } })).json());
  return path.replace('.json', `/${id}.json`);
}

/** Each has something to be read, and calls that change it. */
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
  expect((await backend.call('POST', path, { as, body: { value: 'first' } })).status).toBe(200);
  return path;
}

describe.each(THINGS)('%s', (_, make, { method, body }) => {
  it('is changed by a dry run not at all, by an etag that is old not at all, and by the present one', async () => {
    const path = await make();
    const before = await etagOf(path);
    expect(before).toMatch(/^"[^"]+"$/);
    const tried = await backend.call(method, `${path}?dryRun=true`, { as, body });
    expect(tried.json()).toMatchObject({ dryRun: true, status: method === 'DELETE' ? 204 : 200 });
    for (const headers of [{ 'if-match': '"old"' }, { 'if-none-match': '*' }]) {
      const refused = await backend.call(method, path, { as, body, headers });
      expect([refused.status, refused.headers['x-error-code']]).toEqual([412, 'PRECONDITION_FAILED']);
    }
    expect(await etagOf(path)).toBe(before);
    expect((await backend.call('GET', path, { as, headers: { 'if-none-match': before } })).status).toBe(304);
    expect((await backend.call(method, path, { as, body, headers: { 'if-match': before } })).status).toBeLessThan(300);
    expect(await etagOf(path)).not.toBe(before);
  });
});

it.each([`${SITE}/secrets.json`, `${SITE}/apiKeys.json`, '/config/wknd/apiKeys.json', '/code/wknd/conditional/main/*'])(
  'POST %s makes something new: no if-match fits it, and a dry run leaves nothing',
  async (path) => {
    const list = path.startsWith('/code') ? '/job/wknd/conditional/main/code' : path;
    const before = (await backend.call('GET', list, { as })).text;
    const refused = await backend.call('POST', path, { as, headers: { 'if-match': '*' } });
    expect([refused.status, refused.headers['x-error-code']]).toEqual([412, 'PRECONDITION_FAILED']);
    const tried = await backend.call('POST', `${path}?dryRun=true`, { as });
    expect(Object.keys(Object(tried.json()).result)).not.toContain('value');
    expect((await backend.call('GET', list, { as })).text).toBe(before);
  },
);

describe('a secret', () => {
  it('that is posted without a name has the value of its sender, which is not repeated', async () => {
    const answer = await backend.call('POST', `${SITE}/secrets.json`, { as, body: { value: 'my-own' } });
    expect([answer.status, answer.json()]).toEqual([201, expect.objectContaining({ id: expect.any(String), type: 'hashed' })]);
    expect(answer.text).not.toContain('my-own');
    expect((await backend.call('GET', `${SITE}/secrets.json`, { as })).text).toContain(String(Object(answer.json()).id));
  });

  it.each(['Made_here=1', 'made-2'])(
    'is made by the service where it is posted by name without a value, and answered once (%s)',
    async (name) => {
      const path = `${SITE}/secrets/${name}.json`;
      for (const body of [undefined, {}]) {
        const answer = await backend.call('POST', path, { as, body });
        expect([answer.status, answer.json()]).toEqual([
          200,
          expect.objectContaining({ id: name, type: 'hashed', value: expect.any(String) }),
        ]);
      }
      expect(Object.keys(Object((await backend.call('GET', path, { as })).json()))).not.toContain('value');
    },
  );

  it('of an external repository is none that the service could make', async () => {
    const answer = await backend.call('POST', `${SITE}/secrets/cm-byog.json`, { as });
    expect([answer.status, answer.headers['x-error']]).toEqual([400, expect.stringContaining('build management')]);
  });
});
