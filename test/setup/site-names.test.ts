import { hostLabelProblem, nameProblem, SiteName } from '@repoless/contract/names.ts';
import { accountMismatch } from '@repoless/core/sites/environments.ts';
import { proposeBase, proposeSiteNames } from '@repoless/core/sites/propose-rows.ts';
import { levelOf, type NodeState } from '@repoless/core/sites/tree.ts';
import { ownConfigurationPath } from '@repoless/core/situation/edge-configuration.ts';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { proposeSiteName, targetOf } from '@repoless/core/situation/target.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { addEdits, editsOf, withoutStored, NO_EDITS, withEdits } from '@repoless/core/plan/choices.ts';
import type { AuthoringSettings, Choices } from '@repoless/core/situation/situation.ts';

test.each([
  ['WKND', 'Tarnfell_CH', { organization: 'wknd', siteName: 'tarnfell-ch' }],
  ['wknd', undefined, { organization: 'wknd', siteName: 'wknd-ch-de' }],
  [undefined, 'summit', { organization: 'brand', siteName: 'summit' }],
])('The organization %j and the site %j of the settings are proposed as valid names', (organization, siteName, expected) => {
  const own = (value?: string) => ({ source: { kind: 'page' as const, path: '/content' }, ...(value === undefined ? {} : { value }) });
  const settings: AuthoringSettings = {
    author: 'https://author.test',
    page: '/content/Brand/ch/de',
    siteRoot: organization === undefined ? '/content/Brand/ch/de' : '/content/wknd/ch/de',
    projectType: own('aem.live with repoless config setup'),
    organization: own(organization),
    siteName: own(siteName),
    configurationPage: own(),
    technicalAccount: own(),
    cloudConfiguration: own('/conf/wknd'),
    deliveryAddress: own(),
  };
  expect(targetOf(settings)).toEqual(expected);
});

describe('Proposed site names', () => {
  const names = (paths: string[], rules: { taken?: string[]; suffix?: string; organization?: string } = {}) => [
    ...proposeSiteNames(paths, { organization: 'wknd', taken: [], ...rules }).values(),
  ];

  test.each([
    [['/content/wknd/ch/de'], {}, ['wknd-ch-de']],
    [['/content/wknd/ch/de_CH'], {}, ['wknd-ch-de-ch']],
    [['/content/Mein Haus/ch'], {}, ['mein-haus-ch']],
    [['/content/wknd/ch/de'], { suffix: 'prod' }, ['wknd-ch-de-prod']],
    [['/content/wknd/ch/de'], { taken: ['wknd-ch-de', 'wknd-ch-de-2'] }, ['wknd-ch-de-3']],
    [['/content/wknd/de-ch', '/content/wknd/de_ch'], {}, ['wknd-de-ch', 'wknd-de-ch-2']],
    [
      [`/content/${'a-very-long-brand-'.repeat(4)}/ch/de`, `/content/${'a-very-long-brand-'.repeat(4)}/ch/fr`],
      {},
      ['a-very-long-brand-a-very-long-brand-a-very-lo-ch-de', 'a-very-long-brand-a-very-long-brand-a-very-lo-ch-fr'],
    ],
  ])('of %j with %j are %j', (paths, rules, expected) => {
    expect(names(paths, rules)).toEqual(expected);
  });

  test('are always valid, short enough for a host, and unique', () => {
    const segment = fc.string({ minLength: 1, maxLength: 40 }).map((text) => `${text.replaceAll('/', '')}x`);
    const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => `/content/${segments.join('/')}`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 20 }), (paths) => {
        const proposed = names(paths);
        expect(new Set(proposed).size).toBe(paths.length);
        for (const name of proposed) {
          expect(SiteName.safeParse(name).success).toBe(true);
          expect(hostLabelProblem('main', name, 'wknd')).toBeUndefined();
        }
      }),
    );
  });
});

describe('The level of a page', () => {
  const page = (path: string, more = {}) => ({ path, title: path, kind: 'page' as const, hasChildren: true, ...more });
  test.each([
    ['/content/wknd', {}, undefined, 'root'],
    ['/content/wknd/ch', {}, 'root', 'country'],
    ['/content/wknd/en', { language: 'en' }, 'root', 'locale'],
    ['/content/wknd/de_CH', {}, 'root', 'locale'],
    ['/content/wknd/language-masters', {}, 'root', 'page'],
    ['/content/wknd/language-masters/de', { language: 'de' }, 'page', 'page'],
    ['/content/wknd/ch/de', { language: 'de' }, 'country', 'locale'],
    ['/content/wknd/ch/about-us', {}, 'country', 'page'],
    ['/content/wknd/ch/de/fr', {}, 'locale', 'page'],
  ] as const)('%s with %j below a %s is a %s', (path, more, parent, level) => {
    expect(levelOf(page(path, more), parent)).toBe(level);
  });
});

