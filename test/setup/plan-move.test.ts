import { Site, type SiteListEntry } from '@repoless/contract/site.ts';
import { type MovedPages, type MoveQuestion, planMove } from '@repoless/core/sites/plan-move.ts';
import { batchOfMove } from '@repoless/core/sites/plan-moves.ts';
import { planRow } from '@repoless/core/sites/plan-row.ts';
import { movedPath, rowBody } from '@repoless/core/sites/row-site.ts';
import { describe, expect, test } from 'vitest';
import { situation } from './situation-builder.ts';

const { info: INFO } = situation();

const FROM = { author: 'https://author-p1-e1.example.com', technicalAccount: 'old@techacct.example.com' };
const TO = { author: 'https://author-p1-e2.example.com', technicalAccount: 'new@techacct.example.com' };
const TIME = '2026-03-04T05:06:07.000Z';

function site(name: string, root: string, author = FROM.author, more: Partial<Site> = {}): Site {
  return Site.parse({
    version: 1,
    name,
    created: TIME,
    lastModified: TIME,
    code: { owner: 'wknd', repo: 'wknd' },
    content: { source: { type: 'markup', suffix: '.html', url: `${author}/bin/franklin.delivery/wknd/${name}/main` } },
    access: { admin: { role: { admin: ['ada@example.com'], config_admin: ['OLD@techacct.example.com', 'carl@example.com'] } } },
    public: { paths: { mappings: [`${root}/:/`, `${root}/configuration:/.helix/config.json`], includes: [`${root}/`] } },
    ...more,
  });
}

const listed = ({ name, content, code, public: open }: Site): SiteListEntry => ({
  name,
  path: '',
  content,
  public: open,
  ...(code === undefined ? {} : { code }),
});
const page = (path: string, ownConfiguration?: string): MovedPages['page'] => ({
  state: 'known',
  value: { path, title: path, kind: 'page', hasChildren: true, ...(ownConfiguration === undefined ? {} : { ownConfiguration }) },
});
const edge = (repo: string): MovedPages['edge'] => ({
  state: 'known',
  value: { owner: 'wknd', repo, siteAuthToken: 'sealed', edgeHost: 'aem.live' },
});
const MISSING = { state: 'missing' } as const;
const READ: MovedPages = {
  page: page('/content/a'),
  edge: MISSING,
  oldPage: page('/content/a', '/conf/a'),
  oldEdge: edge('a'),
  publishers: MISSING,
};

function question(sites: readonly Site[], more: Partial<MoveQuestion> = {}): MoveQuestion {
  return { from: FROM, to: TO, paths: [], sites: sites.map(listed), ...more };
}

/** What would be written for a site with this stored configuration. */
function written(stored: Site, move: MoveQuestion, read = READ) {
  const { row, problem } = planMove(move, listed(stored), read);
  expect(problem).toBeUndefined();
  return rowBody(batchOfMove(move, 'wknd', INFO), row, { config: stored, own: stored });
}

