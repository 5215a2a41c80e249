import { GitBranch, GitTree, type LinkOutcome, WebhookAnswer } from '@repoless/contract/build-management.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { join } from 'node:path';
import { beforeAll, expect, it, describe } from 'vitest';
import { type TestAnswer, ask } from '../support/ask.ts';
import { cloneOf } from '../support/code-world.ts';
import { longestBlock, turnsDuring } from '../support/loop-delay.ts';
import { sharedTrees, type SharedTrees } from '../support/shared-trees.ts';
import { GITHUB, AFTER } from './payloads.ts';
import { startBuildWorld, until } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { bitbucket, githubEnterprise } from '@repoless/service/build-management/webhooks/vendor-events.ts';
import { createHmac } from 'node:crypto';

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
const codePath = () => `${linked.code.owner}/${linked.code.repo}`;

/** Lists a branch while another caller lists their own repositories. */
async function list(branch: string): Promise<{ tree: GitTree; blocked: number }> {
  let tree: GitTree | undefined;
  const blocked = await longestBlock(async () => {
    // The first call of a sync, which refreshes the mirror.
    await read(`/raw/${codePath()}/${branch}/.hlxignore`);
    const listing = read(`/api/repos/${codePath()}/git/trees/${branch}?recursive=true`);
    expect((await world.call('GET', '/organizations/wknd/repositories')).status).toBe(200);
    tree = GitTree.parse((await listing).json());
  });
  if (tree === undefined) throw new Error('The tree was not listed.');
  return { tree, blocked };
}

