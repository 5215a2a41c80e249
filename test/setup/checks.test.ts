import { CHECK_IDS, type CheckId, EVALUATED_BY, SITE_STATES, type SiteState, type Verdict } from '@repoless/contract/site-check.ts';
import type { PublicConfig, SiteInput } from '@repoless/contract/site.ts';
import { type Finding, fixOf } from '@repoless/core/checks/finding.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { findDrift } from '@repoless/core/checks/find-drift.ts';
import { proposeChoices } from '@repoless/core/plan/choices.ts';
import { desiredSite } from '@repoless/core/plan/desired-site.ts';
import { readSituation } from '@repoless/core/plan/read-situation.ts';
import { seededTroubles } from '@repoless/sandbox/seed/seed-sites.ts';
import { describe, expect, test } from 'vitest';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, enable, open, situationOf, stateOf } from './apply.ts';
import { ADA, CARL, startSetupWorld } from './setup-world.ts';
import { untilStopped } from '../support/code-world.ts';
import { siteState, STATE_TONES, stateOfSituation } from '@repoless/core/checks/site-state.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { english } from '@repoless/core/messages/english.ts';
import { registered, situation } from './situation-builder.ts';

const world = startBeforeAll(() => startSetupWorld({ sites: true }));

async function check(page: string, as = ADA): Promise<Map<CheckId, Finding>> {
  const findings = checkSite(await situationOf(await world.person(as), page));
  return new Map(findings.map((finding) => [finding.check, finding]));
}