describe('A move changes', () => {
  test('the content address and the accounts, and nothing else', () => {
    const stored = site('a', '/content/a', FROM.author, { headers: { '/**': [{ key: 'x', value: 'y' }] } });
    const { created: _c, lastModified: _l, name: _n, ...kept } = stored;
    expect(written(stored, question([stored]))).toEqual({
      ...kept,
      content: { source: { type: 'markup', suffix: '.html', url: `${TO.author}/bin/franklin.delivery/wknd/a/main` } },
      access: { admin: { role: { admin: ['ada@example.com'], config_admin: [TO.technicalAccount, 'carl@example.com'] } } },
    });
  });

  test('each role that the old account had, or none if it is kept', () => {
    const access = { admin: { role: { admin: ['ada@example.com'], publish: [FROM.technicalAccount], config_admin: [] } } };
    const stored = site('a', '/content/a', FROM.author, { access });
    expect(written(stored, question([stored])).access?.admin?.role).toEqual({
      admin: ['ada@example.com'],
      publish: [TO.technicalAccount],
      config_admin: [TO.technicalAccount],
    });
    expect(written(stored, question([stored], { keepsAccount: true })).access?.admin?.role).toEqual({
      ...access.admin.role,
      config_admin: [TO.technicalAccount],
    });
  });

  test('no code or list of people inherited from the profile, unless the account is missing in the list', () => {
    const { code: _code, access: _access, ...own } = site('a', '/content/a', FROM.author, { extends: { profile: 'base' } });
    const publishers = (...value: string[]): MovedPages => ({ ...READ, publishers: { state: 'known', value } });
    const among = written(own, question([own]), publishers(TO.technicalAccount, 'carl@example.com'));
    expect([among.code, among.access]).toEqual([undefined, {}]);
    const taken = written(own, question([own]), publishers(FROM.technicalAccount, 'carl@example.com'));
    expect(taken.access).toEqual({ admin: { role: { config_admin: [TO.technicalAccount, 'carl@example.com'] } } });
  });

  test('the content paths below a prefix, by the longest match, and an overlay of the same author', () => {
    const paths = [
      { from: '/content/a', to: '/content/prod/a' },
      { from: '/content/a/shared', to: '/content/common' },
    ];
    const overlay = { url: `${FROM.author}/bin/franklin.delivery/wknd/a/main`, type: 'markup' as const };
    const stored = site('a', '/content/a', FROM.author, {
      public: {
        paths: {
          mappings: ['/content/a/:/', '/content/a/shared/x:/x', '/content/ab:/ab', '/content/dam/a:/assets'],
          includes: ['/content/a/', '/content/dam/a/'],
          excludes: ['/content/a/**/drafts/**'],
          rewrites: { a: 'b' },
        },
      },
      content: { ...site('a', '/content/a').content, source: { ...sourceOf('a'), suffix: '.plain.html' }, overlay },
      folders: { '/products': '/products/default' },
    });
    const body = written(stored, question([stored], { paths }), { ...READ, page: page('/content/prod/a') });
    expect(body.public?.paths).toEqual({
      mappings: ['/content/prod/a/:/', '/content/common/x:/x', '/content/ab:/ab', '/content/dam/a:/assets'],
      includes: ['/content/prod/a/', '/content/dam/a/'],
      excludes: ['/content/prod/a/**/drafts/**'],
      rewrites: { a: 'b' },
    });
    expect(body).toMatchObject({ content: { source: { suffix: '.plain.html' } }, folders: { '/products': '/products/default' } });
    expect(body.content?.overlay).toEqual({ ...overlay, url: `${TO.author}/bin/franklin.delivery/wknd/a/main` });
  });

  test('nothing of a site that was moved already, even if the new path is below the old one', () => {
    const paths = [{ from: '/content', to: '/content/live' }];
    const stored = site('a', '/content/a');
    const move = question([stored], { paths });
    const read = { ...READ, page: page('/content/live/a') };
    const arrived = Site.parse({ ...stored, ...written(stored, move, read) });
    expect(arrived.public?.paths?.includes).toEqual(['/content/live/a/']);
    const again = planMove(question([arrived], { paths }), listed(arrived), { ...read, edge: edge('a') });
    expect(again).toMatchObject({ row: { contentRoot: '/content/live/a' } });
    expect(rowBody(batchOfMove(move, 'wknd', INFO), again.row, { config: arrived, own: arrived })).toMatchObject({
      public: arrived.public,
      access: arrived.access,
    });
  });
});

function sourceOf(name: string, author = FROM.author) {
  return { type: 'markup' as const, suffix: '.html', url: `${author}/bin/franklin.delivery/wknd/${name}/main` };
}

