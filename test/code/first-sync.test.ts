import { describe, expect, it } from 'vitest';
import { JobDetails, JobStatus } from '@repoless/contract/job.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { codeCalls, startCodeWorld, externalCode, reportPush } from '../support/code-world.ts';
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
  it('waits for the secret, and starts automatically after calls 5 and 6', async () => {
    expect((await putSite('first', { code: source({ secretId: 'cm-byog' }) })).status).toBe(201);
    expect((await call('POST', '/config/wknd/sites/first/code.json', source({ secretId: 'cm-byog' }))).status).toBe(200);
    expect((await status('first')).jobs).toEqual([]);
    expect(byogit.requests).toEqual([]);
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
describe('What is revealed of other organizations', () => {
  const [WEBHOOK, KEY] = ['the-secret-of-the-webhook', 'the-key-of-build-management'];
  const LONG = 'feature/of-a-name-that-no-host-name-has-room-for-whatever-the-site';

  const world = startBeforeAll(() =>
    startCodeWorld({
      orgs: ['wknd', 'other', 'third'],
      settings: { GITHUB_WEBHOOK_SECRET: WEBHOOK, BUILD_MANAGEMENT_KEY: KEY },
    }),
  );
  const byogit = startBeforeAll(() => startByogit('the-secret-of-the-repository'));

  const put = (org: string, site: string, more: Readonly<Record<string, unknown>> = {}) =>
    world.register(`${org}/${site}`, more, 'unchecked');

  const external = () => externalCode(byogit.address, { owner: '100', repo: '200', secretId: 'cm-byog' });

  describe('the sender of a push', () => {
    it('to a repository of the code host gets no names of sites or organizations', async () => {
      await put('other', 'site-of-others');
      const { ignored } = (await reportPush(world.backend, WEBHOOK, { ref: `refs/heads/${LONG}` })).json() as { ignored: string };
      expect(ignored).toBe(
        `No site on this repository has a host name that leaves enough characters for the branch "${LONG}": DNS allows 63 characters for branch, site and organization together. Give the branch a shorter name.`,
      );
    });

    it('to an external repository only gets names of sites of its own organization', async () => {
      await put('other', 'first-of-others', { code: external() });
      await put('third', 'first-of-third', { code: external() });
      const push = async (query: string) => {
        const headers = { authorization: `Bearer ${KEY}` };
        const answer = await world.backend.call('POST', `/code-sync/100/200/${LONG.replace('/', '-')}${query}`, { headers });
        return (answer.json() as { ignored: string }).ignored;
      };
      expect(await push('?org=other')).toContain('--first-of-others--other" has');
      expect(await push('')).toMatch(
        /^No site on this repository has a host name that leaves enough characters for the branch "[^"]*"[^"]*$/,
      );
    });
  });

  describe('who started a sync', () => {
    it.each([
      ['an API key', undefined],
      ['a person without an e-mail address', { email: 'someone', userId: 'ada@example.com' }],
    ])('is only shown to the administrators of their own organization: %s', async (what, person) => {
      const site = `began-${what.length}`;
      await put('other', site, { access: { admin: { role: { admin: [OPERATOR], author: ['ada@example.com'] } } } });
      await put('third', site);
      const created = await world.backend.call('POST', `/config/other/sites/${site}/apiKeys.json`, {
        as: OPERATOR,
        body: { roles: ['author'] },
      });
      const token = person === undefined ? (created.json() as { value: string }).value : await world.backend.token(person);
      const headers = { 'x-auth-token': token };
      expect((await world.backend.call('POST', `/code/other/${site}/main/*`, { headers })).status).toBe(202);
      const ended = async (org: string) => (await world.ended(`${org}/${site}`)).user;
      expect([await ended('other'), await ended('third')]).toEqual([expect.stringMatching(/^(?:api-key:.*|someone)$/), undefined]);
    });
  });

  describe('why the sync of an external repository failed', () => {
    it('is only shown to people with a role, even if everyone may read the site', async () => {
      const code = external();
      await put('wknd', 'holder', { code });
      const elsewhere = { ...code, source: { type: 'byogit', url: `${byogit.url}/elsewhere`, raw_url: byogit.rawUrl } };
      await put('wknd', 'open', { code: elsewhere, access: { admin: { requireAuth: false, role: { admin: [OPERATOR] } } } });
      const job = await world.sync('open');
      expect(job.error).toContain('"wknd/holder"');
      const name = job.name ?? '';
      for (const path of ['', `/${name}`, `/${name}/details`]) {
        const { status, text } = await world.backend.call('GET', `/job/wknd/open/main/code${path}`);
        expect([status, text]).toEqual([200, expect.stringContaining('The sync failed. Sign in')]);
        expect(text).not.toContain('holder');
      }
      const { json } = await world.backend.call('GET', '/status/wknd/open/main');
      expect(json()).toMatchObject({ code: { state: 'failed', error: expect.stringMatching(/^The sync failed\./) as string } });
      const signedIn = await world.backend.call('GET', '/status/wknd/open/main', { as: OPERATOR });
      expect(signedIn.json()).toMatchObject({ code: { error: job.error } });
      const visited = await world.backend.visit('preview', 'main--open--wknd', '/scripts/scripts.js');
      expect(visited.headers['x-error']).toBe(
        'The code of branch "main" is not synchronized: its sync failed. The job of the sync says why.',
      );
      expect(JobStatus.parse(job).jobs[0]?.error).toBe(job.error);
    });
  });
});