describe('Checking a site', () => {
  test('answers every check once, in its order', async () => {
    const findings = checkSite(await situationOf(await world.person(ADA), '/content/summit'));
    expect(findings.map((finding) => finding.check)).toEqual(CHECK_IDS);
  });

  const troubles = seededTroubles();
  test.each(troubles)('finds the fault of $page: $trouble.explanation', async ({ page, trouble }) => {
    const findings = await check(page, trouble.check === 'caller-administers' ? CARL : ADA);
    const finding = [...findings.values()].find((candidate) => candidate.check === trouble.check);
    expect(['wrong', 'warning', 'note']).toContain(finding?.verdict);
  });

  test.each([...new Set(troubles.map(({ page }) => page))])('names at %s only steps that its plan still has to take', async (page) => {
    const ada = await world.person(ADA);
    const { situation, plan } = await open(ada, page);
    const left = plan.steps.filter(({ state }) => state.kind !== 'done').map(({ id }) => id);
    const named = checkSite(situation).flatMap((finding) => {
      const mending = fixOf(finding);
      return mending !== undefined && 'step' in mending ? [`${finding.check} by ${mending.step}`] : [];
    });
    expect(named.filter((one) => !left.some((step) => one.endsWith(` by ${step}`)))).toEqual([]);
  });

  test('finds nothing wrong with a site that is set up', async () => {
    const findings = await check('/content/wknd');
    const wrong = [...findings.values()].filter(({ verdict }) => verdict === 'wrong' || verdict === 'warning');
    expect(wrong.map(({ check: id }) => id)).toEqual(['code-sync-fresh']);
  });

  test('finds nothing wrong with the paths of a site without a list of included ones, and a plan adds none', async () => {
    const site = '/config/wknd/sites/open-ended.json';
    const root = '/content/summit';
    const source = { url: `${world.authorAddress()}/bin/franklin.delivery/wknd/open-ended/main`, type: 'markup', suffix: '.html' };
    const code = { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: `${world.codeHost.address}/wknd/wknd` } };
    const body = { code, content: { source }, public: { paths: { mappings: [`${root}/:/`] } } };
    expect((await world.backend.call('PUT', site, { as: OPERATOR, body })).status).toBe(201);
    const { ports } = await world.person(ADA);
    const read = await readSituation(ports, root, undefined, { organization: 'wknd', siteName: 'open-ended' });
    if (read.state !== 'known') throw new Error('The page was not read.');
    const verdict = (publicPart: PublicConfig) => {
      const { site: known } = read.value;
      if (known.state !== 'known') throw new Error('The site is not registered.');
      const config = { ...known.value.config, public: publicPart };
      const situation = { ...read.value, site: { state: 'known' as const, value: { ...known.value, config } } };
      return checkSite(situation).find(({ check: id }) => id === 'mapping-site-root');
    };
    const mappings = [`${root}/:/`];
    expect(verdict({ paths: { mappings } })).toMatchObject({ verdict: 'fine' });
    expect(verdict({ paths: { mappings, includes: [root] } })).toMatchObject({ verdict: 'fine' });
    expect(verdict({ paths: { mappings, includes: [] } })).toMatchObject({ verdict: 'wrong', variant: 'not-included' });
    expect(desiredSite(read.value, proposeChoices(read.value)).public.paths).not.toHaveProperty('includes');
    expect((await world.backend.call('DELETE', site, { as: OPERATOR })).status).toBe(204);
  });

  test('explains a preview host with restricted access, instead of calling its files missing', async () => {
    const site = (await check('/content/wknd')).get('editor-files')?.data['siteName'];
    const access = (method: string, body?: object) =>
      world.backend.call(method, `/config/wknd/sites/${site}/access/preview.json`, { as: OPERATOR, ...(body && { body }) });
    expect((await access('POST', { allow: ['nobody@example.com'] })).status).toBe(200);
    const findings = await check('/content/wknd');
    expect(findings.get('editor-files')).toMatchObject({ verdict: 'note', variant: 'protected', evidence: { answer: '401' } });
    expect([findings.get('config-preview')?.verdict, findings.get('config-live')?.verdict]).toEqual(['fine', 'fine']);
    expect((await access('DELETE')).status).toBe(204);
  });

  test('names missing groups in its lists', async () => {
    const members = (admin: readonly string[]) =>
      world.backend.call('POST', '/config/wknd/sites/plaza/access.json', { as: OPERATOR, body: { admin: { role: { admin } } } });
    expect((await members([ADA, 'groups/gone', '/groups/editors.json'])).status).toBe(200);
    const group = '/config/wknd/groups/editors.json';
    const body = { members: [{ email: ADA }, { email: 'groups/lost' }] };
    await world.backend.call('POST', group, { as: OPERATOR, body: { members: [{ email: ADA }] } });
    expect((await check('/content/plaza')).get('groups-exist')).toMatchObject({ verdict: 'wrong', data: { missing: 'groups/gone' } });
    expect((await members([ADA, 'groups/editors'])).status).toBe(200);
    expect((await check('/content/plaza')).get('groups-exist')).toMatchObject({ verdict: 'fine', data: { groups: 'groups/editors' } });
    await world.backend.call('POST', '/config/wknd/sites/plaza/groups/own.json', { as: OPERATOR, body });
    expect((await check('/content/plaza')).get('groups-exist')).toMatchObject({ verdict: 'wrong', data: { missing: 'groups/lost' } });
  });

  const FILE_CHECKS: readonly CheckId[] = ['code-sync-fresh', 'config-shadowed', 'editor-files', 'obsolete-files'];
  test.each(['/content/ferry', '/content/meadow', '/content/wknd/it/it', '/content/wknd/gb/en', '/content/wknd/us/en', '/content/orchard'])(
    'finds nothing wrong with %s after it was enabled',
    async (page) => {
      const ada = await world.person(ADA);
      expect((await enable(ada, page)).result).toEqual({ outcome: 'complete' });
      const findings = [...(await check(page)).values()].filter((finding) => !FILE_CHECKS.includes(finding.check));
      expect(findings.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
      expect((await open(ada, page)).plan.complete).toBe(true);
      expect(findDrift(await situationOf(ada, page))).toEqual([]);
    },
  );
});

