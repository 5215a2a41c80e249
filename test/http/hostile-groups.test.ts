import { beforeAll, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { longestStandstill } from '../support/loop-delay.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  // The first write of a process is slow by itself.
  const body = siteBody('wknd', 'first', { groups: { one: { members: [{ email: OPERATOR }] } } });
  expect((await backend.call('PUT', '/config/wknd/sites/first.json', { as: OPERATOR, body })).status).toBe(201);
});

type Groups = Readonly<Record<string, { members: readonly { email: string }[] }>>;
const names = (count: number) => Array.from({ length: count }, (_, index) => `g${index}`);
const chain = (count: number): Groups =>
  Object.fromEntries(
    names(count).map((name, index) => [name, { members: [{ email: index + 1 < count ? `groups/g${index + 1}` : 'ada@example.com' }] }]),
  );
const put = (groups: Groups, admin: readonly string[] = [OPERATOR]) =>
  backend.call('PUT', '/config/wknd/sites/groups.json', {
    as: OPERATOR,
    body: siteBody('wknd', 'groups', { groups, access: { admin: { role: { admin } } } }),
  });

it.each([
  ['a chain of 1,400 groups', chain(1400)],
  ['the same, the last first', Object.fromEntries(Object.entries(chain(1400)).toReversed())],
  ['a chain of one group too many', chain(LIMITS.groupDepth + 1)],
])('%s is refused at once', async (_, groups) => {
  const standstill = await longestStandstill(async () => {
    const answer = await put(groups);
    expect([answer.status, answer.headers['x-error']]).toEqual([400, expect.stringMatching(/^Groups are nested more than 10 deep: "g/)]);
  });
  expect(standstill).toBeLessThan(200);
});

it('groups of all others, ten deep, are walked once, on writing and on use', async () => {
  // Each of 9 levels has 12 groups, which all contain all 12 of the level below: 12^9 ways.
  const level = (depth: number) => Array.from({ length: 12 }, (_, index) => `l${depth}-${index}`);
  const groups = Object.fromEntries(
    Array.from({ length: 9 }, (_, depth) =>
      level(depth).map((name) => [
        name,
        { members: depth === 8 ? [{ email: 'ada@example.com' }] : level(depth + 1).map((below) => ({ email: `groups/${below}` })) },
      ]),
    ).flat(),
  );
  const standstill = await longestStandstill(async () => {
    const answer = await put(groups, [OPERATOR, ...level(0).map((name) => `groups/${name}`)]);
    expect([answer.status, answer.headers['x-error']]).toEqual([201, undefined]);
    expect((await backend.call('GET', '/config/wknd/sites/groups.json', { as: 'ada@example.com' })).status).toBe(200);
    expect((await backend.call('GET', '/config/wknd/sites/groups.json', { as: 'bob@example.com' })).status).toBe(404);
  });
  expect(standstill).toBeLessThan(200);
});

it('a group ten levels deep counts', async () => {
  expect((await put(chain(LIMITS.groupDepth), [OPERATOR, 'groups/g0'])).status).toBe(200);
  expect((await backend.call('GET', '/config/wknd/sites/groups.json', { as: 'ada@example.com' })).status).toBe(200);
});
