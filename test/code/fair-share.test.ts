import { afterAll, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { startTestBackend } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { codeCalls, externalCode } from '../support/code-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SECRET = 'the-secret-of-the-repository';
/** The repositories whose answer a sync is waiting for. */
const waiting = new Set<string>();
let isOver = false;

const byogit = startBeforeAll(() => startByogit(SECRET));
const silent = startBeforeAll(() =>
  startReceiver((request, response) => {
    if (isOver) return void response.writeHead(404).end();
    const [, owner = '', number] = /^\/raw\/([a-z-]+)\/(\d+)/.exec(request.url ?? '') ?? [];
    if (number !== undefined) waiting.add(`${owner} ${number}`);
  }),
);
const backend = startBeforeAll(() =>
  startTestBackend({
    dryRun: false,
    orgs: ['wknd', 'busy', 'full', 'full-too', 'third'],
    settings: { CODE_RETRY_DELAY: '5' },
  }),
);
afterAll(() => void (isOver = true));
const calls = codeCalls(backend);

it('two organizations at ORG_SYNCS_AT_ONCE have LIMITS.syncsAtOnce syncs under way; each that waits says for what', async () => {
  isOver = false;
  waiting.clear();
  const share = LIMITS.syncsAtOnce / 2;
  const begin = async (org: string, number: number) => {
    await calls.registerExternal(
      `${org}/site-${number}`,
      externalCode(silent.address, { owner: org, repo: `${number}`, secretId: 'cm-byog' }),
    );
    return await calls.start(`${org}/site-${number}`);
  };
  const waitsFor = async (org: string, number: number) => {
    const { state, data } = await calls.status(`${org}/site-${number}`);
    return [state, data?.waiting];
  };
  const started: Promise<unknown>[] = [];
  for (const org of ['full', 'full-too']) for (let number = 0; number < share; number += 1) started.push(begin(org, number));
  await expect.poll(() => waiting.size, { timeout: 20_000 }).toBe(LIMITS.syncsAtOnce);
  for (const org of ['full', 'full-too', 'third']) started.push(begin(org, share));
  const own = `${share} other syncs of this organization are in progress. This one starts when one of them ends.`;
  const all = 'Other syncs are in progress. This one starts when one of them ends.';
  await expect.poll(() => waitsFor('full', share), { timeout: 20_000 }).toEqual(['created', own]);
  await expect.poll(() => waitsFor('full-too', share), { timeout: 20_000 }).toEqual(['created', own]);
  await expect.poll(() => waitsFor('third', share), { timeout: 20_000 }).toEqual(['created', all]);
  expect(waiting.size).toBe(LIMITS.syncsAtOnce);
  isOver = true;
  silent.disconnect();
  await Promise.allSettled(started);
  for (const org of ['full', 'full-too']) for (let number = 0; number <= share; number += 1) await calls.ended(`${org}/site-${number}`);
  await calls.ended(`third/site-${share}`);
}, 90_000);

it('an organization whose repositories do not respond does not block the syncs of others', async () => {
  isOver = false;
  waiting.clear();
  const numbers = Array.from({ length: 8 }, (_, index) => String(index));
  for (const number of numbers) {
    await calls.registerExternal(`busy/slow-${number}`, externalCode(silent.address, { owner: 'busy', repo: number, secretId: 'cm-byog' }));
  }
  const started = numbers.map((number) => calls.start(`busy/slow-${number}`));
  await expect.poll(() => waiting.size, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);

  await calls.registerExternal('quick', externalCode(byogit.address, { owner: '100', repo: '200', secretId: 'cm-byog' }), SECRET);
  const job = await calls.sync('quick');
  expect([job.error, job.data?.phase]).toEqual([undefined, 'completed']);
  expect(waiting.size, 'no more than its share was begun meanwhile').toBe(2);
  isOver = true;
  silent.disconnect();
  await Promise.allSettled(started);
});