describe('Drift', () => {
  test('is a difference between the authoring system and the service', async () => {
    const situation = await situationOf(await world.person(ADA), '/content/wknd/fr/fr');
    expect(findDrift(situation)).toEqual([
      { field: 'technicalAccount', authoring: 'p100-e200@techacct.example.com', service: expect.stringContaining('p100-e300') },
    ]);
  });

  test('reports a site name that was changed after the apply', async () => {
    const page = '/content/lantern';
    const ada = await world.person(ADA);
    expect((await enable(ada, page)).result).toEqual({ outcome: 'complete' });
    const path = '/conf/lantern/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content';
    await world.edit(path, { './repo': 'somebody-elses' });
    expect(findDrift(await situationOf(ada, page))).toEqual([{ field: 'siteName', authoring: 'somebody-elses', service: 'lantern' }]);
  });
});

test('A sync that ends while a site is read does not make files missing that were not served before it', async () => {
  const code = { owner: 'wknd', repo: 'later', source: { type: 'github', url: `${world.codeHost.address}/wknd/later` } };
  const source = { url: `${world.authorAddress()}/bin/franklin.delivery/wknd/summit/main`, type: 'markup', suffix: '.html' };
  await world.codeHost.copy('later');
  const stored = await world.backend.call('PUT', '/config/wknd/sites/summit.json', {
    as: OPERATOR,
    body: siteBody('wknd', 'summit', { code, content: { source } }),
  });
  expect(stored.status, stored.text).toBe(201);
  const headers = { 'x-auth-token': await world.backend.token(ADA) };

  let looks = 0;
  const ada = await world.person(ADA, {
    async before({ method, address }) {
      if (method !== 'GET' || !address.includes('/job/wknd/summit/') || ++looks > 1) return;
      await world.backend.call('POST', '/code/wknd/summit/main/*', { as: ADA });
      expect(await untilStopped(world.backend.address, '/job/wknd/summit/main/code', headers)).not.toHaveProperty('error');
    },
  });
  const opened = await open(ada, '/content/summit');
  expect(looks).toBeGreaterThan(0);
  expect(stateOf(opened.plan, 'editor-files')).toEqual({ kind: 'done' });
  expect(checkSite(opened.situation).find(({ check }) => check === 'editor-files')).toMatchObject({ verdict: 'fine' });
  expect((await apply(ada, '/content/summit', opened)).result).toEqual({ outcome: 'complete' });
});
const german = (await createCatalogues()('de').read('first-view')).siteStates;

const FITS = { switched: true, differs: false };
const DIFFERS = { switched: true, differs: true };
const NOT_SWITCHED = { switched: false, differs: false };

/** All findings of a check, fine except those given. */
function findings(but: Partial<Record<CheckId, Verdict>> = {}): Finding[] {
  return checkSite(situation()).map(({ check }) => ({ check, verdict: but[check] ?? 'fine', data: {} }));
}

