import type { PublicPaths } from '@repoless/contract/content-paths.ts';
import type { SiteInput } from '@repoless/contract/site.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { findDrift } from '@repoless/core/checks/find-drift.ts';
import { isComplete } from '@repoless/core/sites/organization-sites.ts';
import { simulateMappings } from '@repoless/core/mappings/simulate-mappings.ts';
import { proposeChoices } from '@repoless/core/plan/choices.ts';
import { desiredMappings, desiredSite, differingParts } from '@repoless/core/plan/desired-site.ts';
import { describe, expect, test, it } from 'vitest';
import { registered, situation } from './situation-builder.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { findingMessages } from '@repoless/core/messages/finding-messages.ts';
import { explainBlock } from '@repoless/core/messages/explain-failure.ts';
import { serviceChecks } from '@repoless/core/checks/service-checks.ts';
import { english } from '@repoless/core/messages/english.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import type { FileProbe, Situation } from '@repoless/core/situation/situation.ts';

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

describe('The checks of paths', () => {
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
  ])('report for the site root: %s, %j', (verdict, paths) => {
    expect(verdictOf(paths, 'mapping-site-root')).toBe(verdict);
  });

  test.each<[string, string[]]>([
    ['fine', [root, sheet]],
    ['fine', [root, `${ROOT}/old:/.helix/config.json`, sheet]],
    ['warning other-page', [root, sheet, `${ROOT}/old:/.helix/config.json`]],
    ['warning trailing-slash', [root, `${ROOT}/configuration/:/.helix/config.json`]],
    ['wrong missing', [root]],
  ])('report for the configuration page: %s, %j', (verdict, mappings) => {
    expect(verdictOf({ mappings }, 'mapping-configuration')).toBe(verdict);
  });

  test.each<[string[], string | undefined]>([
    [[root, `${ROOT}/en/:/`], undefined],
    [['/content/shared/:/', root], undefined],
    [['/:/'], undefined],
    [['/content/shared/:/'], '/content/shared'],
    [[`${ROOT}:/`], `${ROOT}:/`],
  ])('report a difference from the authoring system: %j', (mappings, service) => {
    const drift = findDrift(registered(siteOf({ mappings }))).find(({ field }) => field === 'siteRoot');
    expect(drift?.service).toBe(service);
  });

  test('accept a site that maps all content as complete', () => {
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
    if (situation.site.state !== 'known') throw new Error('The site is not registered.');
    expect(differingParts(situation.site.value.config, desiredSite(situation, proposeChoices(situation)))).not.toContain('public');
  });

  test.each<[current: string[], wanted: string[], further: 'keep' | 'remove', mappings: string[]]>([
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
  ])('changes %j, with %j desired (%s), to %j', (current, wanted, further, mappings) => {
    expect(desiredMappings(wanted, current, further)).toEqual(mappings);
    expect(desiredMappings(wanted, mappings, further)).toEqual(mappings);
  });
});

describe('A change of path mappings', () => {
  const pages = ['', '/a', '/en', '/en/a', '/drafts/x'].map((path) => ({ path: `${ROOT}${path}`, kind: 'page' as const }));
  const fates = (before: PublicPaths, after: PublicPaths) =>
    simulateMappings(pages, { before, after }).pages.map(
      ({ path, after: address, effect }) => `${path.slice(ROOT.length)} ${address ?? '-'} ${effect}`,
    );

  test('to the address of another tree hides pages of that tree', () => {
    expect(fates({ mappings: [root] }, { mappings: [root, `${ROOT}/en/:/`] })).toEqual([
      ' / collides',
      '/a /a collides',
      '/en / collides',
      '/en/a /a collides',
      '/drafts/x /drafts/x unchanged',
    ]);
  });

  test('that excludes pages hides them', () => {
    const before = { mappings: [root] };
    expect(fates(before, { ...before, excludes: [`${ROOT}/**/drafts/**`] }).at(-1)).toBe('/drafts/x - vanishes');
  });
});
const german = createCatalogues()('de');
const firstDe = await german.read('first-view');
const checksDe = (await german.read('site-check')).checks;
const checksEn = english['site-check'].checks;

const LANGUAGES = [
  [
    'English',
    english['first-view'],
    checksEn,
    /site of another organization/,
    /operator/,
    /host author\.example\.com belongs to another organization/,
  ],
  [
    'German',
    firstDe,
    checksDe,
    /Site einer anderen Organisation/,
    /Betreiber/,
    /Host author\.example\.com der Autorenumgebung gehört einer anderen Organisation/,
  ],
] as const;

