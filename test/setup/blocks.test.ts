import { planSetup } from '@repoless/core/plan/plan-setup.ts';
import type { StepId } from '@repoless/core/plan/plan.ts';
import type { BlockReason } from '@repoless/core/situation/call.ts';
import { readSituation } from '@repoless/core/plan/read-situation.ts';
import type { Choices } from '@repoless/core/situation/situation.ts';
import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, open, stateOf, writes } from './apply.ts';
import { ADA, CARL, SAM, startSetupWorld } from './setup-world.ts';

const around = startBeforeAll(() => startSetupWorld({ sites: true }));

interface Blocked {
  readonly reason: BlockReason;
  readonly step: StepId;
  readonly page: string;
  readonly as?: string;
  readonly corrected?: Partial<Choices>;
  readonly data?: Readonly<Record<string, unknown>>;
}

const LONG = 'a-site-name-that-is-far-too-long-for-one-label-of-the-domain-name-system';
const blocks: readonly Blocked[] = [
  { reason: 'name-invalid', step: 'claim-organization', page: '/content/summit', corrected: { organization: 'WKND' } },
  { reason: 'name-invalid', step: 'register-site', page: '/content/summit', corrected: { siteName: 'Summit School' } },
  {
    reason: 'name-invalid',
    step: 'register-site',
    page: '/content/summit',
    corrected: { siteName: 'harbour' },
    data: { root: '/content/harbour' },
  },
  { reason: 'host-label-too-long', step: 'register-site', page: '/content/summit', corrected: { siteName: LONG } },
  { reason: 'mapping-invalid', step: 'map-paths', page: '/content/summit', corrected: { mappings: ['/content/summit/'] } },
  { reason: 'mapping-invalid', step: 'map-paths', page: '/content/summit', corrected: { includes: ['content/summit'] } },
  { reason: 'technical-account-missing', step: 'set-access', page: '/content/summit', corrected: { technicalAccount: '' } },
  {
    reason: 'content-root-taken',
    step: 'register-site',
    page: '/content/harbour',
    corrected: { siteName: 'another-name' },
    data: { site: 'harbour' },
  },
  { reason: 'inherited-configuration', step: 'keep-previous', page: '/content/wknd/de/en', data: { from: '/content/wknd' } },
  { reason: 'configuration-page-type', step: 'configuration-page', page: '/content/wknd/us/es' },
  { reason: 'organization-not-claimed', step: 'claim-organization', page: '/content/summit', as: CARL },
  {
    reason: 'not-administrator',
    step: 'set-access',
    page: '/content/harbour',
    as: CARL,
    corrected: { administrators: ['new@example.com'] },
  },
  { reason: 'organization-not-claimed', step: 'claim-organization', page: '/content/summit', corrected: { organization: 'acme' } },
  { reason: 'organization-missing', step: 'claim-organization', page: '/content/summit', corrected: { organization: 'nowhere' } },
  { reason: 'refused', step: 'register-site', page: '/content/summit', corrected: { administrators: ['not a name'] } },
];

test.each(blocks)('A plan is blocked by $reason at $step of $page', async ({ reason, step, page, as = ADA, corrected, data = {} }) => {
  const person = await around.person(as);
  const opened = await open(person, page, corrected);
  expect(stateOf(opened.plan, step)).toMatchObject({ kind: 'blocked', reason, data });
  expect(opened.plan).toMatchObject({ blocked: true, complete: false });
  const after = opened.plan.steps.slice(opened.plan.steps.findIndex(({ id }) => id === step) + 1);
  expect(after.filter(({ state }) => state.kind !== 'done' && state.kind !== 'blocked')).toEqual([]);

  expect((await apply(person, page, opened)).result.outcome).toBe('failed');
  expect(writes(person.sent)).toEqual([]);
});

describe('What cannot be read', () => {
  test('a page that is not there is missing', async () => {
    const ada = await around.person(ADA);
    expect(await readSituation(ada.ports, '/content/nowhere')).toEqual({ state: 'missing' });
    expect(await readSituation(ada.ports, '/conf/wknd')).toEqual({ state: 'missing' });
  });

  test('somebody who may not read the authoring system gets its answer', async () => {
    const sam = await around.person(SAM);
    expect(await readSituation(sam.ports, '/content/summit')).toMatchObject({ state: 'failed', failure: { status: 403 } });
  });

  test('nobody signed in blocks the first step', async () => {
    const { situation, choices } = await open(await around.person(ADA), '/content/summit');
    const plan = planSetup({ ...situation, profile: { state: 'missing' } }, choices);
    expect(stateOf(plan, 'sign-in')).toMatchObject({ kind: 'blocked', reason: 'not-signed-in' });
  });

  test.each([
    ['site', 'register-site', 'service-unreachable'],
    ['configurationPage', 'configuration-page', 'authoring-unreachable'],
  ] as const)('an unread %s blocks %s by %s', async (part, step, reason) => {
    const { situation, choices } = await open(await around.person(ADA), '/content/summit');
    const plan = planSetup({ ...situation, [part]: { state: 'failed', failure: { kind: 'unreachable' } } }, choices);
    expect(stateOf(plan, step)).toMatchObject({ kind: 'blocked', reason });
  });
});
