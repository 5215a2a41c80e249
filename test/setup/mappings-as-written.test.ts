import type { PublicPaths } from '@repoless/contract/content-paths.ts';
import type { SiteInput } from '@repoless/contract/site.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { findDrift } from '@repoless/core/checks/find-drift.ts';
import { isComplete } from '@repoless/core/sites/organization-sites.ts';
import { simulateMappings } from '@repoless/core/mappings/simulate-mappings.ts';
import { proposeChoices } from '@repoless/core/plan/choices.ts';
import { desiredMappings, desiredSite, differingParts } from '@repoless/core/plan/desired-site.ts';
import { describe, expect, test } from 'vitest';
import { registered } from './situation-builder.ts';

const ROOT = '/content/summit';
const root = `${ROOT}/:/`;
const sheet = `${ROOT}/configuration:/.helix/config.json`;
const siteOf = (paths: PublicPaths): SiteInput => ({
  code: { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } },
  content: { source: { type: 'markup', url: 'https://author-p1-e2.example.com/bin/franklin.delivery/wknd/summit/main', suffix: '.html' } },
  public: { paths: paths as never },
});
const verdictOf = (paths: PublicPaths, check: 'mapping-site-root' | 'mapping-configuration') => {
  const found = checkSite(registered(siteOf(paths))).find(({ check: id }) => id === check);
  return found?.variant === undefined ? found?.verdict : `${found.verdict} ${found.variant}`;
};

describe('What the checks say of paths', () => {
  test.each<[string, PublicPaths]>([
    ['fine', { mappings: [root] }],
    ['fine', { mappings: [root, `${ROOT}/en/:/`] }],
    ['fine', { mappings: ['/content/shared/:/', root] }],
    ['fine', { mappings: [`${ROOT}/home:/`, root] }],
    ['fine', { mappings: [root, root] }],
    ['fine', { mappings: [root], includes: [`${ROOT}/**`] }],
    ['fine', { mappings: [root], includes: ['/content/**'], excludes: [`${ROOT}/**/drafts/**`] }],
    ['fine', { mappings: [root], includes: [`${ROOT}/*`] }],
    ['warning start-not-included', { mappings: [root], includes: [`${ROOT}/en/`] }],
    ['warning start-not-included', { mappings: [root], includes: ['/content/*/en/**'] }],
    ['warning trailing-slash', { mappings: [`${ROOT}:/`] }],
    ['warning elsewhere', { mappings: ['/:/'], includes: [`${ROOT}/`] }],
    ['warning elsewhere', { mappings: [`${ROOT}/:/summit/`, '/content/shared/:/'] }],
    ['wrong missing', { mappings: ['/content/shared/:/shared/'] }],
    ['wrong other-root', { mappings: ['/content/shared/:/'] }],
    ['wrong not-included', { mappings: [root], includes: [] }],
    ['wrong not-included', { mappings: [root], includes: ['/content/shared/'] }],
    ['wrong not-included', { mappings: [root], excludes: [ROOT] }],
  ])('of the site root: %s, %j', (verdict, paths) => {
    expect(verdictOf(paths, 'mapping-site-root')).toBe(verdict);
  });

  test.each<[string, string[]]>([
    ['fine', [root, sheet]],
    ['fine', [root, `${ROOT}/old:/.helix/config.json`, sheet]],
    ['warning other-page', [root, sheet, `${ROOT}/old:/.helix/config.json`]],
    ['warning trailing-slash', [root, `${ROOT}/configuration/:/.helix/config.json`]],
    ['wrong missing', [root]],
  ])('of the configuration page: %s, %j', (verdict, mappings) => {
    expect(verdictOf({ mappings }, 'mapping-configuration')).toBe(verdict);
  });

  test.each<[string[], string | undefined]>([
    [[root, `${ROOT}/en/:/`], undefined],
    [['/content/shared/:/', root], undefined],
    [['/:/'], undefined],
    [['/content/shared/:/'], '/content/shared'],
    [[`${ROOT}:/`], `${ROOT}:/`],
  ])('and where they differ from the authoring system: %j', (mappings, service) => {
    const drift = findDrift(registered(siteOf({ mappings }))).find(({ field }) => field === 'siteRoot');
    expect(drift?.service).toBe(service);
  });

  test('a site that maps all content as it is is complete', () => {
    expect(isComplete(siteOf({ mappings: ['/:/'] }))).toBe(true);
    expect(isComplete(siteOf({ mappings: ['/content/shared/:/shared/'] }))).toBe(false);
  });
});