test.each([
  ['/content/wknd/ch/de', { value: '/conf/wknd', source: { kind: 'inherited', from: '/content/wknd' } }, '/conf/wknd/ch-de'],
  ['/content/wknd/ch/de', { value: '/conf/shared/wknd', source: { kind: 'inherited', from: '/content/wknd' } }, '/conf/shared/wknd/ch-de'],
  ['/content/wknd/ch/de', { value: '/conf/own', source: { kind: 'page', path: '/content/wknd/ch/de' } }, '/conf/own'],
  ['/content/willow/ch', { source: { kind: 'missing' } }, '/conf/willow/ch'],
] as const)('The own configuration of %s with %j is %s', (path, cloudConfiguration, expected) => {
  expect(ownConfigurationPath({ path, cloudConfiguration })).toBe(expected);
});

describe('A technical account', () => {
  const base = { author: 'https://author-p1-e2.example.com', technicalAccount: 'base@techacct.example.com' };
  const production = { author: 'https://author-p1-e3.example.com', technicalAccount: 'prod@techacct.example.com' };
  const without = { author: production.author };

  test('is accepted in its own environment', () => {
    expect(accountMismatch('PROD@techacct.example.com', production.author, [base, production])).toBeUndefined();
  });
  test('of another environment is refused, naming both', () => {
    expect(accountMismatch(base.technicalAccount, production.author, [base, production])).toEqual({
      data: { account: base.technicalAccount, environment: 'p1-e3', own: production.technicalAccount, belongsTo: 'p1-e2' },
    });
    expect(accountMismatch(base.technicalAccount, production.author, [base, without])?.data.belongsTo).toBe('p1-e2');
  });
  test('that is unknown is not refused', () => {
    expect(accountMismatch('new@techacct.example.com', production.author, [base, without])).toBeUndefined();
  });
});

describe('The proposed site name', () => {
  test.each([
    ['/content/wknd', 'wknd'],
    ['/content/wknd/ch/fr', 'wknd-ch-fr'],
    ['/content/WKND/language-masters/en_US', 'wknd-language-masters-en-us'],
    ['/content', ''],
  ])('of %s is "%s"', (path, name) => {
    expect(proposeSiteName(path)).toBe(name);
  });

  test('is a valid name that fits into a host name, or empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.stringMatching(/^[a-z0-9]{1,20}$/), (path, organization) => {
        const name = proposeSiteName(`/content/${path}`, organization);
        if (name === '') return;
        expect(nameProblem('site', name)).toBeUndefined();
        expect(hostLabelProblem('main', name, organization)).toBeUndefined();
      }),
    );
  });
});

const AUTHOR = 'https://author-p1-e2.example.com';

function entry(name: string, root: string, repo = 'wknd', author = AUTHOR): SiteListEntry {
  return {
    name,
    path: `/config/wknd/sites/${name}.json`,
    code: { owner: 'wknd', repo, source: { type: 'github', url: `https://github.com/wknd/${repo}` } },
    content: { source: { type: 'markup', url: `${author}/bin/franklin.delivery/wknd/${name}/main`, suffix: '.html' } },
    public: { paths: { mappings: [`${root}/:/`] } },
  };
}

const SITES = [
  entry('another', '/content/another', 'another'),
  entry('fleet', '/content/fleet'),
  entry('fleet-de', '/content/fleet/de'),
  entry('fleet-fr', '/content/fleet/fr'),
  // Its code differs, so it is not a locale of another site.
  entry('fleet-it', '/content/fleet/it', 'legacy'),
  entry('wknd-prod', '/content/wknd', 'wknd', 'https://author-p3-e4.example.com'),
];
const site = (name: string) => ({ path: `/content/fleet/${name}`, state: state(name === '' ? 'fleet' : `fleet-${name}`) });
const state = (name: string): NodeState => ({ kind: 'site', site: name, state: 'differs', drifts: [] });
const none: NodeState = { kind: 'not-yet', state: 'not-set-up' };

