import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { english } from '@repoless/core/messages/english.ts';
import { explainWork } from '@repoless/core/messages/explain-work.ts';
import { planPeople, planWork, type PlanWork } from '@repoless/core/plan/plan-work.ts';
import { blocked, type Plan, planOf, type Step, STEP_IDS, type StepId, type StepState } from '@repoless/core/plan/plan.ts';
import type { Call } from '@repoless/core/situation/call.ts';
import { describe, expect, test } from 'vitest';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { toCurl } from '@repoless/core/plan/to-curl.ts';

const de = await createCatalogues()('de').read('first-view');
const en = english['first-view'];

const TARGET = { organization: 'wknd', siteName: 'summit' };
const CREATE: StepState = { kind: 'create' };
const CHANGE: StepState = { kind: 'change', before: 1, after: 2 };
const VERIFY: StepState = { kind: 'verify' };

/** A plan in which all steps except these are done. */
function plan(open: Partial<Record<StepId, StepState>>, purpose: Plan['purpose'] = 'enable'): Plan {
  return planOf(
    purpose,
    STEP_IDS.map((id): Step => ({ id, state: open[id] ?? { kind: 'done' } })),
  );
}

const FRESH: Partial<Record<StepId, StepState>> = {
  'keep-previous': CREATE,
  'configuration-page': CREATE,
  'register-site': CREATE,
  'map-paths': CREATE,
  'set-access': CREATE,
  'verify-preview': VERIFY,
  'verify-live': VERIFY,
  'project-type': CHANGE,
};

interface Row {
  readonly of: string;
  readonly plan: Plan;
  readonly work: PlanWork;
  readonly button: string | undefined;
  readonly sentence?: RegExp;
}

const rows: readonly Row[] = [
  { of: 'a site that is set up', plan: plan({}), work: { kind: 'nothing' }, button: undefined },
  { of: 'an undo', plan: plan(FRESH, 'undo'), work: { kind: 'nothing' }, button: undefined },
  {
    of: 'a new site root',
    plan: plan(FRESH),
    work: { kind: 'enable' },
    button: 'Enable repoless',
    sentence: /^Afterwards this page is the site “summit” of “wknd”: .+ its project type is repoless\.$/,
  },
  {
    of: 'a blocked site root',
    plan: plan({ ...FRESH, 'register-site': blocked('technical-account-missing') }),
    work: { kind: 'enable' },
    button: 'Enable repoless',
  },
  {
    of: 'a setup that was interrupted before verifying',
    plan: plan({ 'verify-preview': VERIFY, 'verify-live': VERIFY, 'project-type': CHANGE }),
    work: { kind: 'finish', open: 3 },
    button: 'Finish setup: 3 steps',
  },
  {
    of: 'a setup that lacks only the switch',
    plan: plan({ 'project-type': CHANGE }),
    work: { kind: 'finish', open: 1 },
    button: 'Finish setup: 1 step',
  },
  {
    of: 'a site whose configuration page is missing',
    plan: plan({ 'keep-previous': CREATE, 'configuration-page': CREATE }),
    work: { kind: 'single', step: 'configuration-page' },
    button: 'Create the configuration page',
    sentence: /^Afterwards the site has a configuration page\.$/,
  },
  {
    of: 'a site whose mapping differs',
    plan: plan({ 'keep-previous': CREATE, 'map-paths': CHANGE, 'verify-preview': VERIFY, 'verify-live': VERIFY }),
    work: { kind: 'repair', steps: ['map-paths'] },
    button: 'Repair 1 difference',
    sentence: /^Afterwards the site’s addresses lead to its pages\.$/,
  },
  {
    of: 'a site whose mapping and access differ',
    plan: plan({ 'keep-previous': CREATE, 'map-paths': CHANGE, 'set-access': CHANGE }),
    work: { kind: 'repair', steps: ['map-paths', 'set-access'] },
    button: 'Repair 2 differences',
    sentence: /^Afterwards the site’s addresses lead to its pages and the right people .+ have access\.$/,
  },
  {
    of: 'a site about which the service does not respond',
    plan: plan({
      'claim-organization': blocked('service-unreachable'),
      'register-site': blocked('service-unreachable'),
      'set-access': CREATE,
    }),
    work: { kind: 'unknown' },
    button: undefined,
  },
  {
    of: 'a site whose hosts do not respond yet',
    plan: plan({ 'verify-live': VERIFY }),
    work: { kind: 'verify' },
    button: 'Verify the site',
    sentence: /^Nothing is changed/,
  },
];

