import { describe, expect, it } from 'vitest';
import { JobDetails } from '@repoless/contract/job.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { codeCalls, startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SECRET = 'the-very-secret-value-4711';
const KEY = 'the-key-of-build-management';
const byogit = startBeforeAll(() => startByogit(SECRET));
const settings = { BUILD_MANAGEMENT_KEY: KEY, CODE_RETRY_DELAY: '2', FIRST_CODE_SYNC: 'yes' };
const backend = startBeforeAll(() => startTestBackend({ settings, orgs: ['wknd', 'acme'] }));

const call = (method: string, path: string, body?: unknown) =>
  backend.call(method, path, { as: OPERATOR, ...(body !== undefined && { body }) });
const source = (more: Record<string, unknown> = {}) => ({
  source: { type: 'byogit', owner: '100', repo: '200', url: byogit.url, raw_url: byogit.rawUrl, ...more },
});
const { ended, start, status } = codeCalls(backend);
const putSite = (site: string, more: Record<string, unknown>, org = 'wknd') =>
  call('PUT', `/config/${org}/sites/${site}.json`, siteBody(org, site, more));
const setSecret = (site: string, value: string, org = 'wknd') =>
  call('POST', `/config/${org}/sites/${site}/secrets/cm-byog.json`, { value });

describe('the first sync of an external repository', () => {
  it('waits for the secret, and starts by itself after calls 5 and 6', async () => {
    expect((await putSite('first', { code: source({ secretId: 'cm-byog' }) })).status).toBe(201);
    expect((await call('POST', '/config/wknd/sites/first/code.json', source({ secretId: 'cm-byog' }))).status).toBe(200);
    expect((await status('first')).jobs).toEqual([]);
    expect(byogit.asked).toEqual([]);
    expect((await setSecret('first', 'wrong')).status).toBe(200);
    const failed = await ended('first');
    expect([failed.error, failed.user]).toEqual(['Unable to fetch hlxignore: 401', 'first sync']);
  });

  it('is retried with a new secret automatically', async () => {
    const { name } = await status('first');
    expect((await setSecret('first', SECRET)).status).toBe(200);
    const good = await ended('first');
    expect([good.error, good.data?.phase, good.user]).toEqual([undefined, 'completed', 'new secret']);
    expect(good.name).not.toBe(name);
    expect(good.jobs).toHaveLength(2);
  });

  it('is not repeated after success, neither by a further site nor by the same secret', async () => {
    expect((await putSite('second', { code: source() })).status).toBe(201);
    expect((await setSecret('first', SECRET)).status).toBe(200);
    expect((await call('POST', '/config/wknd/sites/first/code.json', source({ secretId: 'cm-byog' }))).status).toBe(200);
    expect((await status('second')).jobs).toHaveLength(2);
  });

  it('is retried for other branches that failed because of the secret', async () => {
    byogit.branches.set('side', new Map([['a.txt', 'a']]));
    byogit.secret = 'revoked';
    expect((await start('first', 'side')).status).toBe(202);
    expect((await ended('first', 'side')).error).toBe('Unable to fetch hlxignore: 401');
    byogit.secret = 'another-secret-value-4712';
    expect((await setSecret('first', byogit.secret)).status).toBe(200);
    expect((await ended('first', 'side')).error).toBeUndefined();
    expect((await status('first')).jobs).toHaveLength(2);
  });

  it('starts with the code if the secret was stored before', async () => {
    expect((await putSite('early', {}, 'acme')).status).toBe(201);
    expect((await setSecret('early', byogit.secret, 'acme')).status).toBe(200);
    expect((await call('POST', '/config/acme/sites/early/code.json', source({ secretId: 'cm-byog' }))).status).toBe(200);
    expect(await ended('acme/early')).toMatchObject({ user: 'first sync', data: { phase: 'completed' } });
  });

  it('starts for code that sites get from a profile', async () => {
    const other = { source: { type: 'byogit', owner: '100', repo: '200', url: byogit.url, raw_url: byogit.rawUrl } };
    await call('PUT', '/config/acme/profiles/shared.json', {
      code: { ...other, source: { ...other.source, raw_url: `${byogit.rawUrl}/` } },
    });
    const { code: _code, ...body } = siteBody('acme', 'late');
    expect((await call('PUT', '/config/acme/sites/late.json', { ...body, extends: { profile: 'shared' } })).status).toBe(201);
    expect((await ended('acme/late')).user).toBe('first sync');
  });
});

describe('the first sync of a repository of the code host', () => {
  const world = startBeforeAll(() => startCodeWorld({ settings: { FIRST_CODE_SYNC: 'yes' } }));

  it('starts once with the first site, and again with a further one if it failed', async () => {
    await world.fault('forbidden');
    await Promise.all(['one', 'two', 'three'].map((site) => world.register(site, {}, 'unchecked')));
    expect((await world.ended('one')).error).toContain('answered 403');
    await world.fault('none');
    await world.register('four');
    const good = await world.ended('four');
    expect([good.error, good.data?.phase]).toEqual([undefined, 'completed']);
    const before = good.jobs.length;
    await world.register('five');
    expect((await world.status('five')).jobs).toHaveLength(before);
    const answer = await world.backend.call('GET', `/job/wknd/one/main/code/${good.name ?? ''}/details`, { as: OPERATOR });
    expect(JobDetails.parse(answer.json()).data.changes.length).toBeGreaterThan(0);
  });
});
