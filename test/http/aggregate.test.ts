import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const READER = 'rita.reader@example.com';
const EDITOR = 'ed.editor@example.com';
const HIDDEN = ['ada@example.com', 'key-1', 'reader-secret', 'purge-token', 'cm-byog', READER];
const AGGREGATED = '/config/wknd/aggregated/one.json';

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  const profile = {
    access: { admin: { role: { admin: ['ada@example.com'], config: [READER], author: [EDITOR] }, apiKeyId: ['key-1'] } },
    groups: { editors: { members: [{ email: 'ada@example.com' }] } },
    cdn: { prod: { type: 'fastly', host: '', serviceId: 's1', authToken: 'purge-token' } },
    headers: { '/**': [{ key: 'x-brand', value: 'base' }] },
  };
  const source = {
    type: 'byogit',
    url: 'https://git.example/api',
    raw_url: 'https://git.example/raw',
    owner: '1',
    repo: '2',
    secretId: 'cm-byog',
  };
  const site = siteBody('wknd', 'one', {
    code: { source },
    extends: { profile: 'base' },
    access: { preview: { secretId: ['reader-secret'] } },
    cdn: { prod: { host: 'www.one.example' } },
  });
  await made('/config/wknd/profiles/base.json', profile);
  await made('/config/wknd/sites/one.json', site);
});

async function made(path: string, body: object): Promise<void> {
  const { status, text } = await backend.call('PUT', path, { as: OPERATOR, body });
  expect(status, text).toBe(201);
}

describe('The aggregate of a site', () => {
  it('is its configuration over that of its profile', async () => {
    const answer = await backend.call('GET', AGGREGATED, { as: OPERATOR });
    expect(answer.json()).toMatchObject({
      name: 'one',
      extends: { profile: 'base' },
      access: { admin: { apiKeyId: ['key-1'] }, preview: { secretId: ['reader-secret'] } },
      cdn: { prod: { type: 'fastly', host: 'www.one.example', serviceId: 's1', authToken: 'purge-token' } },
      headers: { '/**': [{ key: 'x-brand', value: 'base' }] },
    });
    const own = await backend.call('GET', '/config/wknd/sites/one.json', { as: OPERATOR });
    expect(own.json()).not.toHaveProperty('headers');
  });

  it('can be read part by part, with an etag of the part', async () => {
    const headers = await backend.call('GET', '/config/wknd/aggregated/one/headers.json', { as: OPERATOR });
    expect([headers.status, headers.json()]).toEqual([200, { '/**': [{ key: 'x-brand', value: 'base' }] }]);
    const again = { 'if-none-match': headers.headers['etag'] ?? '' };
    expect((await backend.call('GET', '/config/wknd/aggregated/one/headers.json', { as: OPERATOR, headers: again })).status).toBe(304);
    const below = await backend.call('GET', '/wknd/aggregated/one/config/cdn/prod.json', { as: READER });
    expect(below.json()).toEqual({ type: 'fastly', host: 'www.one.example' });
    const answers = await Promise.all(
      ['access/admin.json', 'folders.json', 'nonsense.json', 'robots.txt'].map(async (part) => {
        const { status, headers: told } = await backend.call('GET', `/config/wknd/aggregated/one/${part}`, { as: READER });
        return [part, status, told['x-error-code']];
      }),
    );
    expect(answers).toEqual([
      ['access/admin.json', 404, 'PART_NOT_FOUND'],
      ['folders.json', 404, 'PART_NOT_FOUND'],
      ['nonsense.json', 400, 'PROPERTY_UNKNOWN'],
      ['robots.txt', 404, 'PART_NOT_FOUND'],
    ]);
  });

  it('has the robots.txt of the profile where the site has none', async () => {
    await made('/config/wknd/profiles/robots.json', { robots: { txt: 'User-agent: *\nDisallow: /base/\n' } });
    await made('/config/wknd/sites/two.json', siteBody('wknd', 'two', { extends: { profile: 'robots' } }));
    const answer = await backend.call('GET', '/wknd/aggregated/two/config/robots.txt', { as: OPERATOR });
    expect([answer.status, answer.text]).toEqual([200, 'User-agent: *\nDisallow: /base/\n']);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
  });

  it('shows nothing of people, keys and secrets to who may read the configuration alone', async () => {
    const answer = await backend.call('GET', AGGREGATED, { as: READER });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ cdn: { prod: { type: 'fastly', host: 'www.one.example' } }, headers: {} });
    for (const hidden of HIDDEN) expect(answer.text).not.toContain(hidden);
  });

  it('has an etag of what is shown', async () => {
    const { headers } = await backend.call('GET', AGGREGATED, { as: READER });
    expect(headers['etag']).not.toBe((await backend.call('GET', AGGREGATED, { as: OPERATOR })).headers['etag']);
    const again = await backend.call('GET', AGGREGATED, { as: READER, headers: { 'if-none-match': headers['etag'] ?? '' } });
    expect(again.status).toBe(304);
  });

  it('gives the roles that the profile names on the site', async () => {
    expect((await backend.call('GET', '/config/wknd/sites/one.json', { as: 'ada@example.com' })).status).toBe(200);
    expect((await backend.call('GET', '/config/wknd/sites/one.json', { as: READER })).status).toBe(403);
    expect((await backend.call('GET', AGGREGATED, { as: EDITOR })).status).toBe(403);
    expect((await backend.call('GET', AGGREGATED)).status).toBe(401);
  });

  it('is open, and redacted, where reads need no sign-in', async () => {
    const open = { role: { admin: ['ada@example.com'] }, requireAuth: false };
    await backend.call('POST', '/config/wknd/sites/one/access/admin.json', { as: OPERATOR, body: open });
    const answer = await backend.call('GET', AGGREGATED);
    expect(answer.status).toBe(200);
    for (const hidden of HIDDEN) expect(answer.text).not.toContain(hidden);
  });
});
