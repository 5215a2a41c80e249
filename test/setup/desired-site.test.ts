import { parseMapping } from '@repoless/contract/mappings.ts';
import { type Site, SiteInput } from '@repoless/contract/site.ts';
import { proposeChoices } from '@repoless/core/plan/choices.ts';
import { desiredSite, differingParts, wholeSite } from '@repoless/core/plan/desired-site.ts';
import type { SiteConfigurations } from '@repoless/core/situation/situation.ts';
import { planSetup } from '@repoless/core/plan/plan-setup.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stateOf } from './apply.ts';
import { registered, situation } from './situation-builder.ts';

const segment = fc.stringMatching(/^[a-z]{1,6}$/);
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
const member = fc.oneof(
  segment.map((name) => `${name}@example.com`),
  fc.constant('*'),
  fc.constant('ADA@example.com'),
);
const members = fc.uniqueArray(member, { maxLength: 4, selector: (name) => name.toLowerCase() });

/** Sites as anyone may have edited them. */
const sites = fc.record({
  mappings: fc.uniqueArray(fc.tuple(path, path), { maxLength: 4, selector: ([, publicPath]) => publicPath }),
  includes: fc.uniqueArray(path, { maxLength: 3 }),
  admin: members,
  config_admin: members,
  develop: members,
  project: fc.option(segment, { nil: undefined }),
  hasAccess: fc.boolean(),
});

const arbitrarySituation = sites.map(({ mappings, includes, admin, config_admin, develop, project, hasAccess }) =>
  registered({
    public: { paths: { mappings: mappings.map(([content, publicPath]) => `${content}:${publicPath}`), includes } },
    ...(hasAccess ? { access: { admin: { role: { admin, config_admin, develop } } } } : {}),
    ...(project === undefined ? {} : { sidekick: { project } }),
  }),
);

describe('The desired site', () => {
  test('is valid, and once stored nothing is left to change', () => {
    fc.assert(
      fc.property(arbitrarySituation, (before) => {
        const choices = proposeChoices(before);
        const whole = wholeSite(configurationsOf(before), desiredSite(before, choices));
        expect(SiteInput.safeParse(whole).success).toBe(true);
        const after = registered(whole);
        expect(differingParts(siteOf(after), desiredSite(after, choices))).toEqual([]);
        const steps = planSetup(after, choices);
        for (const step of ['register-site', 'map-paths', 'set-access'] as const) expect(stateOf(steps, step)).toEqual({ kind: 'done' });
      }),
    );
  });

  test('preserves every mapping to another public path, every included path, role and further part', () => {
    fc.assert(
      fc.property(arbitrarySituation, (before) => {
        const choices = proposeChoices(before);
        const site = siteOf(before);
        const desired = desiredSite(before, choices);
        const own = choices.mappings.map(publicPath);
        const preserved = (site.public?.paths?.mappings ?? []).filter((text) => !own.includes(publicPath(text)));
        expect(desired.public.paths?.mappings).toEqual(expect.arrayContaining([...preserved, ...choices.mappings]));
        expect(desired.public.paths?.includes).toEqual(expect.arrayContaining(site.public?.paths?.includes ?? []));
        const role = site.access?.admin?.role;
        expect(desired.access?.admin?.role?.develop).toEqual(role?.develop);
        expect(desired.access?.admin?.role?.config_admin).toEqual(expect.arrayContaining(role?.config_admin ?? []));
        const administrators = new Set(desired.access?.admin?.role?.admin?.map((name) => name.toLowerCase()));
        const current = role?.admin ?? [];
        // The caller, if it had no administrator.
        expect(administrators).toEqual(new Set(current.length === 0 ? ['ada@example.com'] : current.map((name) => name.toLowerCase())));
        expect(wholeSite(configurationsOf(before), desired).sidekick).toEqual(site.sidekick);
      }),
    );
  });

  test('has the code source that the organization uses', () => {
    const before = situation({
      siblingCode: { owner: 'wknd', repo: 'shared', source: { type: 'github', url: 'https://github.com/wknd/shared' } },
    });
    expect(desiredSite(before, proposeChoices(before)).code).toMatchObject({ owner: 'wknd', repo: 'shared' });
  });

  test('has no secret if it is a further site on an external repository', () => {
    const source = { type: 'byogit', url: 'https://build/api', raw_url: 'https://build/raw', secretId: 'cm-byog' } as const;
    const before = situation({ siblingCode: { owner: 'p1', repo: 'r1', source } });
    expect(desiredSite(before, proposeChoices(before)).code).toEqual({
      owner: 'p1',
      repo: 'r1',
      source: { type: 'byogit', url: 'https://build/api', raw_url: 'https://build/raw' },
    });
  });
});

function siteOf({ site }: ReturnType<typeof registered>): Site {
  if (site.state !== 'known') throw new Error('The site is not registered.');
  return site.value.config;
}

function configurationsOf({ site }: ReturnType<typeof registered>): SiteConfigurations {
  if (site.state !== 'known') throw new Error('The site is not registered.');
  return site.value;
}

function publicPath(text: string): string {
  const mapping = parseMapping(text);
  return 'public' in mapping ? mapping.public : text;
}
