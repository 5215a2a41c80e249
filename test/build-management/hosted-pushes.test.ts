import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { signedIn, startHosting } from './hosting.ts';
import type { Hosting } from './hosting.ts';
import { git, startBuildWorld, until } from './world.ts';
import type { BuildWorld } from './world.ts';

const LIST = '/organizations/wknd/repositories';
const LIMIT = 2_000_000;
let world: BuildWorld;
let hosting: Hosting;
beforeAll(async () => {
  world = await startBuildWorld({ HOSTED_REPOSITORIES: '20', REPOSITORY_LIMIT: String(LIMIT) });
  hosting = await startHosting(world);
});
afterAll(async () => {
  await world.stop();
  await hosting.stop();
});

it('serves on the preview host what was pushed to it, of each branch, until the branch is deleted', async () => {
  const access = await hosting.host();
  const clone = await hosting.cloned(access, { 'styles.css': 'body { color: teal; }\n' });
  await clone.push();
  const linked = await world.link(access.repository.repositoryId, 'first');
  const put = await world.backend.call('PUT', '/config/wknd/sites/first.json', {
    as: OPERATOR,
    body: siteBody('wknd', 'first', { code: linked.code }),
  });
  expect(put.status, put.text).toBe(200);
  await world.backend.call('POST', '/config/wknd/sites/first/secrets/cm-byog.json', { as: OPERATOR, body: { value: linked.secret } });

  await clone.commit({ 'styles.css': 'body { color: plum; }\n' });
  await clone.push();
  await served('main', 'body { color: plum; }\n');
  await clone.push('HEAD:refs/heads/feature/One');
  await served('feature-one', 'body { color: plum; }\n');
  await clone.commit({ 'styles.css': 'body { color: navy; }\n' });
  await clone.push('--force', 'HEAD:main');
  await served('main', 'body { color: navy; }\n');
  await clone.push('--delete', 'feature/One');
  const [deleted] = await until(async () => {
    const deliveries = await world.deliveries(access.repository.repositoryId);
    return deliveries[0]?.outcome === 'done' ? deliveries : undefined;
  });
  expect(deleted).toMatchObject({ event: 'push', changes: [{ branch: 'feature/One', type: 'deleted' }] });
  await until(async () => ((await visit('feature-one')).status === 200 ? undefined : true));
});

it('refuses a push that waits for its turn when the repository is removed, as one whose token is no good', async () => {
  const access = await hosting.host();
  const push = (): { end(): void; begun: Promise<unknown>; answered: Promise<unknown> } => {
    const headers = { 'content-type': 'application/x-git-receive-pack-request', 'content-length': '4', expect: '100-continue' };
    const outgoing = request(`${signedIn(access)}/git-receive-pack`, { method: 'POST', headers });
    const answered = new Promise((done) => {
      outgoing.once('response', (incoming: IncomingMessage) => done(incoming.resume().headers['x-error-code']));
      outgoing.once('error', done);
    });
    const begun = once(outgoing, 'continue');
    outgoing.flushHeaders();
    return { end: () => outgoing.end('0000'), begun, answered };
  };
  // One of them has its turn until its body ends, whichever came first, and the other waits.
  const pushes = [push(), push()];
  for (const { begun } of pushes) await begun;
  expect((await world.call('DELETE', `${LIST}/${access.repository.repositoryId}`)).status).toBe(204);
  for (const { end } of pushes) end();
  const answers = await Promise.all(pushes.map(({ answered }) => answered));
  expect(answers).toContain('GIT_TOKEN_REFUSED');
  expect(answers).not.toContain('INTERNAL');
});

it('tells of every push once, and of the commit of main', async () => {
  const access = await hosting.host();
  const clone = await hosting.cloned(access);
  await clone.push();
  const { repositoryId } = access.repository;
  await world.delivered(repositoryId);
  const commit = (await git('-C', clone.place, 'rev-parse', 'HEAD')).trim();
  expect((await world.deliveries(repositoryId)).map(({ changes }) => changes)).toEqual([[{ branch: 'main', type: 'updated', commit }]]);
  expect((await world.settled(repositoryId, 'READY')).commit).toBe(commit);
  const branches: unknown = (await world.call('GET', `${LIST}/${repositoryId}/branches`)).json();
  expect(branches).toEqual({ branches: [{ name: 'main', commit }] });
});