it.each<[string, Parameters<typeof proposeBase>[0], string]>([
  ['the base of most of the selected sites, even if the code of one differs', [site('it'), site('de'), site('fr')], 'fleet'],
  ['the base itself if it is selected', [{ path: '/content/fleet', state: state('fleet') }, site('it')], 'fleet'],
  ['another site if only one is selected, whose code may be wrong', [site('it')], 'fleet'],
  ['the site that covers a page', [{ path: '/content/fleet/es', state: { kind: 'not-yet', by: 'fleet', state: 'not-set-up' } }], 'fleet'],
  ['the site of the same content on another author, for a page without a site', [{ path: '/content/wknd', state: none }], 'wknd-prod'],
])('proposes %s', (_, nodes, base) => {
  expect(proposeBase(nodes, SITES, undefined)).toBe(base);
});
const proposed: Choices = {
  organization: 'wknd',
  siteName: 'summit',
  configurationPage: '/content/summit/configuration',
  code: { type: 'github', owner: 'wknd', repo: 'wknd' },
  administrators: ['ada@example.com', 'otto@example.com'],
  technicalAccount: 'account@example.com',
  mappings: ['/content/summit/:/'],
  includes: ['/content/summit/'],
};

test('Choices that were not edited follow the current proposal', () => {
  const edits = editsOf(proposed, { ...proposed, technicalAccount: 'mine@example.com' });
  const code = { type: 'github', owner: 'wknd', repo: 'theirs' } as const;
  expect(withEdits({ ...proposed, code }, edits)).toEqual({ ...proposed, code, technicalAccount: 'mine@example.com' });
  expect(withEdits(proposed, NO_EDITS)).toEqual(proposed);
});

test('Additions to a list and removals from it are preserved, whatever their case, until they are reverted', () => {
  const without = editsOf(proposed, { ...proposed, administrators: ['ada@example.com'] });
  const added = addEdits(
    without,
    editsOf(proposed, { ...proposed, administrators: [...proposed.administrators, 'zoe@example.com'] }),
    proposed.administrators,
  );
  const theirs = { ...proposed, administrators: ['Otto@example.com', 'eve@example.com'] };
  expect(withEdits(theirs, added).administrators).toEqual(['eve@example.com', 'zoe@example.com']);
  const back = addEdits(added, { administrators: { added: ['otto@example.com'], removed: ['ZOE@example.com'] } }, theirs.administrators);
  expect(withEdits(theirs, back).administrators).toEqual(theirs.administrators);
  expect(withEdits(theirs, { administrators: ['ada@example.com'] }).administrators).toEqual(['ada@example.com']);
});

test('An entered site name is preserved, even if it becomes the proposal once it is read', () => {
  const edits = editsOf(proposed, { ...proposed, siteName: 'other' });
  const again = addEdits(
    edits,
    editsOf({ ...proposed, siteName: 'other' }, { ...proposed, siteName: 'other', technicalAccount: '' }),
    proposed.administrators,
  );
  expect(withEdits(proposed, withoutStored(again))).toMatchObject({ siteName: 'other', technicalAccount: '' });
});

test('An administrator who was added and removed again is no edit, unless another person has added them since', () => {
  const [eve, otto] = ['eve@example.com', 'Otto@example.com'];
  const added = addEdits(NO_EDITS, { administrators: { added: [eve], removed: [] } }, proposed.administrators);
  const out = addEdits(added, { administrators: { added: [], removed: [eve] } }, proposed.administrators);
  const theirs = { ...proposed, administrators: [...proposed.administrators, eve] };
  expect(withEdits(theirs, out).administrators).toEqual(theirs.administrators);
  const removed = addEdits(added, { administrators: { added: [], removed: [eve] } }, theirs.administrators);
  expect(withEdits(theirs, removed).administrators).toEqual(proposed.administrators);

  const without = addEdits(NO_EDITS, { administrators: { added: [], removed: [otto] } }, proposed.administrators);
  const back = addEdits(without, { administrators: { added: [otto], removed: [] } }, proposed.administrators);
  const leftOut = { ...proposed, administrators: ['ada@example.com'] };
  expect(withEdits(leftOut, back).administrators).toEqual(['ada@example.com']);
  const again = addEdits(without, { administrators: { added: [otto], removed: [] } }, leftOut.administrators);
  expect(withEdits(leftOut, again).administrators).toEqual(['ada@example.com', otto]);
});
