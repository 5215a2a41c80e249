import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, siteBody, startTestBackend } from '../../support/backend.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient } from './public-client.ts';
import type { PublicClient } from './public-client.ts';
let page: PublicClient;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  page = browserClient(backend, EXTENSION_ORIGIN, { 'x-auth-token': await backend.token(OPERATOR) });
});

interface Listed {
  readonly current: number;
  readonly versions: { version: number; created: string; name?: string; user?: string }[];
}

const list = async (base: string) => (await page.call('GET', `${base}/versions.json`)).json() as Listed;

/** What has a history, its first and its second state, and how it is written. */
const SUBJECTS: [what: string, base: string, states: [Record<string, unknown>, Record<string, unknown>]][] = [
  ['an organization', '/config/wknd', [{ title: 'One' }, { title: 'Two' }]],
  ['a site', '/config/wknd/sites/listed', [siteBody('wknd', 'listed', { title: 'One' }), siteBody('wknd', 'listed', { title: 'Two' })]],
  ['a profile', '/config/wknd/profiles/base', [{ title: 'One' }, { title: 'Two' }]],
];

describe.each(SUBJECTS)('a page that shows the history of %s', (_, base, states) => {
  let first = 0;
  let last = 0;

  beforeAll(async () => {
    for (const body of states) expect((await page.call('POST', `${base}.json`, { body })).ok).toBe(true);
    const { current } = await list(base);
    first = current - 1;
    last = current;
  });

  it('lists versions by number, when and by whom they were made, the oldest first, and which is current', async () => {
    const { current, versions } = await list(base);
    expect(versions.map(({ version }) => version)).toEqual(versions.map(({ version }) => version).toSorted((one, other) => one - other));
    expect(versions.at(-1)).toEqual({ version: current, created: expect.any(String), user: OPERATOR });
    expect(Number.isNaN(Date.parse(versions.at(-1)?.created ?? ''))).toBe(false);
  });

  it('compares the data of a version with that of the number before, which may not be there', async () => {
    const data = async (version: number) => Object((await page.call('GET', `${base}/versions/${version}.json`)).json()).data;
    expect([await data(first), await data(last)]).toMatchObject([{ title: 'One' }, { title: 'Two' }]);
    expect((await page.call('GET', `${base}/versions/0.json`)).ok).toBe(false);
    expect((await page.call('GET', `${base}/versions/4711.json`)).status).toBe(404);
  });

  it('names a version in the query alone, and in the query and the body', async () => {
    expect((await page.call('POST', `${base}/versions/${first}.json?name=before%20the%20move`)).ok).toBe(true);
    expect((await list(base)).versions.find(({ version }) => version === first)?.name).toBe('before the move');
    const both = await page.call('POST', `${base}/versions/${first}.json?name=moved`, { body: { name: 'moved' } });
    expect(both.ok).toBe(true);
    expect((await list(base)).versions.find(({ version }) => version === first)?.name).toBe('moved');
  });

  it('restores a version by POST without a body, whose data are then the newest version', async () => {
    expect((await page.call('POST', `${base}.json?restoreVersion=${first}`)).ok).toBe(true);
    expect((await page.call('GET', `${base}.json`)).json()).toMatchObject({ title: 'One' });
    const { current, versions } = await list(base);
    expect([current, versions.at(-1)?.version]).toEqual([last + 1, last + 1]);
  });

  it('removes a version that is not the current one', async () => {
    const removed = await page.call('DELETE', `${base}/versions/${last}.json`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await list(base)).versions.map(({ version }) => version)).not.toContain(last);
    const refused = await page.call('DELETE', `${base}/versions/${last + 1}.json`);
    expect([refused.ok, refused.error]).toEqual([false, expect.stringMatching(/current/)]);
  });

  it('shows why a version cannot be restored', async () => {
    const refused = await page.call('POST', `${base}.json?restoreVersion=4711`);
    expect([refused.status, refused.error]).toEqual([404, expect.stringMatching(/4711/)]);
  });
});

it('names the version that a change makes', async () => {
  const body = siteBody('wknd', 'named');
  expect((await page.call('POST', '/config/wknd/sites/named.json?versionName=first%20of%20all', { body })).ok).toBe(true);
  expect((await list('/config/wknd/sites/named')).versions).toMatchObject([{ version: 1, name: 'first of all' }]);
});