describe('The state of a site', () => {
  // Every combination of what is known: registered, complete, the authoring system's answer, the check's findings.
  const registrations = [undefined, false, true];
  const settings = [undefined, NOT_SWITCHED, FITS, DIFFERS];
  const checks = [undefined, findings(), findings({ 'editor-files': 'wrong' }), findings({ 'config-live': 'unknown' })];

  test.each(registrations.flatMap((is) => settings.flatMap((authoring) => checks.map((found) => [is, authoring, found] as const))))(
    'registered %s, settings %o: follows from the data',
    (is, authoring, found) => {
      const read = { registered: is, ...(authoring && { authoring }), ...(found && { findings: found }) };
      expect(siteState(read)).toBe(expected(is, authoring, found));
      if (is === true) expect(siteState({ ...read, complete: false })).toBe(authoring?.switched === true ? 'faulty' : 'not-set-up');
    },
  );

  test('is that of the content tree, or replaces “Changed since verified”, or is a fault', () => {
    for (const authoring of [NOT_SWITCHED, FITS, DIFFERS]) {
      const tree = siteState({ registered: true, authoring });
      for (const found of [findings(), findings({ 'project-type': 'wrong' })]) {
        const panel = siteState({ registered: true, authoring, findings: found });
        expect([tree === 'changed' || tree === panel || panel === 'faulty', authoring, panel]).toEqual([true, authoring, panel]);
      }
    }
  });

  test.each(checkSite(situation()).map(({ check }) => check))(
    'is never “In order” if a check failed, unless that concerns only the caller: %s',
    (check) => {
      const state = siteState({ registered: true, authoring: FITS, findings: findings({ [check]: 'wrong' }) });
      expect(state).toBe(EVALUATED_BY[check] === 'caller' ? 'in-order' : 'faulty');
    },
  );

  test.each(['en', 'de'] as const)('has its own word for each (%s)', (language) => {
    const messages = language === 'en' ? english['first-view'].siteStates : german;
    expect(new Set(SITE_STATES.map((state) => messages[state])).size).toBe(SITE_STATES.length);
    expect(Object.keys(STATE_TONES).toSorted()).toEqual([...SITE_STATES].toSorted());
  });
});

describe('The state from all data', () => {
  const SITE: SiteInput = {
    code: { owner: 'wknd', repo: 'wknd' },
    content: {
      source: { url: 'https://author-p1-e2.example.com/bin/franklin.delivery/wknd/summit/main', type: 'markup', suffix: '.html' },
    },
    public: {
      paths: { mappings: ['/content/summit/:/', '/content/summit/configuration:/.helix/config.json'], includes: ['/content/summit/'] },
    },
    access: { admin: { role: { admin: ['ada@example.com'], config_admin: ['id@techacct.example.com'] } } },
  };
  const known = registered(SITE);
  const switched = (from = known) => ({
    ...from,
    settings: { ...from.settings, projectType: { value: '4', source: { kind: 'configuration' as const, path: '/conf/summit' } } },
  });
  const inherited = {
    ...switched(),
    settings: {
      ...switched().settings,
      cloudConfiguration: { value: '/conf/wknd', source: { kind: 'inherited' as const, from: '/content/wknd' } },
    },
  };
  const refused = { kind: 'refused' as const, status: 403 };
  const hidden = {
    ...switched(situation()),
    organization: { state: 'missing' as const },
    claim: { state: 'failed' as const, failure: refused },
  };
  const unasked = { ...known, site: { state: 'failed' as const, failure: { kind: 'unreachable' as const } } };

  test.each<[string, ReturnType<typeof situation>, SiteState]>([
    ['nothing is registered', situation(), 'not-set-up'],
    ['the authoring system was switched too early', switched(situation()), 'faulty'],
    ['the service has the site and nothing was switched', known, 'not-set-up'],
    ['the page inherits the configuration of another site', inherited, 'not-set-up'],
    ['the site has no content yet', switched(registered({ code: { owner: 'wknd', repo: 'wknd' } })), 'faulty'],
    ['the service does not respond', unasked, 'changed'],
    ['a stranger reads it, who gets nothing from the service', hidden, 'changed'],
  ])('if %s', (_what, read, state) => {
    expect(stateOfSituation(read)).toBe(state);
  });
});

function expected(is: boolean | undefined, authoring: typeof FITS | undefined, found: readonly Finding[] | undefined): SiteState {
  if (is === undefined) return 'changed';
  if (!is) return authoring?.switched === true ? 'faulty' : 'not-set-up';
  if (authoring === NOT_SWITCHED) return 'not-set-up';
  const verdicts = new Set(found?.map(({ verdict }) => verdict));
  if (verdicts.has('wrong')) return 'faulty';
  if (authoring === DIFFERS) return 'differs';
  return authoring === FITS && found !== undefined && !verdicts.has('unknown') ? 'in-order' : 'changed';
}
