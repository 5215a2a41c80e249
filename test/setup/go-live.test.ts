import { SealedValue } from '@repoless/contract/secret.ts';
import { EDITOR_FILES } from '@repoless/core/go-live/gate.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { explainBlock } from '@repoless/core/messages/explain-failure.ts';
import { serviceSentences } from '@repoless/core/messages/problem-sentence.ts';
import { planSetup } from '@repoless/core/plan/plan-setup.ts';
import type { StepId } from '@repoless/core/plan/plan.ts';
import type { BlockReason } from '@repoless/core/situation/call.ts';
import type { Choices } from '@repoless/core/situation/situation.ts';
import type { CodeChoice } from '@repoless/core/situation/code-choice.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { apply, enable, open, stateOf, undo, writes } from './apply.ts';
import { ADA, startSetupWorld } from './setup-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const PAGE = '/content/summit';
const EDITOR_TEXTS = EDITOR_FILES.map((path) => [path.slice(1), '{}'] as const);

const world = startBeforeAll(startSetupWorld);
const external = startBeforeAll(() => startByogit('the-right-secret'));
beforeAll(async () => {
  external.branches.set('main', new Map([['styles/styles.css', 'body {}\n'], ...EDITOR_TEXTS]));
});

function onCodeHost(repo: string): Partial<Choices> {
  return { code: { type: 'github', owner: 'wknd', repo } };
}

function onExternal(secret?: string): Partial<Choices> {
  const code: CodeChoice = { type: 'byogit', owner: '100', repo: '200', url: external.url, rawUrl: external.rawUrl, holdsSecret: true };
  return { code, ...(secret === undefined ? {} : { secret: new SealedValue(secret) }) };
}

const projectType = async () => ((await world.edgeConfiguration('/conf/summit')) as { projectType: string }).projectType;

interface Case {
  readonly name: string;
  readonly repo: string;
  readonly spoil: () => Promise<unknown>;
  readonly step: StepId;
  readonly reason: BlockReason;
  readonly mend: () => Promise<unknown>;
}

const blocked: readonly Case[] = [
  {
    name: 'there is no such repository',
    repo: 'absent',
    spoil: async () => undefined,
    step: 'repository',
    reason: 'repository-missing',
    mend: () => world.codeHost.copy('absent'),
  },
  {
    name: 'the repository is private',
    repo: 'closed',
    spoil: async () => {
      await world.codeHost.copy('closed');
      await world.codeHost.fault({ mode: 'unauthorized', path: '/wknd/closed' });
    },
    step: 'repository',
    reason: 'repository-private',
    mend: () => world.codeHost.fault({ mode: 'none' }),
  },
  {
    name: 'the repository has no branch main',
    repo: 'trunk',
    spoil: async () => {
      await world.codeHost.copy('trunk');
      await world.codeHost.renameBranch('trunk', 'main', 'trunk');
    },
    step: 'repository',
    reason: 'branch-missing',
    mend: () => world.codeHost.renameBranch('trunk', 'trunk', 'main'),
  },
  {
    name: 'the repository lacks files of the editor',
    repo: 'bare',
    spoil: async () => {
      await world.codeHost.copy('bare');
      await (await world.codeHost.clone('bare')).push({ 'component-models.json': undefined, 'head.html': undefined });
    },
    step: 'editor-files',
    reason: 'editor-files-missing',
    mend: async () => (await world.codeHost.clone('bare')).push({ 'component-models.json': '[]', 'head.html': '<meta>' }),
  },
];

test.each(blocked)(
  'Enabling is blocked before the first write if $name, and the same button completes it once that is fixed',
  async ({ repo, spoil, step, reason, mend }) => {
    await spoil();
    const ada = await world.person(ADA);
    const opened = await open(ada, PAGE, onCodeHost(repo));
    expect(stateOf(opened.plan, step)).toMatchObject({ kind: 'blocked', reason, data: { owner: 'wknd', repo } });
    expect(opened.plan).toMatchObject({ blocked: true, complete: false });
    // The service also refuses the site because of its repository; that is reported only once.
    if (step === 'repository') {
      for (const later of ['register-site', 'map-paths', 'set-access'] as const)
        expect(stateOf(opened.plan, later)).toEqual({ kind: 'blocked', reason: 'earlier-step', data: { step } });
    }
    expect((await apply(ada, PAGE, opened)).result).toMatchObject({ outcome: 'failed', step });
    expect(writes(ada.sent)).toEqual([]);
    expect(await projectType()).toBe('1');

    await mend();
    // A blocked plan does not show later steps, so it is read again.
    expect((await apply(ada, PAGE, await open(ada, PAGE, onCodeHost(repo)))).result).toEqual({ outcome: 'complete' });
    expect(await projectType()).toBe('4');
    expect((await open(ada, PAGE)).plan.complete).toBe(true);
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await projectType()).toBe('1');
  },
);

