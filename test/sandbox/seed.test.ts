import { describe, expect, it } from 'vitest';
import { contentRoot } from '@repoless/contract/mappings.ts';
import { hostLabelProblem, SiteName } from '@repoless/contract/names.ts';
import { SiteInput } from '@repoless/contract/site.ts';
import { BASE_ENVIRONMENT } from '@repoless/sandbox/authoring-system/content-store.ts';
import { addressesOf, DEFAULT_PORTS } from '@repoless/sandbox/addresses.ts';
import { fleetRoots, growTree } from '@repoless/sandbox/seed/fleet-roots.ts';
import { seedContent } from '@repoless/sandbox/seed/seed-content.ts';
import { seededTroubles, seedSites } from '@repoless/sandbox/seed/seed-sites.ts';

describe('the seed', () => {
  const sites = seedSites(addressesOf(DEFAULT_PORTS));
  const resources = [...seedContent('live.localhost')];
  const pages = resources.filter(({ properties }) => properties['jcr:primaryType'] === 'cq:Page');

  it.each(sites.map((seeded) => [seeded.site, seeded] as const))('registers %s with a body that the contract accepts', (_name, seeded) => {
    expect(SiteInput.safeParse(seeded.body).error).toBeUndefined();
    expect(SiteName.safeParse(seeded.site).success).toBe(true);
    expect(hostLabelProblem('main', seeded.site, seeded.org)).toBeUndefined();
    expect(contentRoot(seeded.body.public?.paths?.mappings ?? [])).toBe(seeded.page);
  });

  it('gives each content root of an environment to one site only', () => {
    const roots = sites.map(({ body, page }) => `${new URL(body.content?.source.url ?? '').host}${page}`);
    expect(new Set(roots).size).toBe(roots.length);
  });

  it('leaves the summit for its author to set up', () => {
    expect(sites.map(({ page }) => page)).not.toContain('/content/summit');
    expect(pages.map(({ path }) => path)).not.toContain('/content/summit/configuration');
  });

  it('contains more than 100 pages, among them each page with a problem', () => {
    expect(pages.length).toBeGreaterThan(100);
    for (const { page } of seededTroubles()) expect(pages.map(({ path }) => path)).toContain(page);
  });

  it('grows to the requested size, with no path twice', () => {
    const grown = [...growTree({ sites: 40, pagesPerSite: 120 })];
    const paths = new Set(grown.map(({ path }) => path));
    expect(paths.size).toBe(grown.length);
    const grownPages = grown.filter(({ properties }) => properties['jcr:primaryType'] === 'cq:Page');
    expect(grownPages.filter(({ path }) => path.split('/').length > 4)).toHaveLength(40 * 120);
    for (const { path } of grownPages) expect(path === '/content/grown' || paths.has(path.slice(0, path.lastIndexOf('/')))).toBe(true);
  });

  it('registers 1,000 sites, of which one in 25 has a problem, each kind in turn, and all pages exist', () => {
    const fleet = seedSites(addressesOf(DEFAULT_PORTS), 1000).filter(({ site }) => site.startsWith('fleet'));
    const paths = [...seedContent('live.localhost', 1000)].map(({ environment, path }) => `${environment} ${path}`);
    expect(fleet).toHaveLength(1000);
    expect(new Set(fleet.map(({ site }) => site)).size).toBe(1000);
    expect(new Set(paths).size).toBe(paths.length);
    const known = new Set(paths);
    for (const { page } of fleet) expect(known).toContain(`${BASE_ENVIRONMENT} ${page}`);
    const troubles = fleetRoots(1000).flatMap(({ trouble }) => trouble ?? []);
    expect(troubles).toHaveLength(40);
    expect(new Set(troubles.map(({ explanation }) => explanation)).size).toBe(13);
  });
});