it('a repository of 10,000,000,000 files by shared folders is listed up to the limit, and marked as truncated', async () => {
  const before = process.memoryUsage().rss;
  await trees.pushTree('bomb', 10);
  const { tree, blocked } = await list('bomb');
  expect([tree.tree.length, tree.truncated]).toEqual([LIMIT, true]);
  expect(blocked).toBeLessThan(200);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

it('as many files as the limit allows are listed, and one more is cut off', async () => {
  await trees.pushFiles('limit', LIMIT);
  const most = await list('limit');
  expect([most.tree.tree.length, most.tree.truncated]).toEqual([LIMIT, false]);
  await trees.pushFiles('over', LIMIT + 1);
  const over = await list('over');
  expect([over.tree.tree.length, over.tree.truncated]).toEqual([LIMIT, true]);
});

it('main with too many files is reported, and its repository stays READY', async () => {
  await trees.pushTree('main', 10);
  await read(`/raw/${codePath()}/main/.hlxignore`);
  const { warnings } = await until(async () => {
    const repository = await world.settled(linked.code.repo, 'READY');
    return repository.warnings.length === 0 ? undefined : repository;
  });
  expect(warnings).toEqual([`The branch "main" has more than ${LIMIT} files, so it is not synchronized. Remove files from it.`]);
});

it('a commit whose author has 30,000 unclosed addresses is shown without an author, and delays no one', async () => {
  await trees.pushAuthor('author', ' <'.repeat(30_000));
  const branch = () => read(`/api/repos/${codePath()}/branches/author`);
  // The mirror may be a few seconds behind the vendor.
  await expect.poll(async () => (await branch()).status, { timeout: 20_000 }).toBe(200);
  let answer: TestAnswer | undefined;
  const blocked = await longestBlock(async () => {
    answer = await branch();
  });
  const { commit } = GitBranch.parse(answer?.json()).commit;
  expect([commit.author, commit.message]).toEqual([undefined, 'author\n']);
  expect(blocked).toBeLessThan(200);
});

it('an event of millions of values is refused before it is parsed, and one near the limit is accepted', async () => {
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
  const blocked = await longestBlock(async () => {
    const answer = await send(large);
    expect([answer.status, answer.headers['x-error']]).toEqual([400, 'The event has more than 500000 values. Push fewer commits at once.']);
  });
  expect(blocked).toBeLessThan(200);
  expect((await send(signed(LIMITS.eventValues - 1000))).status).toBe(202);
  expect((await send(signed(LIMITS.eventValues + 1))).status).toBe(400);
});
const MEGABYTE = 1024 * 1024;
const github = (body: string) =>
  githubEnterprise.read({ headers: { 'x-github-event': 'push', 'x-github-delivery': 'one' }, bytes: Buffer.from(body), org: 'wknd' });
const push = (more: string) => `{"ref":"refs/heads/main","after":"${AFTER}",${more}}`;

it('an event of 25 MB is parsed without blocking other work, and read like a small one', async () => {
  const small = await github(push('"commits":[]'));
  expect(small.changes).toEqual([{ branch: 'main', type: 'updated', commit: AFTER }]);
  let large: unknown;
  const body = push(`"commits":[{"message":"${'é'.repeat(12 * MEGABYTE)}"}]`);
  expect(await turnsDuring(async () => (large = await github(body)))).toBeGreaterThan(10);
  expect(large).toEqual(small);
});

it('the changes of a large event of another vendor are read', async () => {
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
  ['that is not JSON', `{"ref":"${'x'.repeat(MEGABYTE)}`, 'error parsing request body'],
  ['of too many values', push(`"more":[${'1,'.repeat(LIMITS.eventValues)}1]`), `The event has more than ${LIMITS.eventValues} values.`],
  ['of too many changes', push(`"changes":[${'{"new":{"name":"a"}},'.repeat(20_000)}1]`), 'The event names too many branches.'],
])('a large event %s is refused with a message', async (_, body, message) => {
  await expect(github(body)).rejects.toThrow(message);
});
describe('Many pushes', () => {
  const world = startBeforeAll(() => startBuildWorld({}, ['wknd', 'other']));

  it('are accepted and processed, or answered 503, if 400 arrive at once, and do not block another caller', async () => {
    const { repositoryId } = await world.ready();
    const { address, secret } = await world.webhook(repositoryId);
    const { origin, pathname, search } = new URL(address);
    const push = (number: number) => {
      const body = JSON.stringify({ ref: 'refs/heads/main', after: 'a'.repeat(40), number });
      const headers = {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': `push ${number}`,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      };
      return ask(origin, `${pathname}${search}`, { method: 'POST', body, headers });
    };
    await push(-1);
    let [received, read] = [0, 0];
    let answers: TestAnswer[] = [];
    const blocked = await longestBlock(async () => {
      const pushes = Array.from({ length: LIMITS.eventsWaiting + 100 }, async (_, number) => {
        const answer = await push(number);
        received += 1;
        return answer;
      });
      // One call after the other, because a single call could wait behind all pushes in the database's queue.
      while (received < pushes.length) {
        expect((await world.call('GET', `/organizations/wknd/repositories/${repositoryId}`)).status).toBe(200);
        read += 1;
      }
      answers = await Promise.all(pushes);
    });
    expect(blocked).toBeLessThan(200);
    expect(read).toBeGreaterThan(10);
    // LIMITS.eventsWaiting may be queued; the vendor retries the others.
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused.map(({ status, code }) => [status, code])).toEqual(refused.map(() => [503, 'OVERLOADED']));
    const accepted = answers.flatMap((answer) => (answer.status === 202 ? [WebhookAnswer.parse(answer.json()).delivery] : []));
    expect(new Set(accepted).size).toBe(answers.length - refused.length);
    expect(accepted.length).toBeGreaterThanOrEqual(LIMITS.eventsWaiting - 1);
    // Of those that have ended, only the newest are stored.
    const database = new Database(join(world.dataDir, 'build-management.sqlite'), { readonly: true });
    const outcomes = () => new Map(database.prepare('select id, outcome from bm_deliveries').raw().all() as [string, string][]);
    const ended = () => {
      const all = outcomes();
      return new Set(accepted.map((id) => all.get(id)));
    };
    await expect.poll(ended, { timeout: 60_000 }).toEqual(new Set([undefined, 'ignored']));
    database.close();
  }, 120_000);

  it('can wait in larger numbers than LIMITS.eventsWaiting, which limits one organization’s queued events', async () => {
    const { webhooksAtOnce, webhookEventsWaiting, allEventsWaiting } = LIMITS;
    expect(webhookEventsWaiting).toBeGreaterThan(LIMITS.eventsWaiting);
    expect(allEventsWaiting).toBeGreaterThanOrEqual(webhooksAtOnce * webhookEventsWaiting);
  });
});