describe.each(LANGUAGES)(
  'A content root that belongs to a site of another organization: %s',
  (_, panel, checks, whose, whom, whoseHost) => {
    it('is reported without a name, with whom to ask', () => {
      const finding = taken({});
      const messages = findingMessages(checks, finding);
      const allText = Object.values(messages).join(' ');
      expect(allText).toMatch(whose);
      expect(allText).toMatch(whom);
      expect(allText).not.toMatch(/undefined|“”|„“/);
      const step = explainBlock(panel, 'content-root-taken', {});
      expect([step.why, step.waitsFor]).toEqual([expect.stringMatching(whose), expect.stringMatching(whom)]);
    });

    it('is reported by its host, if that belongs to another organization', () => {
      const data = { host: 'author.example.com' };
      const messages = findingMessages(checks, taken(data));
      const allText = Object.values(messages).join(' ');
      expect(allText).toMatch(whoseHost);
      expect(allText).toMatch(whom);
      expect(allText).not.toMatch(/undefined|“”|„“/);
      const step = explainBlock(panel, 'content-root-taken', data);
      expect([step.why, step.waitsFor]).toEqual([expect.stringMatching(whoseHost), expect.stringMatching(whom)]);
    });

    it('is reported with its site, if that is of the same organization', () => {
      const messages = findingMessages(checks, taken({ org: 'wknd', site: 'harbour' }));
      expect(Object.values(messages).join(' ')).toContain('harbour');
      expect(explainBlock(panel, 'content-root-taken', { site: 'harbour' }).why).toContain('harbour');
    });
  },
);

/** The findings if the service refuses the site with this data. */
function taken(data: Readonly<Record<string, string>>) {
  const code: ErrorCode = 'CONTENT_ROOT_TAKEN';
  const problem = { type: 'about:blank', code, title: 'x', status: 409, detail: 'x', data };
  const call = { target: 'service', method: 'PUT', address: '/config/wknd/sites/summit.json' } as const;
  const answer = { state: 'failed', failure: { kind: 'refused', status: 409, problem } } as const;
  return serviceChecks(situation({ dryRun: { call, answer } }))['content-root-single'];
}

it.each([
  ['English', checksEn.sentences, [/hosts of this service ignore it/, /hosts of the public service it hides/]],
  ['German', checksDe.sentences, [/Hosts dieses Dienstes beachten sie nicht/, /Hosts des öffentlichen Dienstes verdeckt sie/]],
])('a config.json in the repository is reported to hide the configuration only on the hosts that serve it: %s', (_, messages, allText) => {
  const { consequence } = messages['config-shadowed'].otherwise;
  for (const part of allText) expect(consequence).toMatch(part);
});

const HOST = 'https://main--summit--wknd.preview.example.com';
const RAW = 'https://raw.example.com/wknd/wknd/main';

const DONE = {
  name: 'job-2026-03-04-05-06-07-0a1b2c3d',
  state: 'stopped',
  time: '2026-03-04T05:06:07.000Z',
  branch: 'main',
  href: '',
} as const;

type Status = FileProbe['status'];

/** The check's finding if the preview host answers 404 for two files, and the repository answers as given. */
function editorFiles(
  repository: Readonly<Record<string, Status>>,
  more: Partial<Situation> = {},
): { readonly finding: string; readonly fix?: string | undefined } {
  const files = [
    ...['/head.html', '/component-models.json'].map((path) => ({ path, address: `${HOST}${path}`, status: 404 as const })),
    ...Object.entries(repository).map(([path, status]) => ({ path, address: `${RAW}${path}`, status })),
  ];
  const finding = checkSite(situation({ files, ...more })).find(({ check }) => check === 'editor-files');
  if (finding === undefined) throw new Error('The files are not checked.');
  return findingMessages(checksEn, finding);
}

describe('Files of the editor that the host lacks', () => {
  test('have to be added if the repository lacks them, and are named', () => {
    expect(editorFiles({ '/head.html': 200, '/component-models.json': 404 })).toMatchObject({
      finding: 'Not served: head.html, component-models.json.',
      fix: 'Add the missing files to the main branch of the repository: component-models.json.',
    });
  });

  test('arrive with the next sync if the repository has all of them', () => {
    expect(editorFiles({ '/head.html': 200, '/component-models.json': 200 }).fix).toMatch(/^No action needed\. The next code sync/);
  });

  test('require a sync if the last one succeeded without them', () => {
    const codeSync: Situation['codeSync'] = {
      state: 'known',
      value: { state: 'stopped', topic: 'code', links: { self: '' }, jobs: [DONE] },
    };
    const { finding, fix } = editorFiles({ '/head.html': 200, '/component-models.json': 200 }, { codeSync });
    expect(finding).toBe('Not served: head.html, component-models.json. The repository has them.');
    expect(fix).toMatch(/^Sync the code:.*\.hlxignore/);
  });

  test.each([
    ['does not respond', 'unreachable'],
    ['returns nothing, as a private one does', 404],
    ['refuses', 401],
  ] as const)('require a check if the repository %s', (_what, status) => {
    const { finding, fix } = editorFiles({ '/head.html': status, '/component-models.json': status });
    expect(finding).toMatch(/Couldn’t check whether the repository has them\.$/);
    expect(fix).toMatch(/^Check the main branch of the repository\./);
  });
});