test.each([
  ['unavailable', 'Der Code-Host HOST antwortete 503 für HOST/wknd/summit. Versuchen Sie es in einer Minute noch einmal.'],
  [
    'down',
    'HOST/wknd/summit konnte auf dem Code-Host nicht geprüft werden: HOST antwortet nicht. Versuchen Sie es in einer Minute noch einmal.',
  ],
])('A plan in German that is blocked by the code host (%s) has no English message', async (mode, why) => {
  await world.codeHost.fault({ mode });
  const { plan } = await open(await world.person(ADA), PAGE, onCodeHost('summit'));
  await world.codeHost.fault({ mode: 'none' });
  const catalogue = createCatalogues()('de');
  const messages = { ...(await catalogue.read('first-view')), service: serviceSentences(await catalogue.read('service')) };
  const sentences = plan.steps.flatMap(({ state }) =>
    state.kind === 'blocked' ? [explainBlock(messages, state.reason, state.data).why] : [],
  );
  const { host } = new URL(world.codeHost.address);
  const read = sentences.map((sentence) => sentence.replaceAll(world.codeHost.address, 'HOST').replaceAll(host, 'HOST'));
  expect(read).toContain(why);
  for (const sentence of read) expect(sentence).not.toMatch(/\b(?:the|is|not|of|has|could|on|try)\b/i);
});

test('Enabling waits for the code of an external repository that was never synced: a wrong secret is reported as the cause, the right one finishes', async () => {
  const ada = await world.person(ADA);
  const opened = await open(ada, PAGE, onExternal('a-wrong-secret'));
  expect(opened.plan.blocked).toBe(false);
  const first = await apply(ada, PAGE, opened);
  const cause = { reason: 'sync-failed', data: { problem: 'secret-refused', error: expect.stringContaining('401') } };
  expect(first.result).toMatchObject({ outcome: 'failed', step: 'code-sync', failure: { finding: { kind: 'blocked', ...cause } } });
  expect(writes(ada.sent)).toContain('POST /code/wknd/summit/main/*');
  expect(await projectType()).toBe('1');
  expect(stateOf((await open(ada, PAGE)).plan, 'code-sync')).toMatchObject({ kind: 'blocked', ...cause });

  const { result, progress } = await enable(ada, PAGE, onExternal(external.secret));
  expect(result).toEqual({ outcome: 'complete' });
  expect(progress.filter(({ step }) => step === 'code-sync').map(({ state }) => state)).toContain('following');
  const file = await world.backend.visit('preview', 'main--summit--wknd', '/component-models.json');
  expect(file.status).toBe(200);
  expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
});

describe('Enabling a site', () => {
  test('does not switch it if the content source refuses the service', async () => {
    const ada = await world.person(ADA);
    const opened = await open(ada, '/content/quarry', onCodeHost('summit'));
    const { result } = await apply(ada, '/content/quarry', opened);
    expect(result).toMatchObject({ outcome: 'failed', failure: { finding: { reason: 'content-refused', data: { status: '401' } } } });
    expect(await world.edgeConfiguration('/conf/quarry')).toMatchObject({ projectType: '1', repo: 'quarry' });
    const reopened = await open(ada, '/content/quarry', onCodeHost('summit'));
    expect(stateOf(reopened.plan, 'content-page')).toMatchObject({ kind: 'blocked', reason: 'content-refused' });
    expect((await undo(ada, '/content/quarry')).result).toEqual({ outcome: 'complete' });
  });

  test('reverts the names that it set if the page is missing', async () => {
    const ada = await world.person(ADA);
    const before = await world.edgeConfiguration('/conf/orchard');
    const wrong = ['/content/orchard/nowhere:/', '/content/orchard/configuration:/.helix/config.json'];
    const { result } = await enable(ada, '/content/orchard', { ...onCodeHost('summit'), mappings: wrong });
    expect(result).toMatchObject({ outcome: 'failed', step: 'content-page', failure: { finding: { reason: 'content-missing' } } });
    const { repolessPrevious: _kept, ...after } = (await world.edgeConfiguration('/conf/orchard')) as Record<string, unknown>;
    expect(after).toEqual(before);
    expect((await undo(ada, '/content/orchard')).result).toEqual({ outcome: 'complete' });
  });

  test('is blocked for an account with which its environment does not publish', async () => {
    const ada = await world.person(ADA);
    const opened = await open(ada, PAGE, { ...onCodeHost('summit'), technicalAccount: 'p100-e300@techacct.example.com' });
    expect(stateOf(opened.plan, 'may-publish')).toMatchObject({
      kind: 'blocked',
      reason: 'technical-account-mismatch',
      data: { own: 'p100-e200@techacct.example.com' },
    });
    expect((await apply(ada, PAGE, opened)).result.outcome).toBe('failed');
    expect(writes(ada.sent)).toEqual([]);
  });

  test('does not use findings about one repository for another', async () => {
    const { situation, choices, plan } = await open(await world.person(ADA), PAGE, onCodeHost('summit'));
    expect(stateOf(plan, 'repository')).toEqual({ kind: 'done' });
    const elsewhere = planSetup(situation, { ...choices, ...onCodeHost('nowhere') });
    expect(stateOf(elsewhere, 'repository')).toEqual({ kind: 'verify' });
  });

  test('is incomplete if a host lost what it served', async () => {
    const ada = await world.person(ADA);
    expect((await enable(ada, PAGE, onCodeHost('summit'))).result).toEqual({ outcome: 'complete' });
    const removed = await world.backend.call('DELETE', '/config/wknd/sites/summit/public.json', { as: OPERATOR });
    expect(removed.status).toBe(204);
    expect((await open(ada, PAGE)).plan.complete).toBe(false);
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    await undo(ada, PAGE);
  });
});
