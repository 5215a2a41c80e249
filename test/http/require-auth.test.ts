import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;
const STRANGER = 'sam.stranger@example.com';
const ADA = 'ada.admin@example.com';
const VALUES = { auto: 'auto', yes: true, no: false, none: undefined } as const;
const OPEN = ['no', 'no-text'];

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  for (const [site, requireAuth] of Object.entries(VALUES)) {
    const admin = { role: { admin: [ADA], author: ['groups/writers'] }, ...(requireAuth !== undefined && { requireAuth }) };
    const groups = { writers: { members: [{ email: 'wanda.writer@example.com' }] } };
    const cdn = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 's1', authToken: 'hush-hush' } };
    const body = siteBody('wknd', site, { access: { admin }, groups, cdn, public: publicPart(site) });
    expect((await backend.call('PUT', address(site), { as, body })).status).toBe(201);
  }
});

describe.each(Object.keys(VALUES))('requireAuth on the site "%s"', (site) => {
  it('opens the reads of the site, or none of them', async () => {
    const paths = ['', '/content', '/code', '/public', '/cdn'].map((part) => `/config/wknd/sites/${site}${part}.json`);
    for (const path of [...paths, `/config/wknd/aggregated/${site}.json`, `/job/wknd/${site}/main/code`, `/code/wknd/${site}/*`]) {
      const expected = OPEN.includes(site) ? [200, 200] : [401, 404];
      const answers = [await backend.call('GET', path), await backend.call('GET', path, { as: STRANGER })];
      expect([path, ...answers.map(({ status }) => status)]).toEqual([path, ...expected]);
      for (const { text } of answers) expect(text).not.toMatch(/hush-hush|ada\.admin|wanda\.writer/);
    }
  });

  it('never opens what is about people, keys, secrets and history, nor a write', async () => {
    const closed = [
      'access',
      'access/admin',
      'groups/writers',
      'versions',
      'versions/1',
      'log',
      'secrets',
      'secrets/any',
      'apiKeys',
      'apiKeys/any',
    ];
    for (const part of closed) expect([part, await status('GET', `/config/wknd/sites/${site}/${part}.json`)]).toEqual([part, [401, 404]]);
    for (const path of ['/config/wknd.json', '/config/wknd/sites.json', '/config/wknd/users.json', '/config/wknd/log.json'])
      expect([path, await status('GET', path)]).toEqual([path, [401, 404]]);
    for (const query of ['migrate=true', 'migrate=true&owner=wknd&repo=legacy'])
      expect([query, await status('GET', `${address(site)}?${query}`)]).toEqual([query, [401, 404]]);
    expect(await status('POST', `/config/wknd/sites/${site}/sidekick.json`, { project: 'mine' })).toEqual([401, 404]);
    expect(await status('DELETE', address(site))).toEqual([401, 404]);
  });

  it('shows all of it to those who have a role', async () => {
    const answer = await backend.call('GET', address(site), { as: ADA });
    expect(answer.json()).toMatchObject({
      access: { admin: { role: { admin: [ADA] } } },
      groups: {},
      cdn: { prod: { authToken: 'hush-hush' } },
    });
  });
});

it.each(['never', 'true', 'false', 1, null])('takes no other value: %j', async (requireAuth) => {
  const answer = await backend.call('POST', '/config/wknd/sites/auto/access/admin.json', { as: ADA, body: { requireAuth } });
  expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
  expect(answer.headers['x-error']).toContain('Write true, false or "auto"');
});

function address(site: string): string {
  return `/config/wknd/sites/${site}.json`;
}

async function status(method: string, path: string, body?: unknown): Promise<number[]> {
  const asked = body === undefined ? {} : { body };
  const answers = [await backend.call(method, path, asked), await backend.call(method, path, { ...asked, as: STRANGER })];
  return answers.map((answer) => answer.status);
}
