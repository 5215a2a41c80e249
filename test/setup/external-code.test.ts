import type { ExternalRepository } from '@repoless/contract/build-management.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import { SealedValue } from '@repoless/contract/secret.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { proposeChoices } from '@repoless/core/plan/choices.ts';
import { planSetup } from '@repoless/core/plan/plan-setup.ts';
import { toCurl } from '@repoless/core/plan/to-curl.ts';
import type { Choices, Situation } from '@repoless/core/situation/situation.ts';
import { type CodeChoice, repositoryKey } from '@repoless/core/situation/code-choice.ts';
import { type Comparison, latestPush, oldCodeVerdict, type OldCodeVerdict } from '@repoless/core/sync/compare-code.ts';
import { jobProblem, type SyncState } from '@repoless/core/sync/sync-state.ts';
import { externalChoice, groupByRepository, overviewRows } from '@repoless/core/sync/repository-groups.ts';
import { describe, expect, test, it } from 'vitest';
import { registered, situation } from './situation-builder.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { organizationSites } from '@repoless/core/sites/organization-sites.ts';
import { siteOf } from '../views/sites-world.ts';

const SECRET = 'shown-once-9f3a';
const CODE: CodeChoice = {
  type: 'byogit',
  owner: '100',
  repo: '7',
  url: 'https://b.example/api',
  rawUrl: 'https://b.example/raw',
  holdsSecret: true,
};
const TIME = '2026-03-04T05:06:07.000Z';
const source = { type: 'byogit', url: CODE.url, raw_url: CODE.rawUrl } as const;
const INFO = { id: 'cm-byog', type: 'key', created: TIME, lastModified: TIME } as const;

function chosen(code: CodeChoice, secret?: string, of: Situation = situation()): Choices {
  return { ...proposeChoices(of), code, ...(secret === undefined ? {} : { secret: new SealedValue(secret) }) };
}

describe('The plan for an external repository', () => {
  test('stores the secret right after registering the first site, and prints it nowhere', () => {
    const plan = planSetup(situation(), chosen(CODE, SECRET));
    expect(plan.steps.map(({ id }) => id).slice(5, 8)).toEqual(['register-site', 'store-secret', 'map-paths']);
    const step = plan.steps[6];
    expect(step?.state).toEqual({ kind: 'create' });
    expect(step?.call === undefined ? '' : toCurl(step.call)).toContain('-d "{\\"value\\":\\"$SECRET\\"}"');
    expect(JSON.stringify(plan)).not.toContain(SECRET);
    expect(plan.steps[5]?.call?.body).toMatchObject({ value: { code: { source: { secretId: 'cm-byog' } } } });
  });

  test('has no such step for a further site, and no secret in it', () => {
    const plan = planSetup(situation(), chosen({ ...CODE, holdsSecret: false }));
    expect(plan.steps.map(({ id }) => id)).not.toContain('store-secret');
    expect(JSON.stringify(plan)).not.toContain('secretId');
  });

  test('requires a valid secret, and leaves a stored one', () => {
    const state = (of: Situation, secret?: string) =>
      planSetup(of, chosen(CODE, secret, of)).steps.find(({ id }) => id === 'store-secret')?.state;
    expect(state(situation())).toMatchObject({ kind: 'blocked', reason: 'secret-missing' });
    expect(state(situation(), 'two words')).toMatchObject({ kind: 'blocked', reason: 'secret-invalid' });
    expect(state(situation({ secret: { state: 'known', value: INFO } }))).toEqual({ kind: 'done' });
  });
});

