import { LIMITS } from '@repoless/contract/limits.ts';
import { bitbucket, githubEnterprise } from '@repoless/service/build-management/webhooks/vendor-events.ts';
import { expect, it } from 'vitest';
import { turnsDuring } from '../support/loop-delay.ts';
import { AFTER } from './payloads.ts';

const MEGABYTE = 1024 * 1024;
const github = (body: string) =>
  githubEnterprise.read({ headers: { 'x-github-event': 'push', 'x-github-delivery': 'one' }, bytes: Buffer.from(body), org: 'wknd' });
const push = (more: string) => `{"ref":"refs/heads/main","after":"${AFTER}",${more}}`;

it('others have their turn while an event of 25 MB is parsed, which is read as a small one', async () => {
  const small = await github(push('"commits":[]'));
  expect(small.changes).toEqual([{ branch: 'main', type: 'updated', commit: AFTER }]);
  let large: unknown;
  const body = push(`"commits":[{"message":"${'é'.repeat(12 * MEGABYTE)}"}]`);
  expect(await turnsDuring(async () => (large = await github(body)))).toBeGreaterThan(10);
  expect(large).toEqual(small);
});

it('a large event of another vendor is read by its changes', async () => {
  const changes = ['one', 'two'].map((name) => ({
    new: { type: 'branch', name, target: { hash: AFTER } },
    old: null,
    commits: ['m'.repeat(MEGABYTE)],
  }));
  const bytes = Buffer.from(JSON.stringify({ push: { changes } }));
  const read = await bitbucket.read({ headers: { 'x-event-key': 'repo:push', 'x-request-uuid': 'two' }, bytes, org: 'wknd' });
  expect(read.changes).toEqual(['one', 'two'].map((branch) => ({ branch, type: 'updated', commit: AFTER })));
});

it.each([
  ['that is no JSON', `{"ref":"${'x'.repeat(MEGABYTE)}`, 'error parsing request body'],
  ['of too many values', push(`"more":[${'1,'.repeat(LIMITS.eventValues)}1]`), `The event has more than ${LIMITS.eventValues} values.`],
  ['of too many changes', push(`"changes":[${'{"new":{"name":"a"}},'.repeat(20_000)}1]`), 'The event names too many branches.'],
])('a large event %s is refused with a sentence', async (_, body, sentence) => {
  await expect(github(body)).rejects.toThrow(sentence);
});
