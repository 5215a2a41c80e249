import { describe, expect, it } from 'vitest';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { organizationSites } from '@repoless/core/sites/organization-sites.ts';
import { groupByRepository } from '@repoless/core/sync/repository-groups.ts';
import { repositoryKey } from '@repoless/core/situation/code-choice.ts';
import { siteOf } from '../views/sites-world.ts';

const external = (owner: string): CodeSource => ({
  owner,
  repo: '7',
  source: { type: 'byogit', url: 'https://b.example/api', raw_url: 'https://b.example/raw' },
});
const listed = (name: string, root: string, owner: string, repo: string) => {
  const { content, public: open } = siteOf(name, root);
  const code = { owner, repo, source: { type: 'github' as const, url: `https://github.example.com/${owner}/${repo}` } };
  return { name, path: `/config/wknd/sites/${name}.json`, code, ...(content && { content }), ...(open && { public: open }) };
};

describe('A repository of the code host is one in any letters', () => {
  it('whose sites are one group, called as the first of them writes it', () => {
    const sites = [listed('wknd', '/content/wknd', 'Acme', 'Site'), listed('wknd-de', '/content/wknd/de', 'acme', 'site')];
    const groups = groupByRepository(sites);
    expect(groups).toMatchObject([{ owner: 'Acme', repo: 'Site', sites: ['wknd', 'wknd-de'] }]);
    expect(groups[0]?.key).toBe(repositoryKey({ type: 'github', owner: 'ACME', repo: 'SITE' }));
  });

  it('so that a site below another one is its locale, and shown with the name that it has', () => {
    const sites = [listed('wknd', '/content/wknd', 'Acme', 'Site'), listed('wknd-de', '/content/wknd/de', 'acme', 'site')];
    expect(organizationSites(sites)).toMatchObject([
      { name: 'wknd', kind: 'base', repository: 'github:Acme/Site' },
      { name: 'wknd-de', kind: 'locale', base: 'wknd', repository: 'github:acme/site' },
    ]);
  });
});

it('External repositories are told apart by their letters: their system may do so', () => {
  expect(
    groupByRepository([
      { name: 'a', code: external('Acme') },
      { name: 'b', code: external('acme') },
    ]),
  ).toHaveLength(2);
});