it('refuses a push that is too large, one that deletes main, and goes on', async () => {
  const access = await hosting.host();
  const clone = await hosting.cloned(access);
  await clone.push();
  await expect(clone.push('--delete', 'main')).rejects.toThrow(/deletion of the current branch prohibited|refusing to delete/i);
  await clone.commit({ 'large.bin': randomBytes(LIMIT + 1000) });
  await expect(clone.push()).rejects.toThrow(/maximum allowed size|unpack|disconnect|hung up/i);
  await git('-C', clone.place, 'reset', '--quiet', '--hard', 'HEAD~1');
  await clone.commit({ 'small.txt': 'small\n' });
  await clone.push();
  expect((await git('ls-remote', signedIn(access), 'main')).slice(0, 40)).toBe((await git('-C', clone.place, 'rev-parse', 'HEAD')).trim());
});

it('waits for a client that reads slowly without noting more for each piece', async () => {
  const access = await hosting.host();
  const clone = await hosting.cloned(access, { 'large.bin': randomBytes(LIMIT - 100_000) });
  await clone.push();
  const warnings: string[] = [];
  const note = (warning: Error) => void warnings.push(warning.name);
  process.on('warning', note);
  await git('clone', '--quiet', signedIn(access), hosting.place());
  await world.call('GET', LIST);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

it('keeps the code of a branch where another one of the same host name is deleted', async () => {
  const access = await hosting.host();
  const { repositoryId } = access.repository;
  const clone = await hosting.cloned(access, { 'styles.css': 'body { color: gold; }\n' });
  await clone.push();
  const linked = await world.link(repositoryId, 'twin');
  const body = siteBody('wknd', 'twin', { code: linked.code });
  expect((await world.backend.call('PUT', '/config/wknd/sites/twin.json', { as: OPERATOR, body })).status).toBe(200);
  await world.backend.call('POST', '/config/wknd/sites/twin/secrets/cm-byog.json', { as: OPERATOR, body: { value: linked.secret } });
  const shown = async () => (await world.backend.visit('preview', 'feature-one--twin--wknd', '/styles.css')).text;
  const push = async (branch: string, color: string) => {
    await clone.commit({ 'styles.css': `body { color: ${color}; }\n` });
    await clone.push('--force', `HEAD:refs/heads/${branch}`);
    await expect.poll(shown, { timeout: 30_000 }).toBe(`body { color: ${color}; }\n`);
  };
  const remove = async (branch: string) => {
    await clone.push('--delete', branch);
    const isOf = ({ changes }: { changes: readonly { branch: string; type: string }[] }) =>
      changes.some((change) => change.branch === branch && change.type === 'deleted');
    expect((await world.delivered(repositoryId, isOf)).outcome).toBe('done');
  };
  await push('feature-one', 'red');
  await push('feature/One', 'blue');
  await remove('feature-one');
  expect(await shown()).toBe('body { color: blue; }\n');
  // The one that is shown is deleted: the other one takes its place.
  await push('feature-one', 'lime');
  await remove('feature-one');
  await expect.poll(shown, { timeout: 30_000 }).toBe('body { color: blue; }\n');
});

it('takes pushes to one repository one after the other', async () => {
  const access = await hosting.host();
  const clones = await Promise.all([1, 2, 3].map(() => hosting.cloned(access)));
  await Promise.all(clones.map(({ push }, index) => push(`HEAD:refs/heads/branch-${index}`)));
  const { repositoryId } = access.repository;
  await until(async () => {
    const deliveries = await world.deliveries(repositoryId);
    return deliveries.length === 3 && deliveries.every(({ outcome }) => outcome !== 'accepted') ? true : undefined;
  });
  const changes = (await world.deliveries(repositoryId)).map((delivery) => delivery.changes.map(({ branch }) => branch));
  expect(changes.map((names) => names.length)).toEqual([1, 1, 1]);
  expect(changes.flat().toSorted()).toEqual(['branch-0', 'branch-1', 'branch-2']);
});

const visit = (ref: string) => world.backend.visit('preview', `${ref}--first--wknd`, '/styles.css');

async function served(ref: string, text: string): Promise<void> {
  await until(async () => ((await visit(ref)).text === text ? true : undefined));
}