describe('A build management repository', () => {
  const repository: ExternalRepository = {
    programId: '100',
    repositoryId: '7',
    name: 'Team site',
    cloneUrl: 'https://git.example.com/team/site.git',
    vendor: 'gitlab',
    alpha: false,
    state: 'READY',
    created: TIME,
    createdBy: 'ada',
    lastModified: TIME,
    warnings: [],
  };
  const first = { name: 'first', path: '', code: { owner: '100', repo: '7', source: { ...source, secretId: 'cm-byog' as const } } };

  test.each([
    ['no site uses it yet', [], 'summit', true],
    ['this site holds its secret', [first], 'first', true],
    ['another site holds its secret', [first], 'summit', false],
  ])('if %s', (_case, sites, site, holdsSecret) => {
    expect(externalChoice(repository, { url: CODE.url, rawUrl: CODE.rawUrl }, sites, site)).toEqual({ ...CODE, holdsSecret });
  });

  test('groups the sites that share it, and is found by name', () => {
    const called = () => 'Team site';
    const groups = groupByRepository([{ name: 'summit', code: { owner: '100', repo: '7', source } }, first]);
    expect(groups).toEqual([{ key: 'byogit:100/7', type: 'byogit', owner: '100', repo: '7', sites: ['first', 'summit'], holder: 'first' }]);
    expect(overviewRows(groups, 'SUMM', called).map(({ kind }) => kind)).toEqual(['repository', 'site']);
    expect(overviewRows(groups, 'nothing', called)).toEqual([]);
    expect(overviewRows(groups, 'team', called).map(({ kind }) => kind)).toEqual(['repository']);
    expect(overviewRows(groups, '100/7', called).map(({ kind }) => kind)).toEqual(['repository']);
  });
});

describe('The checks of code', () => {
  const never: JobStatus = { topic: 'code', jobs: [], links: { self: '' } };
  const job: JobStatus = { ...never, name: 'job-2026-03-04-05-06-07-0a1b2c3d', stopTime: TIME };
  const finding = (id: string, of: Situation) => checkSite(of).find(({ check }) => check === id);
  const site = (holdsSecret: boolean) =>
    registered({ code: { owner: '100', repo: '7', source: holdsSecret ? { ...source, secretId: 'cm-byog' } : source } });

  test.each<[JobStatus, object]>([
    [{ ...job, state: 'stopped' }, { verdict: 'fine' }],
    [
      { ...job, state: 'running' },
      { verdict: 'note', variant: 'running' },
    ],
    [
      { ...job, state: 'stopped', error: 'Unable to fetch hlxignore: 401' },
      { verdict: 'wrong', variant: 'secret' },
    ],
    [never, { verdict: 'warning', variant: 'never' }],
  ])('report the last sync: %o', (value, expected) => {
    expect(finding('code-sync-fresh', { ...site(true), codeSync: { state: 'known', value } })).toMatchObject(expected);
  });

  test.each([
    [true, true, { verdict: 'fine' }],
    [true, false, { verdict: 'wrong' }],
    [false, false, { verdict: 'fine', variant: 'elsewhere' }],
    [false, true, { verdict: 'warning', variant: 'superfluous' }],
  ])('require the secret only on the first site (first: %s, stored: %s)', (holds, stored, expected) => {
    const secret = stored ? ({ state: 'known', value: INFO } as const) : ({ state: 'missing' } as const);
    expect(finding('secret-present', { ...site(holds), secret })).toMatchObject(expected);
  });
});

