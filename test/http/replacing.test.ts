import { beforeEach, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SITE = '/config/wknd/sites/kept.json';
const access = { admin: { role: { admin: [OPERATOR] } } };
const complete = siteBody('wknd', 'kept', { access, public: publicPart('kept'), robots: { txt: 'User-agent: *\n' } });
const bare = siteBody('wknd', 'kept');
const sidekick = { project: 'Kept' };

const backend = startBeforeAll(() => startTestBackend());
beforeEach(async () => {
  const { status } = await backend.call('PUT', `${SITE}?replace=true`, { as: OPERATOR, body: complete });
  expect(status).toBeLessThan(300);
});

async function stored(): Promise<Record<string, unknown>> {
  return Object((await backend.call('GET', SITE, { as: OPERATOR })).json());
}

async function etag(): Promise<string> {
  return (await backend.call('GET', SITE, { as: OPERATOR })).headers['etag'] ?? '';
}

describe('PUT on a site that is there', () => {
  it.each(['', '?replace=false'])('keeps the parts that the body does not name (%o), and config.json with them', async (query) => {
    const answer = await backend.call('PUT', `${SITE}${query}`, { as: OPERATOR, body: bare });
    expect([answer.status, answer.headers['x-warning']]).toEqual([200, undefined]);
    expect(await stored()).toMatchObject(complete);
    const live = await backend.visit('live', 'main--kept--wknd', '/config.json');
    expect([live.status, live.json()]).toEqual([200, { public: publicPart('kept') }]);
  });

  it('is valid with one part alone, whatever that is', async () => {
    expect((await backend.call('PUT', SITE, { as: OPERATOR, body: { sidekick } })).status).toBe(200);
    expect(await stored()).toMatchObject({ ...complete, sidekick });
  });

  it.each([{}, { version: 1 }])('refuses %j, which names no part', async (body) => {
    const answer = await backend.call('PUT', SITE, { as: OPERATOR, body });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
    expect(await stored()).toMatchObject(complete);
  });

  it('replaces the part that it names, and does not merge it', async () => {
    const other = { paths: { includes: ['/content/kept/'] } };
    await backend.call('PUT', SITE, { as: OPERATOR, body: { public: other } });
    expect((await stored())['public']).toEqual(other);
  });

  it('refuses null, which names a part and says nothing of it', async () => {
    const answer = await backend.call('PUT', SITE, { as: OPERATOR, body: { access: null } });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
    expect(await stored()).toMatchObject(complete);
  });

  it('replaces the whole with ?replace=true, and says what that removes', async () => {
    const tried = await backend.call('PUT', `${SITE}?replace=true&dryRun=true`, { as: OPERATOR, body: bare });
    expect(tried.json()).toMatchObject({ status: 200, warnings: [expect.stringMatching(/removes access, public, robots\./)] });
    expect(await stored()).toMatchObject(complete);
    const answer = await backend.call('PUT', `${SITE}?replace=true`, { as: OPERATOR, body: bare });
    expect([answer.status, answer.headers['x-warning']]).toEqual([200, expect.stringMatching(/removes access, public, robots\./)]);
    expect(Object.keys(await stored())).not.toEqual(expect.arrayContaining(['access']));
  });

  it('replaces the whole where if-match is the etag of the whole, and says what that removes', async () => {
    const headers = { 'if-match': await etag() };
    const answer = await backend.call('PUT', SITE, { as: OPERATOR, body: bare, headers });
    expect([answer.status, answer.headers['x-warning']]).toEqual([200, expect.stringContaining('access, public, robots')]);
    expect(Object.keys(await stored())).not.toEqual(expect.arrayContaining(['public']));
  });

  it('keeps the parts where if-match is "*": that is a precondition alone', async () => {
    const answer = await backend.call('PUT', SITE, { as: OPERATOR, body: bare, headers: { 'if-match': '*' } });
    expect([answer.status, answer.headers['x-warning']]).toEqual([200, undefined]);
    expect(await stored()).toMatchObject(complete);
  });

  it('creates a site that is not there by the whole that it needs', async () => {
    const answer = await backend.call('PUT', '/config/wknd/sites/new-one.json', { as: OPERATOR, body: { sidekick } });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
  });
});

describe('POST on a site that is there', () => {
  it('replaces it whole, and says what that removes, in a dry run too', async () => {
    const tried = await backend.call('POST', `${SITE}?dryRun=true`, { as: OPERATOR, body: bare });
    expect(tried.json()).toMatchObject({ status: 200, warnings: [expect.stringContaining('access, public, robots')] });
    const answer = await backend.call('POST', SITE, { as: OPERATOR, body: bare });
    expect([answer.status, answer.headers['x-warning']]).toEqual([200, expect.stringContaining('access, public, robots')]);
    expect(Object.keys(await stored())).not.toEqual(expect.arrayContaining(['access']));
  });

  it('warns of nothing where it removes nothing', async () => {
    const answer = await backend.call('POST', SITE, { as: OPERATOR, body: { ...complete, sidekick } });
    expect([answer.status, answer.headers['x-warning']]).toEqual([200, undefined]);
  });

  it.each([SITE, '/config/wknd.json'])('says of %s that a name finds no version, where nothing changes', async (path) => {
    const read = await backend.call('GET', path, { as: OPERATOR });
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

describe('queries that say two things', () => {
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
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'QUERY_INVALID']);
    expect(answer.headers['x-error']).toMatch(sentence);
    expect(await stored()).toEqual(before);
  });
});
