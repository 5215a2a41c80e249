import { LIMITS } from '@repoless/contract/limits.ts';
import { createPushIntake } from '@repoless/service/code/rules/github-webhook.ts';
import type { Outcome } from '@repoless/service/domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { reportPush, startCodeWorld } from '../support/code-world.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SECRET = 'the-secret-of-the-webhook';

const world = startBeforeAll(() => startCodeWorld({ orgs: ['wknd', 'other'], settings: { GITHUB_WEBHOOK_SECRET: SECRET } }));
beforeAll(async () => {
  await world.register('pushed');
  await world.register('other/bystander', { public: { title: 'fine' } });
});

const push = (branch: string, number: number) =>
  reportPush(world.backend, SECRET, { ref: `refs/heads/${branch}`, number }, { 'x-github-delivery': `${branch} ${number}` });
const DONE: Outcome = { result: 'accepted', body: { jobs: [] } };

it('300 pushes of a branch cause a few syncs, none is processed again, and another tenant can still write', async () => {
  let written = 0;
  let answered = 0;
  // The client is in this process too, so the time of as many calls without effect is subtracted.
  const ofClient = await longestBlock(() => Promise.all(Array.from({ length: 300 }, () => world.backend.call('GET', '/health'))));
  const blocked = await longestBlock(async () => {
    const pushes = Array.from({ length: 300 }, async (_, number) => {
      const answer = await push('main', number);
      answered += 1;
      return answer;
    });
    // Another tenant keeps writing, one call after the other.
    while (answered < pushes.length) {
      const body = { title: `turn ${written}` };
      const answer = await world.backend.call('POST', '/config/other/sites/bystander/public.json', { as: OPERATOR, body });
      expect(answer.status).toBe(200);
      written += 1;
    }
    expect(new Set((await Promise.all(pushes)).map(({ status }) => status))).toEqual(new Set([202]));
  });
  expect(blocked).toBeLessThan(200 + ofClient);
  await world.ended('pushed');
  const { jobs } = await world.status('pushed');
  expect(jobs.length).toBeLessThan(10);
  for (const number of [0, 150, 299])
    expect((await push('main', number)).json()).toMatchObject({ ignored: 'This delivery was already accepted.' });
});

it('waiting pushes of a branch are processed together, and do not delay those of other owners', async () => {
  const intake = createPushIntake();
  const started: string[] = [];
  const ending: (() => void)[] = [];
  const take = (owner: string, branch: string, name: string) =>
    intake({ owner, about: `${owner}/${branch}`, names: [name] }, async (names) => {
      started.push(`${owner}/${branch}: ${names.join()}`);
      await new Promise<void>((resolve) => ending.push(resolve));
      return DONE;
    });
  const endOne = async () => {
    await expect.poll(() => ending.length).toBeGreaterThan(0);
    ending.shift()?.();
  };
  const all = [take('many', 'a', '1'), take('many', 'b', '2'), take('many', 'b', '3'), take('few', 'a', '4'), take('many', 'b', '5')];
  await expect.poll(() => started).toEqual(['many/a: 1', 'few/a: 4']);
  // A sync in progress may have read the branch already.
  all.push(take('many', 'a', '6'));
  for (let count = 0; count < 4; count += 1) await endOne();
  expect(new Set(await Promise.all(all))).toEqual(new Set([DONE]));
  expect(started.slice(2)).toEqual(['many/b: 2,3,5', 'many/a: 6']);
});

it('pushes beyond LIMITS.pushesOfOwnerWaiting, LIMITS.pushesWaiting and LIMITS.pushesAtOnce wait or are refused, until others end', async () => {
  const intake = createPushIntake();
  const ending: (() => void)[] = [];
  const take = (owner: string, branch = 'main') =>
    intake({ owner, about: `${owner}/${branch}`, names: [] }, async () => {
      await new Promise<void>((resolve) => ending.push(resolve));
      return DONE;
    });
  const all = Array.from({ length: LIMITS.pushesOfOwnerWaiting }, () => take('one'));
  const refusal = async (request: Promise<unknown>) => {
    const error: unknown = await request.catch((caught: unknown) => caught);
    return error instanceof Refusal ? [error.code, error.retryAfter] : error;
  };
  expect(await refusal(take('one'))).toEqual(['OVERLOADED', 10]);
  for (const owner of ['two', 'three', 'four']) for (let n = 0; n < LIMITS.pushesOfOwnerWaiting; n += 1) all.push(take(owner));
  expect(all.length).toBe(LIMITS.pushesWaiting);
  expect(await refusal(take('five'))).toEqual(['OVERLOADED', 10]);
  await expect.poll(() => ending.length).toBe(LIMITS.pushesAtOnce);
  const answering = setInterval(() => ending.splice(0).forEach((end) => end()), 1);
  await Promise.all(all);
  await take('five');
  clearInterval(answering);
});
