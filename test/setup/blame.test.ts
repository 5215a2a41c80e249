import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readSituation } from '@repoless/core/plan/read-situation.ts';
import { runPlan } from '@repoless/core/run/run-plan.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { open, type Opened } from './apply.ts';
import { ADA, type Person, startSetupWorld } from './setup-world.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { english } from '@repoless/core/messages/english.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const en = { ...english['first-view'], service: await createCatalogues()('en').readService() };

const PAGE = '/content/summit';
const TELL_AUTHORING = /the authoring system’s administrator|sign in to the authoring system/i;
const world = startBeforeAll(startSetupWorld);
let ada: Person;
let opened: Opened;

beforeAll(async () => {
  ada = await world.person(ADA);
  opened = await open(ada, PAGE);
});
afterEach(() => world.author.fault({ mode: 'none' }));

const explained = (failure: Failure) => explainFailure(en, failure);

/** What a person reads if the authoring system has this problem: while the panel opens, and when a run ends. */
const FAULTS = [
  ['down', /^The authoring system cannot be reached: author-p100-e200\.\S+ does not respond\.$/],
  ['unavailable', /^The authoring system is not available right now \(status 503\)\.$/],
  ['limited', /^The authoring system receives too many requests \(status 429\)\. It asks to wait 1 second\.$/],
  ['forbidden', /^You don’t have permission to read or change this in the authoring system\.$/],
  ['unauthorized', /^The authoring system no longer accepts your sign-in\.$/],
  ['alternatives', /^The authoring system has too many resources there to list at once \(status 300\)\.$/],
  ['redirect', /^The authoring system redirects to another host\. Such redirects are not followed\.$/],
] as const;

describe.each(FAULTS)('If the authoring system is %s', (mode, sentence) => {
  it('the panel names it, and who can help', async () => {
    await world.author.fault({ mode });
    const read = await readSituation(ada.ports, PAGE);
    expect(read.state).toBe('failed');
    if (read.state !== 'failed') return;
    expect(explained(read.failure)).toEqual({ sentence: expect.stringMatching(sentence), next: expect.stringMatching(TELL_AUTHORING) });
  });

  it('a run waits only if that may pass, and ends with the same message and nothing written', async () => {
    await world.author.fault({ mode });
    const before = ada.sent.filter(({ method }) => method === 'PUT').length;
    const waits: string[] = [];
    const result = await runPlan(ada.ports, PAGE, opened.plan, opened.choices, {
      signal: new AbortController().signal,
      onProgress: (progress) => {
        if (progress.state === 'waiting') waits.push(progress.why === undefined ? '' : explained(progress.why).sentence);
      },
    });
    expect(result).toMatchObject({ outcome: 'failed' });
    if (result.outcome !== 'failed') return;
    expect(explained(result.failure)).toEqual({ sentence: expect.stringMatching(sentence), next: expect.stringMatching(TELL_AUTHORING) });
    expect(new Set(waits)).toEqual(new Set(TEMPORARY.has(mode) ? [expect.stringMatching(sentence)] : []));
    expect(ada.sent.filter(({ method }) => method === 'PUT').length).toBe(before);
  });
});

const TEMPORARY: ReadonlySet<string> = new Set(['down', 'unavailable', 'limited']);

it('an unreachable configuration service is named, not the authoring system', async () => {
  const offline = await world.person(ADA, {
    before: () => {
      throw new TypeError('fetch failed');
    },
  });
  const read = await readSituation(offline.ports, PAGE);
  expect(read.state === 'failed' ? explained(read.failure).sentence : read).toBe('The configuration service does not respond.');
});
