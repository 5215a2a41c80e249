import { GitBranch, GitTree, type LinkOutcome } from '@repoless/contract/build-management.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { TestAnswer } from '../support/ask.ts';
import { cloneOf } from '../support/code-world.ts';
import { longestStandstill } from '../support/loop-delay.ts';
import { sharedTrees, type SharedTrees } from '../support/shared-trees.ts';
import { GITHUB } from './payloads.ts';
import { startBuildWorld, until } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

const LIMIT = 3000;
let trees: SharedTrees;
let linked: LinkOutcome;

const world = startBeforeAll(() => startBuildWorld({ FILE_COUNT_LIMIT: String(LIMIT) }), 120_000);
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  trees = sharedTrees(await cloneOf(world.vendor.address, 'northwind/storefront', join(folder.path, 'clone')));
  const { repositoryId } = await world.ready();
  linked = await world.link(repositoryId, 'first');
}, 120_000);

const read = (path: string) => world.call('GET', path, { as: null, headers: { authorization: `token ${linked.secret}` } });
const place = () => `${linked.code.owner}/${linked.code.repo}`;

/** Lists a branch while another caller lists their own repositories. */
async function list(branch: string): Promise<{ tree: GitTree; standstill: number }> {
  let tree: GitTree | undefined;
  const standstill = await longestStandstill(async () => {
    // A sync starts like this, and makes the mirror as new as this call.
    await read(`/raw/${place()}/${branch}/.hlxignore`);
    const listing = read(`/api/repos/${place()}/git/trees/${branch}?recursive=true`);
    expect((await world.call('GET', '/organizations/wknd/repositories')).status).toBe(200);
    tree = GitTree.parse((await listing).json());
  });
  if (tree === undefined) throw new Error('The tree was listed.');
  return { tree, standstill };
}

it('a repository of 10,000,000,000 files by shared folders is listed up to the limit, and says so', async () => {
  const before = process.memoryUsage().rss;
  await trees.pushTree('bomb', 10);
  const { tree, standstill } = await list('bomb');
  expect([tree.tree.length, tree.truncated]).toEqual([LIMIT, true]);
  expect(standstill).toBeLessThan(200);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

it('as many files as the limit allows are all listed, and one more is cut off', async () => {
  await trees.pushFiles('limit', LIMIT);
  const most = await list('limit');
  expect([most.tree.tree.length, most.tree.truncated]).toEqual([LIMIT, false]);
  await trees.pushFiles('over', LIMIT + 1);
  const over = await list('over');
  expect([over.tree.tree.length, over.tree.truncated]).toEqual([LIMIT, true]);
});

it('main with too many files is reported, and its repository stays READY', async () => {
  await trees.pushTree('main', 10);
  await read(`/raw/${place()}/main/.hlxignore`);
  const { warnings } = await until(async () => {
    const repository = await world.settled(linked.code.repo, 'READY');
    return repository.warnings.length === 0 ? undefined : repository;
  });
  expect(warnings).toEqual([`The branch "main" has more than ${LIMIT} files, so it is not synchronized. Remove files from it.`]);
});

it('a commit whose author is nothing but starts of an address is named without one, and holds nobody up', async () => {
  await trees.pushAuthor('author', ' <'.repeat(30_000));
  const branch = () => read(`/api/repos/${place()}/branches/author`);
  // The mirror may be a few seconds behind the vendor.
  await expect.poll(async () => (await branch()).status, { timeout: 20_000 }).toBe(200);
  let answer: TestAnswer | undefined;
  const standstill = await longestStandstill(async () => {
    answer = await branch();
  });
  const { commit } = GitBranch.parse(answer?.json()).commit;
  expect([commit.author, commit.message]).toEqual([undefined, 'author\n']);
  expect(standstill).toBeLessThan(200);
});

it('an event of millions of values is refused before it is parsed, and one of the limit is taken', async () => {
  const repository = await world.ready();
  const hook = await world.webhook(repository.repositoryId);
  const { pathname, search } = new URL(hook.address);
  const signed = (values: number) => {
    const push = GITHUB.push('main', `event-${values}`);
    const body = `${push.body.slice(0, -1)},"more":[${'1,'.repeat(values)}1]}`;
    return GITHUB.sign({ ...push, body }, hook.secret);
  };
  const send = ({ body, headers }: ReturnType<typeof signed>) => world.call('POST', `${pathname}${search}`, { as: null, body, headers });
  const large = signed(2_000_000);
  const standstill = await longestStandstill(async () => {
    const answer = await send(large);
    expect([answer.status, answer.headers['x-error']]).toEqual([400, 'The event has more than 500000 values. Push fewer commits at once.']);
  });
  expect(standstill).toBeLessThan(200);
  expect((await send(signed(LIMITS.eventValues - 1000))).status).toBe(202);
  expect((await send(signed(LIMITS.eventValues + 1))).status).toBe(400);
});
