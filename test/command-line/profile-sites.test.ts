import { evaluateSituation } from '@repoless/core/checks/site-state.ts';
import { planPeople } from '@repoless/core/plan/plan-work.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { apply, open, stateOf, undo } from '../setup/apply.ts';
import { ADA, OTTO } from '../setup/setup-world.ts';
import { PAGE } from '../setup/summit.ts';
import { offered } from '../support/on-both.ts';
import { world, folder, inCommandWorld, repoless, sitesFile, asOperator } from './command.ts';

inCommandWorld();
afterEach(async () => {
  for (const path of [SITE, NEW, PROFILE, DEFAULT]) await asOperator.call('DELETE', path);
});

const SITE = '/config/wknd/sites/summit.json';
const NEW = '/config/wknd/sites/plaza.json';
const PROFILE = '/config/wknd/profiles/shared.json';
const DEFAULT = '/config/wknd/profiles/default.json';
const AGGREGATE = '/config/wknd/aggregated/summit.json';
const ACCOUNT = 'p100-e200@techacct.example.com';

const code = (repo: string) => ({ owner: 'wknd', repo, source: { type: 'github', url: `${world.codeHost.address}/wknd/${repo}` } });
const content = (site: string) => ({
  source: { url: `${world.authorAddress()}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup', suffix: '.html' },
});
const paths = {
  mappings: [`${PAGE}/:/`, `${PAGE}/configuration:/.helix/config.json`],
  includes: [`${PAGE}/`],
};

const put = (path: string, body: unknown) => asOperator.done('PUT', path, body);
const read = async (path: string) => (await asOperator.call('GET', path)).json() as Record<string, unknown>;

/** Stores a profile and a site that only has what a profile cannot give. */
async function extend(profile: object, site: object = {}): Promise<void> {
  await put(PROFILE, profile);
  await put(SITE, { extends: { profile: 'shared' }, content: content('summit'), public: { paths }, ...site });
}

const roles = { admin: [ADA, OTTO], config_admin: [ACCOUNT, 'publisher@example.com'] };

describe('A site whose profile adds to its public part', () => {
  beforeEach(() => extend({ public: { brand: 'x' } }, { code: code('wknd'), access: { admin: { role: roles } } }));

  test('is planned, applied and checked with it', async () => {
    const before = await read(SITE);
    expect(await repoless('export', '--organization', 'wknd', '-o', 'all.yaml')).toMatchObject({ code: 0 });
    expect(await repoless('plan', '-f', 'all.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
    expect(await repoless('apply', '-f', 'all.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
    expect(await repoless('status', '-f', 'all.yaml', '--json')).toMatchObject({ code: 0, out: expect.stringMatching(/"differs": 0/) });
    const checked = (await repoless('check', '-f', 'all.yaml', '--json')).json();
    expect(checked).toMatchObject({
      sites: [{ findings: expect.arrayContaining([{ check: 'config-live', verdict: 'fine' }].map(matching)) }],
    });
    expect(await read(SITE)).toEqual(before);
  });

  test.runIf(offered('authoring'))('is set up, and restored, in the panel', async () => {
    const before = await read(SITE);
    const ada = await world.person(ADA);
    const opened = await open(ada, PAGE);
    expect(stateOf(opened.plan, 'map-paths')).toEqual({ kind: 'done' });
    expect(await apply(ada, PAGE, opened)).toMatchObject({ result: { outcome: 'complete' } });
    const { situation, plan } = await open(await world.person(ADA), PAGE);
    expect(plan.complete).toBe(true);
    expect(evaluateSituation(situation)).toMatchObject({ wrong: 0 });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await read(SITE)).toEqual(before);
  });
});

describe('A site whose profile has roles', () => {
  beforeEach(() => extend({ access: { admin: { role: roles } } }, { code: code('wknd') }));

  test.runIf(offered('authoring'))('preserves all of them, and none is reported as new', async () => {
    const ada = await world.person(ADA);
    const opened = await open(ada, PAGE);
    expect(planPeople(opened.plan)).toMatchObject({ administrators: { added: [], removed: [] }, publishers: [] });
    expect(stateOf(opened.plan, 'set-access')).toEqual({ kind: 'done' });
    expect((await apply(ada, PAGE, opened)).result).toEqual({ outcome: 'complete' });
    expect(await read(SITE)).not.toHaveProperty('access');
    expect(await read(AGGREGATE)).toMatchObject({ access: { admin: { role: roles } } });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  });

  test.runIf(offered('authoring'))('gets its own list when someone is added, with everyone of the profile', async () => {
    const ada = await world.person(ADA);
    const administrators = [ADA, OTTO, 'new@example.com'];
    const opened = await open(ada, PAGE, { administrators });
    expect(planPeople(opened.plan)).toMatchObject({ administrators: { added: ['new@example.com'], removed: [] }, publishers: [] });
    expect((await apply(ada, PAGE, opened)).result).toEqual({ outcome: 'complete' });
    expect(await read(SITE)).toMatchObject({ access: { admin: { role: { admin: administrators } } } });
    expect(await read(SITE)).not.toHaveProperty('access.admin.role.config_admin');
    expect(await read(AGGREGATE)).toMatchObject({ access: { admin: { role: { ...roles, admin: administrators } } } });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  });

  test.runIf(offered('authoring'))('loses the people removed, as the plan says', async () => {
    const opened = await open(await world.person(ADA), PAGE, { administrators: [ADA] });
    expect(planPeople(opened.plan)).toMatchObject({ administrators: { added: [], removed: [OTTO] } });
  });

  test('names the people that it removes in the plan of a file', async () => {
    await repoless('export', '--organization', 'wknd', '-o', 'all.yaml');
    await folder.write('less.yaml', (await folder.read('all.yaml')).replace(/\n *- publisher@example\.com/, ''));
    const planned = await repoless('plan', '-f', 'less.yaml');
    expect(planned).toMatchObject({ code: 3, out: expect.stringContaining('Configuration administrators: publisher@example.com removed') });
    expect(await repoless('apply', '-f', 'less.yaml')).toMatchObject({ code: 0 });
    expect(await read(SITE)).toMatchObject({ access: { admin: { role: { config_admin: [ACCOUNT] } } } });
    expect(await read(SITE)).not.toHaveProperty('access.admin.role.admin');
  });
});

test.runIf(offered('code-of-profile'))(
  'A site whose code comes from its profile is complete, keeps that code, and is exported',
  async () => {
    await extend({ code: code('wknd') }, { access: { admin: { role: roles } } });
    const { choices, plan } = await open(await world.person(ADA), PAGE);
    expect(choices.code).toMatchObject({ owner: 'wknd', repo: 'wknd' });
    expect(stateOf(plan, 'register-site')).toEqual({ kind: 'done' });
    const exported = await repoless('export', '--organization', 'wknd', '-o', 'all.yaml');
    expect(exported).toMatchObject({ code: 0, err: '' });
    expect(parse(await folder.read('all.yaml'))).toMatchObject({ sites: [{ name: 'summit' }] });
    expect(await repoless('plan', '-f', 'all.yaml')).toMatchObject({ code: 0 });
    expect((await repoless('status', '-f', 'all.yaml', '--json')).json()).toMatchObject({
      sites: [{ siteState: 'changed', differs: [] }],
    });
  },
);

test('A site whose file includes everything includes everything, whatever its profile includes', async () => {
  await extend(
    { public: { paths: { includes: [`${PAGE}/a/`] } } },
    {
      code: code('wknd'),
      public: { paths: { mappings: paths.mappings } },
      access: { admin: { role: roles } },
    },
  );
  await repoless('export', '--organization', 'wknd', '-o', 'all.yaml');
  await folder.write('open.yaml', (await folder.read('all.yaml')).replace(/includes:\n *- .*\n/, 'includes: false\n'));
  expect(await repoless('apply', '-f', 'open.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('1 changed') });
  expect(await read(SITE)).toMatchObject({ public: { paths: { includes: ['/'] } } });
  expect(await repoless('plan', '-f', 'open.yaml')).toMatchObject({ code: 0 });
});

describe('A site created by a file', () => {
  const file = (site = '') =>
    sitesFile(world.authorAddress(), `  - name: plaza\n    contentRoot: /content/plaza\n${site}`, {
      service: world.backend.address,
      code: `{ owner: wknd, repo: wknd, source: { type: github, url: "${world.codeHost.address}/wknd/wknd" } }`,
      technicalAccount: undefined,
    });

  test('is verified over the default profile of its organization', async () => {
    await put(DEFAULT, { public: { brand: 'x' } });
    await folder.write('sites.yaml', file());
    expect(await repoless('apply', '-f', 'sites.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('1 created') });
    expect(await repoless('plan', '-f', 'sites.yaml')).toMatchObject({ code: 0 });
  });

  test('includes everything if its file says so, whatever the default profile includes', async () => {
    await put(DEFAULT, { public: { paths: { includes: ['/content/plaza/a/'] } } });
    await folder.write('sites.yaml', file('    includes: false\n'));
    expect(await repoless('apply', '-f', 'sites.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('1 created') });
    expect(await read(NEW)).toMatchObject({ public: { paths: { includes: ['/'] } } });
    expect(await repoless('plan', '-f', 'sites.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
  });
});

function matching(finding: object): unknown {
  return expect.objectContaining(finding);
}