describe('Outdated code after a push', () => {
  const push = { sha: 'b'.repeat(40), time: TIME };
  const [old, newer] = ['a'.repeat(40), 'c'.repeat(40)];
  const refused = { ...push, refusal: 'The signature is wrong.' };
  const done: SyncState = { state: 'done' };
  test.each<[OldCodeVerdict, Comparison, SyncState]>([
    ['behind', { push, served: old }, done],
    ['behind', { push, head: push.sha, served: old, arrival: 'webhook' }, done],
    ['current', { push, head: push.sha, served: push.sha, arrival: 'webhook' }, done],
    ['current', { push: undefined, head: old, served: old, arrival: 'no-webhook' }, done],
    ['pushMissing', { push, head: newer, served: push.sha, arrival: 'webhook' }, done],
    ['pushMissing', { push, head: newer, served: old, arrival: 'webhook' }, done],
    ['noWebhook', { push, head: newer, served: push.sha, arrival: 'no-webhook' }, done],
    ['compare', { push, served: push.sha, arrival: 'webhook' }, done],
    ['branchGone', { push, isMissing: true, served: push.sha, arrival: 'webhook' }, done],
    ['noPush', { push: undefined, head: newer, served: push.sha, arrival: 'webhook' }, done],
    ['branchGone', { push: 'unlisted', isMissing: true, served: old }, done],
    ['current', { push: refused, head: old, served: old, arrival: 'webhook' }, done],
    ['refused', { push: refused, head: push.sha, served: old, arrival: 'webhook' }, done],
    ['refused', { push: refused, head: newer, served: old, arrival: 'webhook' }, done],
    ['syncing', { push, head: newer }, { state: 'waiting' }],
    ['compare', { push: 'unlisted', served: old }, done],
    ['older', { push: 'unlisted', head: newer, served: old }, done],
    ['failed', { push, served: old }, { state: 'failed', problem: jobProblem('branch not found', 'github') }],
    ['neverSynced', { push, head: newer }, done],
    ['rolledBack', { push, head: newer, served: old }, { state: 'rolledBack', time: TIME }],
  ])('is %s: %o', (verdict, compared, standing) => {
    expect(oldCodeVerdict(compared, standing)).toBe(verdict);
  });

  test('is a delivery that was refused before its branch could be read', () => {
    const refused = { id: '1', event: 'push', received: TIME, changes: [], outcome: 'refused', jobs: [], attempts: 1, repeats: 0 } as const;
    expect(latestPush([{ ...refused, changes: [], jobs: [] }], 'main')).toMatchObject({ refusal: 'refused' });
  });
});

test('The check reports a site without an administrator who can give the role', () => {
  const users = [{ id: '1', email: 'otto@example.com', roles: ['admin' as const] }];
  const organization = { state: 'known', value: { name: 'wknd', users } } as const;
  const found = (config: object) => checkSite({ ...registered(config), organization }).find(({ check }) => check === 'caller-administers');
  expect(found({ code: { owner: '100', repo: '7', source } })).toMatchObject({
    verdict: 'wrong',
    variant: 'unadministered',
    data: { administrators: 'otto@example.com' },
  });
  const named = found({ access: { admin: { role: { admin: ['nora@example.com'] } } } });
  expect([named?.verdict, named?.variant]).toEqual(['wrong', undefined]);
});
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

describe('The name of a repository on the code host ignores case', () => {
  it('in groups of sites, which have the notation of the first site', () => {
    const sites = [listed('wknd', '/content/wknd', 'Acme', 'Site'), listed('wknd-de', '/content/wknd/de', 'acme', 'site')];
    const groups = groupByRepository(sites);
    expect(groups).toMatchObject([{ owner: 'Acme', repo: 'Site', sites: ['wknd', 'wknd-de'] }]);
    expect(groups[0]?.key).toBe(repositoryKey({ type: 'github', owner: 'ACME', repo: 'SITE' }));
  });

  it('in the list of sites, where a site below another one is its locale, and each has its own notation', () => {
    const sites = [listed('wknd', '/content/wknd', 'Acme', 'Site'), listed('wknd-de', '/content/wknd/de', 'acme', 'site')];
    expect(organizationSites(sites)).toMatchObject([
      { name: 'wknd', kind: 'base', repository: 'github:Acme/Site' },
      { name: 'wknd-de', kind: 'locale', base: 'wknd', repository: 'github:acme/site' },
    ]);
  });
});

it('The name of an external repository is case-sensitive', () => {
  expect(
    groupByRepository([
      { name: 'a', code: external('Acme') },
      { name: 'b', code: external('acme') },
    ]),
  ).toHaveLength(2);
});
