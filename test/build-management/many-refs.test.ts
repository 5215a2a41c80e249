import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BranchList } from '#contract/build-management-deliveries.ts';
import type { HostedAccess } from '#contract/build-management.ts';
import { LIMITS } from '#contract/limits.ts';
import { signedIn, startHosting } from './hosting.ts';
import type { Hosting } from './hosting.ts';
import { git, startBuildWorld } from './world.ts';
import type { BuildWorld } from './world.ts';

const LIST = '/organizations/wknd/repositories';
const SENTENCE = /remote: A hosted repository has at most 2000 branches and tags\. Nothing was changed\./;
let world: BuildWorld;
let hosting: Hosting;
let access: HostedAccess;
let place: string;
beforeAll(async () => {
  world = await startBuildWorld();
  hosting = await startHosting(world);
  access = await hosting.host('many');
  place = hosting.place();
  await git('clone', '--quiet', signedIn(access), place);
  await local('checkout', '--quiet', '-B', 'main');
  await local('commit', '--quiet', '--allow-empty', '--message', 'First');
  await local('push', '--quiet', 'origin', 'main');
});
afterAll(async () => {
  await world.stop();
  await hosting.stop();
});

const local = (...command: string[]) => git('-C', place, ...command);
/** Long names, so that a list of them is larger than what git may print elsewhere. */
const names = (count: number, prefix = 'b') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(5, '0')}-${'x'.repeat(225)}`);
const creating = (all: readonly string[]) => all.map((name) => `HEAD:refs/heads/${name}`);
const deleting = (all: readonly string[]) => all.map((name) => `:refs/heads/${name}`);
const push = (refs: readonly string[]) => local('push', '--porcelain', 'origin', ...refs);
/** As earlier pushes left them. */
async function store(all: readonly string[]): Promise<void> {
  const [repository = ''] = await readdir(join(world.dataDir, 'hosted'));
  const commit = (await local('rev-parse', 'HEAD')).trim();
  const lines = all.map((name) => `${commit} refs/heads/${name}\n`).join('');
  await writeFile(join(world.dataDir, 'hosted', repository, 'packed-refs'), `# pack-refs with: peeled fully-peeled sorted \n${lines}`);
}
async function branches(): Promise<readonly string[]> {
  const answer = await world.call('GET', `${LIST}/${access.repository.repositoryId}/branches`);
  expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  return BranchList.parse(answer.json()).branches.map(({ name }) => name);
}

it('a push after which a repository had more than LIMITS.hostedRefs branches and tags is refused with a sentence, and nothing of it is there', async () => {
  await store(names(LIMITS.hostedRefs - 1));
  expect(await branches()).toHaveLength(LIMITS.hostedRefs);
  for (const refs of [['HEAD:refs/heads/more'], ['HEAD:refs/tags/more'], creating(names(20, 'more'))])
    await expect(local('push', 'origin', ...refs)).rejects.toThrow(SENTENCE);
  await expect(local('push', 'origin', 'HEAD:refs/heads/more')).rejects.toThrow(
    /! \[remote rejected\] HEAD -> more \(too many references\)/,
  );
  expect(await branches()).toHaveLength(LIMITS.hostedRefs);

  // One in the place of another, and others that are there already, are taken.
  const [first = ''] = names(1);
  await push([...deleting([first]), 'HEAD:refs/heads/more']);
  expect(await branches()).toContain('more');
  await local('commit', '--quiet', '--allow-empty', '--message', 'Second');
  await push(['HEAD:refs/heads/main']);
  const done = await world.delivered(access.repository.repositoryId, ({ changes }) => changes.some(({ branch }) => branch === 'more'));
  expect(done.changes.map(({ branch, type }) => `${branch} ${type}`).toSorted()).toEqual([`${first} deleted`, 'more updated']);
});

it('a repository that has too many of before is read and cleaned up', async () => {
  const stored = names(4000, 'stored');
  await store(stored);
  expect((await branches()).length).toBeGreaterThan(stored.length);
  await expect(push(['HEAD:refs/heads/other'])).rejects.toThrow(SENTENCE);
  const removed = stored.slice(0, 50);
  await push([...deleting(removed), 'HEAD:refs/heads/other']);
  const left = await branches();
  expect([left.includes('other'), left.filter((name) => removed.includes(name)), left.includes(stored[50] ?? '')]).toEqual([
    true,
    [],
    true,
  ]);
});

it('more than LIMITS.pushedCommands of commands are refused, and so is what is no push', async () => {
  const authorization = `Basic ${Buffer.from(`git:${access.accessToken}`).toString('base64')}`;
  const send = (body: string | Buffer, more: Readonly<Record<string, string>> = {}) =>
    world.call('POST', `${new URL(access.cloneUrl).pathname}/git-receive-pack`, {
      as: null,
      body,
      headers: { authorization, 'content-type': 'application/x-git-receive-pack-request', ...more },
    });
  const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
  const command = (name: string) => line(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/${name}\0 report-status side-band-64k`);
  const many = names(Math.ceil(LIMITS.pushedCommands / 300))
    .map(command)
    .join('');
  const refused = await send(`${many}0000`);
  expect([refused.status, refused.text.includes('A hosted repository has at most')]).toEqual([200, true]);
  const compressed = await send(gzipSync(`${many}0000`), { 'content-encoding': 'gzip' });
  expect([compressed.status, compressed.text.includes('A hosted repository has at most')]).toEqual([200, true]);
  for (const body of [line('push-cert\0 report-status'), 'not a push', '0003']) {
    const answer = await send(body);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'REQUEST_MALFORMED']);
  }
});
