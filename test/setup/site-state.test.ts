import { type CheckId, JUDGED_BY, SITE_STATES, type SiteState, type Verdict } from '@repoless/contract/site-check.ts';
import type { SiteInput } from '@repoless/contract/site.ts';
import type { Finding } from '@repoless/core/checks/finding.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { siteState, STATE_TONES, stateOfSituation } from '@repoless/core/checks/site-state.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { english } from '@repoless/core/messages/english.ts';
import { describe, expect, test } from 'vitest';
import { registered, situation } from './situation-builder.ts';

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
    'registered %s, settings %o: follows from what was read',
    (is, authoring, found) => {
      const read = { registered: is, ...(authoring && { authoring }), ...(found && { findings: found }) };
      expect(siteState(read)).toBe(expected(is, authoring, found));
      if (is === true) expect(siteState({ ...read, complete: false })).toBe(authoring?.switched === true ? 'faulty' : 'not-set-up');
    },
  );

  test('never contradicts a reading of less: “Changed since verified” becomes another state, a fault outweighs the rest', () => {
    for (const authoring of [NOT_SWITCHED, FITS, DIFFERS]) {
      const tree = siteState({ registered: true, authoring });
      for (const found of [findings(), findings({ 'project-type': 'wrong' })]) {
        const panel = siteState({ registered: true, authoring, findings: found });
        expect([tree === 'changed' || tree === panel || panel === 'faulty', authoring, panel]).toEqual([true, authoring, panel]);
      }
    }
  });

  test.each(checkSite(situation()).map(({ check }) => check))(
    'is never “In order” above “1 wrong”, unless that is about who looks: %s',
    (check) => {
      const state = siteState({ registered: true, authoring: FITS, findings: findings({ [check]: 'wrong' }) });
      expect(state).toBe(JUDGED_BY[check] === 'caller' ? 'in-order' : 'faulty');
    },
  );

  test.each(['en', 'de'] as const)('has one word of its own each (%s)', (language) => {
    const messages = language === 'en' ? english['first-view'].siteStates : german;
    expect(new Set(SITE_STATES.map((state) => messages[state])).size).toBe(SITE_STATES.length);
    expect(Object.keys(STATE_TONES).toSorted()).toEqual([...SITE_STATES].toSorted());
  });
});

describe('The state from everything that was read', () => {
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
    ['nothing is there', situation(), 'not-set-up'],
    ['the authoring system was switched too early', switched(situation()), 'faulty'],
    ['the service holds the site and nothing was switched', known, 'not-set-up'],
    ['the page inherits the configuration of another site', inherited, 'not-set-up'],
    ['the site has no content yet', switched(registered({ code: { owner: 'wknd', repo: 'wknd' } })), 'faulty'],
    ['the service does not respond', unasked, 'changed'],
    ['a stranger looks, whom the service tells nothing', hidden, 'changed'],
  ])('where %s', (_what, read, state) => {
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
