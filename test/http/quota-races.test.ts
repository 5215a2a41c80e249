import { UsageReport } from '@repoless/contract/org.ts';
import { SiteList } from '@repoless/contract/site.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OPERATOR as as, siteBody, startTestBackend } from '../support/backend.ts';
import { eachStore } from '../support/each-store.ts';

const MOST = 5;
const MORE = 20;

eachStore((engine) => {
  it('an organization has no more sites, secrets and API keys than it may, however many are made at once', async () => {
    const { open } = await engine.place();
    const settings = {
      SECRET_KEY_FILE: join(mkdtempSync(join(tmpdir(), 'keys-')), 'secret.json'),
      ORG_SITES: `${MOST}`,
      ORG_SECRETS: `${MOST}`,
      ORG_API_KEYS: `${MOST}`,
    };
    const orgs = ['wknd', 'other'];
    const nodes = [await startTestBackend({ settings, orgs, dryRun: false, open })];
    if (engine.name === 'PostgreSQL') nodes.push(await startTestBackend({ settings, orgs, dryRun: false, claim: false, open }));
    const call = async (turn: number, method: string, path: string, body?: object) => {
      const node = nodes[turn % nodes.length];
      if (node === undefined) throw new Error('There is no node.');
      return await node.call(method, `/config/${path}`, { as, ...(body !== undefined && { body }) });
    };
    /** More than may be, at once. Out: how many were made, and how many were refused for their number. */
    const at = async (make: (n: number) => ReturnType<typeof call>) => {
      const answers = await Promise.all(Array.from({ length: MOST + MORE }, (_, n) => make(n)));
      const refused = answers.filter(({ status, headers }) => status === 403 && headers['x-error-code'] === 'QUOTA_REACHED');
      return { made: answers.filter(({ status }) => status === 201).length, refused: refused.length };
    };
    const putSite = (org: string, n: number, more = {}) => call(n, 'PUT', `${org}/sites/s${n}.json`, siteBody(org, `s${n}`, more));
    const full = { made: MOST, refused: MORE };
    expect(await Promise.all([at((n) => putSite('wknd', n)), at((n) => putSite('other', n))])).toEqual([full, full]);
    const sites = SiteList.parse((await call(0, 'GET', 'wknd/sites.json')).json()).sites.map(({ name }) => name);
    const [first, second = ''] = sites;
    expect(await at((n) => call(n, 'POST', n % 2 === 0 ? 'wknd/apiKeys.json' : `wknd/sites/${first}/apiKeys.json`, {}))).toEqual(full);
    expect(await at((n) => call(n, 'POST', `wknd/sites/${sites[n % MOST]}/secrets.json`))).toEqual(full);
    const report = UsageReport.parse((await call(0, 'GET', 'wknd/usage.json')).json());
    expect([report.sites.used, report.apiKeys.used, report.secrets.used]).toEqual([MOST, MOST, MOST]);

    // What is there may be changed, and what was removed makes room for one.
    expect((await putSite('wknd', Number(second.slice(1)), { title: 'Changed' })).status).toBe(200);
    expect((await call(1, 'DELETE', `wknd/sites/${first}.json`)).status).toBe(204);
    expect(await at((n) => putSite('wknd', 100 + n))).toEqual({ made: 1, refused: MOST + MORE - 1 });
    for (const node of nodes) await node.stop();
  });
});
