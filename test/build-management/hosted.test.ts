import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ExternalRepositoryList, HostedAccess } from '#contract/build-management.ts';
import { hostedGitEndpoints } from '#contract/hosted-git-endpoints.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { git, startBuildWorld, until } from './world.ts';
import type { BuildWorld } from './world.ts';

const HOSTED = '/organizations/wknd/hosted-repositories';
const LIST = '/organizations/wknd/repositories';
const LIMIT = 2_000_000;
let world: BuildWorld;
let folder: string;
let count = 0;
beforeAll(async () => {
  world = await startBuildWorld({ HOSTED_REPOSITORIES: '20', REPOSITORY_LIMIT: String(LIMIT) });
  folder = await mkdtemp(join(tmpdir(), 'repoless-hosted-'));
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

async function host(name = `store-${++count}`): Promise<HostedAccess> {
  const answer = await world.call('POST', HOSTED, { body: { programId: '100', name } });
  expect(answer.status, answer.text).toBe(201);
  return HostedAccess.parse(answer.json());
}

/** The clone address as a person uses it. */
function signedIn({ cloneUrl, username, accessToken }: HostedAccess): string {
  const address = new URL(cloneUrl);
  [address.username, address.password] = [username, accessToken];
  return address.href;
}

/** A clone of it with a commit on `main` that is not pushed yet. */
async function cloned(access: HostedAccess, files: Readonly<Record<string, string | Buffer>> = { 'styles.css': 'body {}\n' }) {
  const place = join(folder, `clone-${++count}`);
  await git('clone', '--quiet', signedIn(access), place);
  const commit = async (changed: Readonly<Record<string, string | Buffer>>) => {
    for (const [path, text] of Object.entries(changed)) await writeFile(join(place, path), text);
    await git('-C', place, 'add', '--all');
    await git('-C', place, 'commit', '--quiet', '--message', 'Change');
  };
  await git('-C', place, 'checkout', '--quiet', '-B', 'main');
  await commit(files);
  return {
    place,
    commit,
    push: (...more: string[]) => git('-C', place, 'push', '--quiet', 'origin', ...(more.length > 0 ? more : ['main'])),
  };
}

it('is READY at once; its access token is shown once, and kept as a hash', async () => {
  const access = await host('storefront');
  expect(access).toMatchObject({
    repository: { name: 'storefront', vendor: 'hosted', alpha: true, state: 'READY', programId: '100' },
    cloneUrl: `${world.address()}/git/wknd/storefront.git`,
    username: 'git',
  });
  const list = await world.call('GET', LIST);
  expect(ExternalRepositoryList.parse(list.json()).repositories.map(({ cloneUrl }) => cloneUrl)).toContain(access.cloneUrl);
  expect(list.text).not.toContain(access.accessToken);
  expect(world.told.join('\n')).not.toContain(access.accessToken);
});

it('serves on the preview host what was pushed to it, of each branch, until the branch is deleted', async () => {
  const access = await host();
  const clone = await cloned(access, { 'styles.css': 'body { color: teal; }\n' });
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
  const access = await host();
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

it('refuses who reads a repository while it is removed, as one whose secret is no good', async () => {
  const access = await host();
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`file-${index}.css`, `body { top: ${index}px }\n`]));
  await (await cloned(access, files)).push();
  const { repositoryId } = access.repository;
  const { secret } = await world.link(repositoryId, 'removed');
  const read = (path: string) => world.call('GET', path, { as: null, headers: { authorization: `token ${secret}` } });
  const [tree, branch, raw] = ['git/trees/main?recursive=1', 'branches/main', 'file-1.css'];
  const paths = [
    `/api/repos/100/${repositoryId}/${tree}`,
    `/api/repos/100/${repositoryId}/${branch}`,
    `/raw/100/${repositoryId}/main/${raw}`,
  ];
  const codes = new Set<string | undefined>();
  const reader = async (path: string): Promise<void> => {
    const { status, headers } = await read(path);
    if (status !== 200) codes.add(headers['x-error-code']);
    if (status === 200 || headers['x-error-code'] === 'OVERLOADED') await reader(path);
  };
  // More lists than are made at once: some wait for their turn when the repository goes.
  const readers = [...paths, ...Array.from({ length: 16 }, () => paths[0] ?? '')].map(reader);
  expect((await world.call('DELETE', `${LIST}/${repositoryId}`)).status).toBe(204);
  await Promise.all(readers);
  codes.delete('OVERLOADED');
  expect([...codes]).toEqual(['REPOSITORY_SECRET_REFUSED']);
});

it('tells of every push once, and of the commit of main', async () => {
  const access = await host();
  const clone = await cloned(access);
  await clone.push();
  const { repositoryId } = access.repository;
  await world.delivered(repositoryId);
  const commit = (await git('-C', clone.place, 'rev-parse', 'HEAD')).trim();
  expect((await world.deliveries(repositoryId)).map(({ changes }) => changes)).toEqual([[{ branch: 'main', type: 'updated', commit }]]);
  expect((await world.settled(repositoryId, 'READY')).commit).toBe(commit);
  const branches: unknown = (await world.call('GET', `${LIST}/${repositoryId}/branches`)).json();
  expect(branches).toEqual({ branches: [{ name: 'main', commit }] });
});

it('lets in with its own access token alone, and tells strangers nothing', async () => {
  const [mine, other] = [await host(), await host()];
  const addresses = [
    { ...mine, accessToken: 'wrong' },
    { ...mine, accessToken: other.accessToken },
    { ...mine, cloneUrl: mine.cloneUrl.replace('store-', 'nothing-') },
  ];
  for (const access of addresses) await expect(git('ls-remote', signedIn(access))).rejects.toThrow(/Authentication failed|401/);
  const asked = await world.call('GET', `/git/wknd/${mine.repository.name}.git/info/refs?service=git-upload-pack`, { as: null });
  expect([asked.status, asked.headers['x-error-code'], asked.headers['www-authenticate']]).toEqual([
    401,
    'GIT_TOKEN_REFUSED',
    'Basic realm="repoless"',
  ]);
});

it('takes a new access token in the place of one that was lost, at once', async () => {
  const access = await host();
  const renewed = await world.call('POST', `${LIST}/${access.repository.repositoryId}/token`);
  const next = HostedAccess.parse(renewed.json());
  await expect(git('ls-remote', signedIn(access))).rejects.toThrow(/Authentication failed|401/);
  expect(await git('ls-remote', signedIn(next))).toBe('');
});

it.each([
  ['GET', 'HEAD', 404],
  ['GET', 'objects/info/packs', 404],
  ['GET', '../other.git/info/refs?service=git-upload-pack', 404],
  ['GET', 'info/refs', 400],
  ['GET', 'info/refs?service=git-upload-archive', 400],
  ['GET', 'git-upload-pack', 405],
  ['POST', 'info/refs', 405],
])('answers nothing but the smart protocol: %s %s', async (method, path, status) => {
  const access = known ?? (known = await host());
  const authorization = `Basic ${Buffer.from(`git:${access.accessToken}`).toString('base64')}`;
  const answer = await world.call(method, `/git/wknd/${access.repository.name}.git/${path}`, { as: null, headers: { authorization } });
  expect(answer.status).toBe(status);
});
let known: HostedAccess | undefined;

it.each(['git-upload-pack', 'git-receive-pack'])('says of a refusal of git that it is a text: POST %s of another type', async (service) => {
  const { accessToken, repository } = known ?? (known = await host());
  const authorization = `Basic ${Buffer.from(`git:${accessToken}`).toString('base64')}`;
  const answer = await world.call('POST', `/git/wknd/${repository.name}.git/${service}`, { as: null, headers: { authorization } });
  expect([answer.status, answer.headers['content-type']]).toEqual([415, 'text/plain; charset=utf-8']);
  expect(answer.text).toContain('Content-Type');
});

it.each([
  ['git-upload-pack', hostedGitEndpoints.gitUploadPack],
  ['git-receive-pack', hostedGitEndpoints.gitReceivePack],
] as const)('answers %s in the media types that its calls promise', async (service, row) => {
  const { accessToken, repository } = known ?? (known = await host());
  const authorization = `Basic ${Buffer.from(`git:${accessToken}`).toString('base64')}`;
  const address = `/git/wknd/${repository.name}.git`;
  const refs = await world.call('GET', `${address}/info/refs?service=${service}`, { as: null, headers: { authorization } });
  expect(hostedGitEndpoints.gitRefs.answers[200].media).toContain(refs.headers['content-type']);
  const headers = { authorization, 'content-type': `application/x-${service}-request` };
  const done = await world.call('POST', `${address}/${service}`, { as: null, headers, body: '0000' });
  expect([done.status, done.headers['content-type']]).toEqual([200, ...row.answers[200].media]);
});

it('refuses a push that is too large, one that deletes main, and goes on', async () => {
  const access = await host();
  const clone = await cloned(access);
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
  const access = await host();
  const clone = await cloned(access, { 'large.bin': randomBytes(LIMIT - 100_000) });
  await clone.push();
  const warnings: string[] = [];
  const note = (warning: Error) => void warnings.push(warning.name);
  process.on('warning', note);
  await git('clone', '--quiet', signedIn(access), join(folder, `clone-${++count}`));
  await world.call('GET', LIST);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

it('keeps the code of a branch where another one of the same host name is deleted', async () => {
  const access = await host();
  const { repositoryId } = access.repository;
  const clone = await cloned(access, { 'styles.css': 'body { color: gold; }\n' });
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
  const access = await host();
  const clones = await Promise.all([1, 2, 3].map(() => cloned(access)));
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

it('has neither a webhook nor a check, and says what holds instead; others have no such access token', async () => {
  const { repositoryId } = (await host()).repository;
  for (const call of ['webhook', 'retry']) {
    const answer = await world.call('POST', `${LIST}/${repositoryId}/${call}`);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([409, 'REPOSITORY_KIND_REFUSED']);
    expect(answer.headers['x-error']).toMatch(/is hosted here\. /);
  }
  const external = await world.ready();
  const token = await world.call('POST', `${LIST}/${external.repositoryId}/token`);
  expect([token.status, token.headers['x-error-code']]).toEqual([409, 'REPOSITORY_KIND_REFUSED']);
});

it.each([['Store'], ['../store'], ['store.git'], ['-store'], ['a--b'], ['']])('refuses the name %j', async (name) => {
  const answer = await world.call('POST', HOSTED, { body: { programId: '100', name } });
  expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
});

it('takes a name once, and no more repositories than are allowed', async () => {
  const again = await world.call('POST', HOSTED, { body: { programId: '100', name: 'storefront' } });
  expect([again.status, again.headers['x-error-code']]).toEqual([409, 'REPOSITORY_TAKEN']);
  await until(async () =>
    (await world.call('POST', HOSTED, { body: { programId: '100', name: `more-${++count}` } })).status === 201 ? undefined : true,
  );
  const refused = await world.call('POST', HOSTED, { body: { programId: '100', name: 'one-more' } });
  expect([refused.status, refused.headers['x-error']]).toEqual([409, 'The organization wknd has 20 hosted repositories; 20 are allowed.']);
});

it('is kept over a new start, and gone when it is removed', async () => {
  const { repositories } = ExternalRepositoryList.parse((await world.call('GET', LIST)).json());
  const store = repositories.find(({ name }) => name === 'storefront');
  const renewed = await world.call('POST', `${LIST}/${store?.repositoryId}/token`);
  const access = HostedAccess.parse(renewed.json());
  const clone = await cloned(access);
  await clone.push();
  await world.restart();
  expect(await git('ls-remote', signedIn(access), 'main')).toContain('refs/heads/main');
  expect((await world.call('DELETE', `${LIST}/${store?.repositoryId}`)).status).toBe(204);
  await expect(git('ls-remote', signedIn(access))).rejects.toThrow(/Authentication failed|401/);
});

const visit = (ref: string) => world.backend.visit('preview', `${ref}--first--wknd`, '/styles.css');

async function served(ref: string, text: string): Promise<void> {
  await until(async () => ((await visit(ref)).text === text ? true : undefined));
}
