import { planSetup } from '@repoless/core/plan/plan-setup.ts';
import type { BlockReason } from '@repoless/core/situation/call.ts';
import type { StepId, RunResult } from '@repoless/core/plan/plan.ts';
import { readSituation } from '@repoless/core/plan/read-situation.ts';
import type { Choices } from '@repoless/core/situation/situation.ts';
import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, open, stateOf, writes, enable, undo } from './apply.ts';
import { ADA, CARL, isWrite, SAM, startSetupWorld, OTTO, plant } from './setup-world.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { english } from '@repoless/core/messages/english.ts';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { startReceiver } from '../support/receiver.ts';

const world = startBeforeAll(() => startSetupWorld({ sites: true }));

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
  const person = await world.person(as);
  const opened = await open(person, page, corrected);
  expect(stateOf(opened.plan, step)).toMatchObject({ kind: 'blocked', reason, data });
  expect(opened.plan).toMatchObject({ blocked: true, complete: false });
  const after = opened.plan.steps.slice(opened.plan.steps.findIndex(({ id }) => id === step) + 1);
  expect(after.filter(({ state }) => state.kind !== 'done' && state.kind !== 'blocked')).toEqual([]);

  expect((await apply(person, page, opened)).result.outcome).toBe('failed');
  expect(writes(person.sent)).toEqual([]);
});

describe('When something cannot be read', () => {
  test('a missing page is reported as missing', async () => {
    const ada = await world.person(ADA);
    expect(await readSituation(ada.ports, '/content/nowhere')).toEqual({ state: 'missing' });
    expect(await readSituation(ada.ports, '/conf/wknd')).toEqual({ state: 'missing' });
  });

  test('a person without permission gets the answer of the authoring system', async () => {
    const sam = await world.person(SAM);
    expect(await readSituation(sam.ports, '/content/summit')).toMatchObject({ state: 'failed', failure: { status: 403 } });
  });

  test('a caller who is not signed in is blocked at the first step', async () => {
    const { situation, choices } = await open(await world.person(ADA), '/content/summit');
    const plan = planSetup({ ...situation, profile: { state: 'missing' } }, choices);
    expect(stateOf(plan, 'sign-in')).toMatchObject({ kind: 'blocked', reason: 'not-signed-in' });
  });

  test.each([
    ['site', 'register-site', 'service-unreachable'],
    ['configurationPage', 'configuration-page', 'authoring-unreachable'],
  ] as const)('an unread %s blocks %s with %s', async (part, step, reason) => {
    const { situation, choices } = await open(await world.person(ADA), '/content/summit');
    const plan = planSetup({ ...situation, [part]: { state: 'failed', failure: { kind: 'unreachable' } } }, choices);
    expect(stateOf(plan, step)).toMatchObject({ kind: 'blocked', reason });
  });
});
const en = english['first-view'];

const ACCESS = '/config/wknd/sites/ferry/access.json';

const explained = (result: RunResult) => (result.outcome === 'failed' ? explainFailure(en, result.failure) : undefined);

test('A 409 of the authoring system is reported as a refusal, not as another person’s change', async () => {
  const properties = { 'jcr:primaryType': 'rep:DenyACE', 'rep:principalName': OTTO, 'rep:privileges': ['rep:write'] };
  // Not before the run has checked its permissions.
  const otto = await world.person(OTTO, {
    before: (sent) => {
      if (isWrite(sent)) plant(world, '/conf/willow/rep:policy/entry', properties);
    },
  });
  const { result } = await enable(otto, '/content/willow');
  expect(result).toMatchObject({
    outcome: 'failed',
    step: 'create-configuration',
    failure: { kind: 'refused', status: 409, system: 'authoring' },
  });
  expect(explained(result)?.sentence).toMatch(/You may lack permission, or somebody locked/);
  expect(writes(otto.sent)).toHaveLength(1);
});

test('A site that is changed again and again ends the run at the step that failed, with the answer of the service', async () => {
  let changes = 0;
  const ada = await world.person(ADA, {
    before: async ({ method, address }) => {
      if (method !== 'POST' || !address.includes('/ferry/access.json') || address.includes('dryRun')) return;
      const { admin } = (await world.backend.call('GET', ACCESS, { as: OTTO })).json() as { admin: { role: object } };
      const body = { admin: { ...admin, role: { ...admin.role, author: [`author-${++changes}@example.com`] } } };
      await world.backend.call('POST', ACCESS, { as: OTTO, body });
    },
  });
  const { result } = await enable(ada, '/content/ferry');
  expect(changes).toBe(4);
  expect(result).toMatchObject({
    outcome: 'failed',
    step: 'set-access',
    failure: { status: 412, problem: { code: 'PRECONDITION_FAILED', requestId: expect.any(String) } },
  });
  expect(explained(result)).toEqual(en.failures.changedMeanwhile);
});
describe('An acknowledged write that was not stored', () => {
  const PAGE = '/content/summit';
  const world = startBeforeAll(startSetupWorld);
  const between = startBeforeAll(() => startReceiver((incoming, response) => void forward(incoming, response)));
  /** A write to the authoring system whose form contains this is acknowledged but not stored. */
  let swallowed: string | undefined;

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(Buffer.from(piece as Uint8Array));
    const body = Buffer.concat(pieces);
    const isForm = incoming.method === 'POST' && incoming.url?.startsWith('/authoring/') === true;
    if (isForm && swallowed !== undefined && body.includes(swallowed)) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>All is well.</body></html>');
      return;
    }
    const options = { method: incoming.method, headers: { ...incoming.headers, host: new URL(world.backend.address).host } };
    request(`${world.backend.address}${incoming.url}`, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }).end(body);
  }

  const notWritten = (step: string) => ({
    outcome: 'failed',
    step,
    failure: {
      kind: 'unexpected',
      system: 'authoring',
      finding: { kind: 'not-written', address: expect.stringContaining('/conf/summit') },
    },
  });

  test('fails its step, until the authoring system has what was written', async () => {
    const ada = await world.person(ADA, { service: between.address });
    swallowed = 'repolessPrevious';
    const opened = await open(ada, PAGE);
    expect((await apply(ada, PAGE, opened)).result).toMatchObject(notWritten('keep-previous'));
    // No later step ran: the previous values are not lost.
    expect(stateOf((await open(ada, PAGE)).plan, 'register-site')).toEqual({ kind: 'create' });

    swallowed = '.%2FprojectType=';
    expect((await apply(ada, PAGE, await open(ada, PAGE))).result).toMatchObject(notWritten('project-type'));
    swallowed = undefined;
    expect((await apply(ada, PAGE, await open(ada, PAGE))).result).toEqual({ outcome: 'complete' });

    // The same for the undo, which ends with the removal of the record.
    swallowed = 'repolessPrevious%40Delete';
    expect((await undo(ada, PAGE)).result).toMatchObject(notWritten('keep-previous'));
    swallowed = undefined;
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  });
});
