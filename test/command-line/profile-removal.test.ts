import { afterEach, beforeEach, expect, test } from 'vitest';
import { SiteList } from '@repoless/contract/site.ts';
import { readRemovals } from '@repoless/core/sites/plan-removals.ts';
import { ADA } from '../setup/setup-world.ts';
import { offered } from '../support/on-both.ts';
import { world, inCommandWorld, repoless, asOperator } from './command.ts';

inCommandWorld();
beforeEach(async () => {
  const code = { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: `${world.codeHost.address}/wknd/wknd` } };
  await put(PROFILE, { code, cdn: { prod: { type: 'managed', host: 'www.example.com' } } });
  for (const name of ['pa', 'pb']) await put(site(name), siteBelow(name));
});
afterEach(async () => {
  for (const path of [site('pa'), site('pb'), PROFILE]) await asOperator.call('DELETE', path);
});

const PROFILE = '/config/wknd/profiles/shared.json';
const site = (name: string) => `/config/wknd/sites/${name}.json`;

function siteBelow(name: string): object {
  return {
    extends: { profile: 'shared' },
    content: { source: { url: `${world.authorAddress()}/bin/franklin.delivery/wknd/${name}/main`, type: 'markup', suffix: '.html' } },
    public: { paths: { mappings: [`/content/${name}/:/`], includes: [`/content/${name}/`] } },
    access: { admin: { role: { admin: [ADA] } } },
  };
}

const put = (path: string, body: object) => asOperator.done('PUT', path, body);

test.runIf(offered('code-of-profile'))(
  'A site whose code comes from its profile is removed by the file that named it, and its public host is reported',
  async () => {
    expect(await repoless('export', '--organization', 'wknd', '--site', 'pa', '--site', 'pb', '-o', 'before.yaml')).toMatchObject({
      code: 0,
    });
    expect(await repoless('export', '--organization', 'wknd', '--site', 'pa', '-o', 'sites.yaml')).toMatchObject({ code: 0 });
    const args = ['-f', 'sites.yaml', '--prune', '--previous', 'before.yaml'];
    const planned = await repoless('plan', ...args);
    expect(planned).toMatchObject({ code: 3, out: expect.stringMatching(/^remove pb: everything$/m) });
    expect(planned.out).toContain('www.example.com');
    expect(await repoless('apply', ...args)).toMatchObject({ code: 0, out: expect.stringMatching(/^removed pb$/m) });
    expect((await asOperator.call('GET', site('pb'))).status).toBe(404);
  },
);

test.runIf(offered('code-of-profile'))('A site whose code comes from its profile is removed from the list of all sites', async () => {
  const { ports } = await world.person(ADA);
  const list = SiteList.parse((await world.backend.call('GET', '/config/wknd/sites.json?details=true', { as: ADA })).json()).sites;
  const info = await ports.service.info();
  if (info.state !== 'known') throw new Error('no info');
  const { code } = list.find(({ name }) => name === 'pb') ?? {};
  expect(code).toMatchObject({ owner: 'wknd', repo: 'wknd' });
  const former = { siteName: 'pb', author: world.authorAddress(), contentRoot: '/content/pb', ...(code === undefined ? {} : { code }) };
  const { signal } = new AbortController();
  const reading = { organization: 'wknd', info: info.value, reach: 'service', inheriting: 'any', sites: list, signal } as const;
  const removals = await readRemovals({ ...reading, removal: ports.service.removal, ports: () => ports }, [former]);
  expect(removals).toMatchObject([{ state: 'ready', productionHost: 'www.example.com' }]);
});