describe('The button of a plan describes the work', () => {
  test.each(rows)('of $of', ({ plan: subject, work, button, sentence }) => {
    expect(planWork(subject)).toEqual(work);
    const explained = explain(subject);
    expect(explained?.button).toBe(button);
    if (sentence !== undefined) expect(explained?.sentence).toMatch(sentence);
  });

  test('for every state of a single step', () => {
    for (const id of STEP_IDS) {
      for (const state of [CREATE, CHANGE, VERIFY, blocked('refused')]) {
        for (const messages of [en, de]) {
          const explained = explain(plan({ [id]: state }), messages, messages === de ? 'de-CH' : 'en-US');
          expect(explained?.button, `${id} ${state.kind}`).toMatch(/\S/);
          expect(explained?.sentence, `${id} ${state.kind}`).toMatch(/^\p{Lu}[^]+\.$/u);
        }
      }
    }
  });
});

describe('The consequences of a plan for people are shown above its button', () => {
  const roles = (admin: readonly string[], config_admin: readonly string[] = ['id@techacct.example.com']) => ({
    access: { admin: { role: { admin, config_admin } } },
  });

  test('if a site is created: who administers it, and who may publish', () => {
    const call = {
      target: 'service',
      method: 'PUT',
      address: '/config/wknd/sites/summit.json',
      body: { type: 'json', value: roles(['Ada@example.com', 'bob@example.com']) },
    } as const;
    const subject = withStep({ id: 'set-access', state: CREATE, call });
    expect(explain(subject)?.people).toEqual([
      'This adds you to the administrators of the site.',
      'This adds bob@example.com to the administrators of the site.',
      'This lets id@techacct.example.com publish to the site.',
    ]);
  });

  test('if only access is set', () => {
    const value = { admin: { role: { admin: ['ada@example.com'] } } };
    const call = {
      target: 'service',
      method: 'POST',
      address: '/config/wknd/sites/summit/access.json',
      body: { type: 'json', value },
    } as const;
    expect(explain(withStep({ id: 'set-access', state: CREATE, call }))?.people).toEqual([
      'This adds you to the administrators of the site.',
    ]);
  });

  test('if access changes: only who is added and who is removed', () => {
    const state = {
      kind: 'change',
      before: roles(['ADA@example.com', 'carl@example.com']),
      after: roles(['ada@example.com', 'bob@example.com']),
    } as const;
    expect(explain(withStep({ id: 'set-access', state }))?.people).toEqual([
      'This adds bob@example.com to the administrators of the site.',
      'This removes carl@example.com from the administrators of the site.',
    ]);
  });

  test('if the caller removes themselves', () => {
    const state = { kind: 'change', before: roles(['ada@example.com', 'bob@example.com']), after: roles(['bob@example.com']) } as const;
    expect(explain(withStep({ id: 'set-access', state }))?.people).toEqual(['This removes you from the administrators of the site.']);
  });

  test('if the organization is claimed', () => {
    const call = { target: 'service', method: 'PUT', address: '/config/wknd.json', body: { type: 'json', value: {} } } as const;
    expect(explain(withStep({ id: 'claim-organization', state: CREATE, call }))?.people).toEqual([
      'This makes you the first administrator of the organization “wknd”.',
    ]);
  });

  test('unless a step is blocked', () => {
    expect(explain(withStep({ id: 'set-access', state: blocked('technical-account-missing') }))?.people).toEqual([]);
  });
});

function withStep(step: Step): Plan {
  return planOf('enable', [step]);
}

function explain(subject: Plan, messages = en, locale = 'en-US') {
  return explainWork(messages, planWork(subject), { target: TARGET, people: planPeople(subject), caller: 'ada@example.com', locale });
}
/** The arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\nSERVICE=https://service TOKEN=t AUTHORING_TOKEN=a CSRF_TOKEN=c\n${command}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('A call as curl', () => {
  test('contains the token of the service as a variable', () => {
    const call: Call = {
      target: 'service',
      method: 'PUT',
      address: '/config/wknd/sites/summit.json',
      body: { type: 'json', value: { version: 1 } },
      ifNoneMatch: '*',
    };
    expect(toCurl(call)).toBe(
      [
        `curl -X PUT "$SERVICE"'/config/wknd/sites/summit.json'`,
        `-H "x-auth-token: $TOKEN"`,
        `-H 'if-none-match: *'`,
        `-H 'content-type: application/json'`,
        `-d '{"version":1}'`,
      ].join(' \\\n  '),
    );
    expect(toCurl(call, 'https://config.example.com')).toContain(`'https://config.example.com/config/wknd/sites/summit.json'`);
  });

  test('passes arguments to curl unchanged, whatever the values contain', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => !value.includes('\0'));
    fc.assert(
      fc.property(text, text, (name, value) => {
        const call: Call = {
          target: 'authoring',
          method: 'POST',
          address: 'https://author/conf/x/_jcr_content',
          body: { type: 'form', fields: [[`./${name}`, value]] },
        };
        expect(argumentsOf(toCurl(call))).toEqual([
          '-X',
          'POST',
          'https://author/conf/x/_jcr_content',
          '-H',
          'authorization: Bearer a',
          '-H',
          'CSRF-Token: c',
          '--data-urlencode',
          `./${name}=${value}`,
        ]);
      }),
      { numRuns: 40 },
    );
  });
});
