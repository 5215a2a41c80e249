import { describe, expect, it } from 'vitest';
import { JobStatus } from '@repoless/contract/job.ts';
import { OPERATOR } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { externalCode, reportPush, startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

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
  it('to a repository of the code host is told of no site and no organization that has no host for the branch', async () => {
    await put('other', 'site-of-others');
    const { ignored } = (await reportPush(world.backend, WEBHOOK, { ref: `refs/heads/${LONG}` })).json() as { ignored: string };
    expect(ignored).toBe(
      `No site on this repository has a host name with room for the branch "${LONG}": DNS allows 63 characters for branch, site and organization together. Give the branch a shorter name.`,
    );
  });

  it('to an external repository is told of the sites of its own organization alone', async () => {
    await put('other', 'first-of-others', { code: external() });
    await put('third', 'first-of-third', { code: external() });
    const push = async (query: string) => {
      const headers = { authorization: `Bearer ${KEY}` };
      const answer = await world.backend.call('POST', `/code-sync/100/200/${LONG.replace('/', '-')}${query}`, { headers });
      return (answer.json() as { ignored: string }).ignored;
    };
    expect(await push('?org=other')).toContain('--first-of-others--other" has');
    expect(await push('')).toMatch(/^No site on this repository has a host name with room for the branch "[^"]*"[^"]*$/);
  });
});

describe('who began a sync', () => {
  it.each([
    ['an API key', undefined],
    ['a person without an e-mail address', { email: 'someone', userId: 'ada@example.com' }],
  ])('is told to the administrators of their own organization alone: %s', async (what, who) => {
    const site = `began-${what.length}`;
    await put('other', site, { access: { admin: { role: { admin: [OPERATOR], author: ['ada@example.com'] } } } });
    await put('third', site);
    const made = await world.backend.call('POST', `/config/other/sites/${site}/apiKeys.json`, {
      as: OPERATOR,
      body: { roles: ['author'] },
    });
    const token = who === undefined ? (made.json() as { value: string }).value : await world.backend.token(who);
    const headers = { 'x-auth-token': token };
    expect((await world.backend.call('POST', `/code/other/${site}/main/*`, { headers })).status).toBe(202);
    const ended = async (org: string) => (await world.ended(`${org}/${site}`)).user;
    expect([await ended('other'), await ended('third')]).toEqual([expect.stringMatching(/^(?:api-key:.*|someone)$/), undefined]);
  });
});

describe('why the sync of an external repository failed', () => {
  it('is told to those who have a role there, and to nobody else whom the site lets read', async () => {
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
    const told = await world.backend.call('GET', '/status/wknd/open/main', { as: OPERATOR });
    expect(told.json()).toMatchObject({ code: { error: job.error } });
    const visited = await world.backend.visit('preview', 'main--open--wknd', '/scripts/scripts.js');
    expect(visited.headers['x-error']).toBe(
      'The code of branch "main" is not synchronized: its sync failed. The job of the sync says why.',
    );
    expect(JobStatus.parse(job).jobs[0]?.error).toBe(job.error);
  });
});