describe('The cloud configuration in the other environment', () => {
  const stored = site('a', '/content/a');
  test.each<[what: string, read: Partial<MovedPages>, expected: string]>([
    ['is the page’s own', { page: page('/content/a', '/conf/own'), edge: edge('a') }, '/conf/own'],
    ['is created at its previous path', {}, '/conf/a'],
    [
      'is named after the page if the old environment no longer responds',
      { oldPage: { state: 'failed', failure: { kind: 'unreachable' } } },
      '/conf/a',
    ],
  ])('%s', (_what, read, expected) => {
    const { row, problem } = planMove(question([stored]), listed(stored), { ...READ, ...read });
    expect({ problem, conf: row.cloudConfiguration }).toEqual({ problem: undefined, conf: expected });
  });

  test('has the properties of the old one, but not its token, and visitors are switched last', () => {
    const move = question([stored]);
    const { row } = planMove(move, listed(stored), READ);
    const plan = planRow(batchOfMove(move, 'wknd', INFO), row, {
      site: { state: 'known', value: { config: stored, own: stored, etag: '"1"' } },
      authoring: { page: READ.page, configurationPage: MISSING, edge: MISSING, baseEdge: undefined },
      readAt: TIME,
      readBy: 'ada@example.com',
    });
    if (plan.kind !== 'ready') throw new Error(plan.problem.reason);
    expect(plan.steps.map(({ id }) => id)).toEqual([
      'configuration-page',
      'cloud-configuration',
      'switch',
      'code',
      'register-site',
      'verify',
      'pages',
    ]);
    const call = JSON.stringify(plan.steps.find(({ id }) => id === 'cloud-configuration')?.call);
    expect(call).toContain('aem.live');
    expect(call).not.toContain('sealed');
  });
});

describe('A site is not moved', () => {
  const stored = site('a', '/content/a');
  const other = site('other', '/content/a', TO.author);
  test.each<[what: string, move: MoveQuestion, read: Partial<MovedPages>, reason: string, data: object]>([
    [
      'without a page in the other environment',
      question([stored]),
      { page: MISSING },
      'page-not-there',
      { page: '/content/a', author: TO.author },
    ],
    ['if another site has the root', question([stored, other]), {}, 'content-root-taken', { site: 'other' }],
    [
      'if both environments have the same account',
      question([stored], { to: { ...TO, technicalAccount: 'Old@techacct.example.com' } }),
      {},
      'account-mismatch',
      { belongsTo: 'p1-e1', environment: 'p1-e2' },
    ],
    [
      'if the configuration there is inherited from another site',
      question([stored]),
      { edge: edge('base') },
      'configuration-taken',
      { configuration: '/conf/a', site: 'base' },
    ],
    [
      'if the page selects the configuration of a registered site',
      question([stored, site('base', '/content/base', TO.author)]),
      { page: page('/content/a', '/conf/a'), edge: edge('base') },
      'configuration-taken',
      { site: 'base' },
    ],
    [
      'if the other environment does not respond',
      question([stored]),
      { page: { state: 'failed', failure: { kind: 'unreachable' } } },
      'unreachable',
      {},
    ],
  ])('%s', (_what, move, read, reason, data) => {
    expect(planMove(move, listed(stored), { ...READ, ...read }).problem).toMatchObject({ reason, data });
  });

  test('if its content comes from neither environment, or its root was changed concurrently', () => {
    const elsewhere = site('a', '/content/a', 'https://author-p9-e9.example.com');
    expect(planMove(question([elsewhere]), listed(elsewhere), READ).problem).toMatchObject({ reason: 'content-elsewhere' });
    const move = question([stored]);
    const { row } = planMove(move, listed(stored), READ);
    const rest = {
      authoring: { page: READ.page, configurationPage: MISSING, edge: MISSING, baseEdge: undefined },
      readAt: TIME,
      readBy: '',
    };
    const plan = (now: Site | undefined) =>
      planRow(batchOfMove(move, 'wknd', INFO), row, {
        ...rest,
        site: now === undefined ? MISSING : { state: 'known', value: { config: now, own: now, etag: '"2"' } },
      });
    expect(plan(site('a', '/content/b'))).toMatchObject({ kind: 'blocked', problem: { reason: 'content-elsewhere' } });
    expect(plan(undefined)).toMatchObject({ kind: 'blocked', problem: { reason: 'site-missing' } });
  });
});

test('A configuration that names no registered site is used by the page that selects it', () => {
  const stored = site('a', '/content/a');
  const read = { ...READ, page: page('/content/a', '/conf/a'), edge: edge('left-over') };
  expect(planMove(question([stored]), listed(stored), read).problem).toBeUndefined();
});

test.each([
  ['/content/a', '/content/b'],
  ['/content/a/', '/content/b/'],
  ['/content/a/de', '/content/b/de'],
  ['/content/abc', '/content/abc'],
])('%s moves to %s', (path, expected) => {
  expect(movedPath(path, [{ from: '/content/a', to: '/content/b' }])).toBe(expected);
});
