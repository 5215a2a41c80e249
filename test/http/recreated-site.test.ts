import { beforeAll, describe, expect, it } from 'vitest';
import { VersionList } from '@repoless/contract/history.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SITE = '/config/wknd/sites/shop';
const [FORMER, LATER] = ['former.owner@example.com', 'later.owner@example.com'];
let now = Date.parse('2026-05-01T10:00:00.000Z');

const backend = startBeforeAll(() => startTestBackend({ now: () => new Date((now += 1000)) }));
beforeAll(async () => {
  const cdn = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 's1', authToken: 'former-token' } };
  await done('PUT', `${SITE}.json`, siteBody('wknd', 'shop', { cdn, access: { admin: { role: { admin: [FORMER] } } } }));
  await done('DELETE', `${SITE}.json`);
  await done('PUT', `${SITE}.json`, siteBody('wknd', 'shop', { access: { admin: { role: { admin: [LATER] } } } }));
});

async function done(method: string, path: string, body?: unknown, as = OPERATOR) {
  const answer = await backend.call(method, path, { as, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

async function code(method: string, path: string, body?: unknown) {
  return (await backend.call(method, path, { as: LATER, ...(body !== undefined && { body }) })).headers['x-error-code'];
}

describe('who administers a site of a name that another one had', () => {
  it('sees the versions of the present one alone', async () => {
    const { versions } = VersionList.parse((await done('GET', `${SITE}/versions.json`, undefined, LATER)).json());
    expect(versions.map(({ version }) => version)).toEqual([3]);
    const paged = await done('GET', `${SITE}/versions.json?limit=2`, undefined, LATER);
    expect([VersionList.parse(paged.json()).versions.length, paged.headers['link']]).toEqual([1, undefined]);
    expect(await code('GET', `${SITE}/versions/1.json`)).toBe('VERSION_NOT_FOUND');
    expect(await code('GET', `${SITE}/versions/1...3.json`)).toBe('VERSION_NOT_FOUND');
    await done('GET', `${SITE}/versions/3.json`, undefined, LATER);
  });

  it('neither restores, names nor removes the others', async () => {
    expect(await code('POST', `${SITE}.json?restoreVersion=1`)).toBe('VERSION_NOT_FOUND');
    expect(await code('POST', `${SITE}.json?restoreVersion=1&dryRun=true`)).toBe('VERSION_NOT_FOUND');
    expect(await code('POST', `${SITE}/versions/1.json`, { name: 'mine' })).toBe('VERSION_NOT_FOUND');
    expect(await code('DELETE', `${SITE}/versions/2.json`)).toBe('VERSION_NOT_FOUND');
  });

  it('reads what was done to the present one alone, in both forms of the log', async () => {
    for (const path of [`${SITE}/log.json`, `${SITE}/log.json?since=2026-01-01T00:00:00Z`, '/log/wknd/shop/main?since=30d']) {
      const { text } = await done('GET', path, undefined, LATER);
      expect((JSON.parse(text) as { entries: unknown[] }).entries, path).toHaveLength(1);
    }
  });
});

describe("the organization's own people", () => {
  it('see all of it', async () => {
    const { versions } = VersionList.parse((await done('GET', `${SITE}/versions.json`)).json());
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect((await done('GET', `${SITE}/versions/1.json`)).text).toContain('former-token');
    expect(((await done('GET', `${SITE}/log.json`)).json() as { entries: unknown[] }).entries).toHaveLength(3);
  });

  it('give it to those of the site by bringing the former one back', async () => {
    await done('DELETE', `${SITE}.json`);
    await done('POST', `${SITE}.json?restoreVersion=1`);
    const { versions } = VersionList.parse((await done('GET', `${SITE}/versions.json`, undefined, FORMER)).json());
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  });
});