describe('Setup', () => {
  test.each([
    [[root, `${ROOT}/fr:/fr`, `${ROOT}/fr/:/fr/`, sheet]],
    [[root, `${ROOT}/en/:/`, sheet]],
    [[`${ROOT}/home:/`, root, sheet]],
    [[root, `${ROOT}/old:/.helix/config.json`, sheet]],
    [[root, sheet, root]],
  ])('finds nothing to change about %j', (mappings) => {
    const paths = { mappings, includes: [`${ROOT}/`], excludes: [`${ROOT}/**/drafts/**`] };
    const situation = registered({ ...siteOf(paths), access: { admin: { role: { admin: ['ada@example.com'] } } } });
    if (situation.site.state !== 'known') throw new Error('The site is registered.');
    expect(differingParts(situation.site.value.config, desiredSite(situation, proposeChoices(situation)))).not.toContain('public');
  });

  test.each<[present: string[], wanted: string[], further: 'keep' | 'remove', mappings: string[]]>([
    [[`${ROOT}/fr/:/fr/`], [`${ROOT}/fr:/fr`], 'keep', [`${ROOT}/fr/:/fr/`, `${ROOT}/fr:/fr`]],
    [['/content/old/:/', sheet], [root, sheet], 'keep', [sheet, root]],
    [[`${ROOT}:/`], [root], 'keep', [root]],
    [['/content/old:/'], [root], 'keep', [root]],
    [[`${ROOT}/home:/`], [root], 'keep', [root]],
    [[`${ROOT}/home:/`, root], [root], 'keep', [`${ROOT}/home:/`, root]],
    [['/b/:/', '/a/:/'], ['/a/:/', '/b/:/'], 'keep', ['/a/:/', '/b/:/']],
    [['/b/:/', '/c/:/c/', '/a/:/'], ['/a/:/', '/b/:/'], 'remove', ['/a/:/', '/b/:/']],
    [['/b/:/b/', '/a/:/'], ['/a/:/', '/b/:/b/'], 'remove', ['/b/:/b/', '/a/:/']],
    [['/a/:/', '/b/:/'], ['/a/:/'], 'keep', ['/a/:/', '/b/:/']],
    [['/a/:/', '/b/:/'], ['/a/:/'], 'remove', ['/a/:/']],
    [['/a/:/', '/a/:/'], ['/a/:/'], 'remove', ['/a/:/', '/a/:/']],
    [[], ['/a/:/', '/b/:/', '/a/:/'], 'remove', ['/b/:/', '/a/:/']],
  ])('makes of %j, where %j is wanted (%s), %j', (present, wanted, further, mappings) => {
    expect(desiredMappings(wanted, present, further)).toEqual(mappings);
    expect(desiredMappings(wanted, mappings, further)).toEqual(mappings);
  });
});

describe('A change of path mappings', () => {
  const pages = ['', '/a', '/en', '/en/a', '/drafts/x'].map((path) => ({ path: `${ROOT}${path}`, kind: 'page' as const }));
  const fates = (before: PublicPaths, after: PublicPaths) =>
    simulateMappings(pages, { before, after }).pages.map(
      ({ path, after: address, fate }) => `${path.slice(ROOT.length)} ${address ?? '-'} ${fate}`,
    );

  test('onto the address of another tree hides pages of that one', () => {
    expect(fates({ mappings: [root] }, { mappings: [root, `${ROOT}/en/:/`] })).toEqual([
      ' / collides',
      '/a /a collides',
      '/en / collides',
      '/en/a /a collides',
      '/drafts/x /drafts/x unchanged',
    ]);
  });

  test('that excludes pages takes them away', () => {
    const before = { mappings: [root] };
    expect(fates(before, { ...before, excludes: [`${ROOT}/**/drafts/**`] }).at(-1)).toBe('/drafts/x - vanishes');
  });
});
