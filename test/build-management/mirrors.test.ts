import { GitTree, type LinkOutcome, type ExternalRepository } from '@repoless/contract/build-management.ts';
import { randomBytes } from 'node:crypto';
import { symlink, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it, afterEach, describe } from 'vitest';
import { cloneOf, type CodeClone } from '../support/code-world.ts';
import { startBuildWorld, until } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { startPausedVendor } from './paused-vendor.ts';
import { breakObjects } from '../support/break-objects.ts';

const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
let clone: CodeClone;
let linked: LinkOutcome;

const world = startBeforeAll(() => startBuildWorld({ REPOSITORY_LIMIT: '200000', FILE_LIMIT: '20000' }));
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  clone = await cloneOf(world.vendor.address, 'northwind/storefront', join(folder.path, 'clone'));
  const { repositoryId } = await world.ready();
  linked = await world.link(repositoryId, 'first');
});

const read = (path: string) => world.call('GET', path, { as: null, headers: { authorization: `token ${linked.secret}` } });
/** A sync starts with this call, which updates the mirror. */
const createOrJoinSync = (branch: string) => read(`/raw/${repositoryPath()}/${encodeURIComponent(branch)}/.hlxignore`);
const repositoryPath = () => `${linked.code.owner}/${linked.code.repo}`;

it('reports what it cannot serve of a repository', async () => {
  await symlink('head.html', join(clone.folder, 'alias.html'));
  await clone.push({
    '.gitattributes': '*.mp4 filter=lfs diff=lfs merge=lfs -text\n',
    'film.mp4': POINTER,
    'large.txt': 'x'.repeat(30_000),
  });
  await createOrJoinSync('main');
  const tree = GitTree.parse((await read(`/api/repos/${repositoryPath()}/git/trees/main?recursive=true`)).json());
  expect(tree.tree.find(({ path }) => path === 'alias.html')?.mode).toBe('120000');
  const { warnings } = await until(async () => {
    const repository = await world.settled(linked.code.repo, 'READY');
    return repository.warnings.length === 0 ? undefined : repository;
  });
  expect(warnings).toEqual([
    expect.stringContaining('1 symbolic link is not served, for example alias.html'),
    expect.stringContaining('large.txt'),
    expect.stringContaining('Git LFS'),
  ]);
  expect((await read(`/raw/${repositoryPath()}/main/film.mp4`)).headers['x-git-lfs']).toBe('pointer');
  expect((await read(`/raw/${repositoryPath()}/main/large.txt`)).headers['x-error-code']).toBe('FILE_TOO_LARGE');
});

it('serves a branch whose name has slashes, and paths with unusual characters', async () => {
  await clone.push({ 'a b/é+%.txt': 'odd' }, 'feature/One');
  await createOrJoinSync('feature/One');
  const branch = await read(`/api/repos/${repositoryPath()}/branches/${encodeURIComponent('feature/One')}`);
  expect([branch.status, (await read(`/api/repos/${repositoryPath()}/branches/feature/One`)).text]).toEqual([200, branch.text]);
  const path = ['a b', 'é+%.txt'].map(encodeURIComponent).join('/');
  expect((await read(`/raw/${repositoryPath()}/${encodeURIComponent('feature/One')}/${path}`)).text).toBe('odd');
});

it('counts all bytes of a transfer, even if it has few files', async () => {
  await clone.push({ 'one.bin': randomBytes(150_000), 'two.bin': randomBytes(150_000) }, 'two-files');
  const late = await createOrJoinSync('two-files');
  expect([late.status, late.headers['x-error-code']]).toEqual([502, 'REPOSITORY_UNREACHABLE']);
  expect((await world.settled(linked.code.repo, 'READY')).problem).toContain('larger than this service accepts');
  await clone.git('push', '--quiet', 'origin', '--delete', 'two-files');
});

it('reports that a repository is too large', async () => {
  await clone.push({ 'noise.bin': randomBytes(400_000) });
  const repository = await world.ready();
  expect([repository.state, repository.problem]).toEqual(['failed', expect.stringContaining('larger than this service accepts')]);
  const late = await createOrJoinSync('main');
  expect([late.status, late.headers['x-error-code']]).toEqual([502, 'REPOSITORY_UNREACHABLE']);
  expect((await world.settled(linked.code.repo, 'READY')).problem).toContain('larger than this service accepts');
});
describe('Removed code', () => {
  const LIST = '/organizations/wknd/repositories';
  const world = startBeforeAll(startBuildWorld);
  const vendor = startBeforeAll(() => startPausedVendor(world));
  afterEach(() => vendor.release());

  const mirrors = async () => (await readdir(join(world.dataDir, 'mirrors')).catch((): string[] => [])).toSorted();
  const sync = (id: string) => world.call('POST', `${LIST}/${id}/sync`, { body: { branch: 'main' } });

  it('does not return if its repository is removed while callers wait for it', async () => {
    const before = await mirrors();
    const id = await vendor.ready();
    expect(await mirrors()).toHaveLength(before.length + 1);
    vendor.hold();
    const first = sync(id);
    await expect.poll(() => vendor.held()).toBeGreaterThan(0);
    const second = sync(id);
    // Each is a separate call: when a later call is answered, the second has arrived.
    expect((await world.call('GET', `${LIST}/${id}`)).status).toBe(200);
    expect((await world.call('DELETE', `${LIST}/${id}`)).status).toBe(204);
    vendor.release();
    for (const answer of await Promise.all([first, second]))
      expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'EXTERNAL_REPOSITORY_NOT_FOUND']);
    expect(await mirrors()).toEqual(before);
  });

  it('includes code whose repository is removed during its transfer', async () => {
    const before = await mirrors();
    const { repositoryId: id } = await vendor.onboard();
    await world.settled(id, 'READY');
    vendor.hold(({ url }) => url?.includes('git-upload-pack') === true && !url.includes('info/refs'));
    const retried = await world.call('POST', `${LIST}/${id}/retry`);
    expect(retried.status).toBe(202);
    await expect.poll(() => vendor.held()).toBeGreaterThan(0);
    expect((await world.call('DELETE', `${LIST}/${id}`)).status).toBe(204);
    vendor.release();
    const last = await vendor.ready();
    await world.call('DELETE', `${LIST}/${last}`);
    await expect.poll(mirrors).toEqual(before);
  });

  it('includes mirrors without a repository at the start, and nothing else', async () => {
    const id = await vendor.ready();
    const before = await mirrors();
    const leftover = join(world.dataDir, 'mirrors', '0c9f5d0e-6f0a-4a58-9f43-0d3f6d6f0b11.git');
    await world.restart(async () => {
      await mkdir(join(leftover, 'objects'), { recursive: true });
      await mkdir(`${leftover}.unfinished`, { recursive: true });
      await mkdir(join(world.dataDir, 'mirrors', 'of the operator'));
    });
    await expect.poll(mirrors).toEqual([...before, 'of the operator'].toSorted());
    // Its branch can be read; only no site uses it.
    const answer = await sync(id);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'REPOSITORY_UNKNOWN']);
  });
});

describe('the mirror of an external repository', () => {
  const LIST = '/organizations/wknd/repositories';
  let repository: ExternalRepository;
  const world = startBeforeAll(() => startBuildWorld({ GIT_TIMEOUT: '3' }));
  beforeAll(async () => {
    repository = await world.ready('gitlab');
    linked = await world.link(repository.repositoryId, 'first');
  });

  async function mirror(): Promise<string> {
    const folder = join(world.dataDir, 'mirrors');
    const [name] = (await readdir(folder)).filter((one) => one.endsWith('.git'));
    return join(folder, name ?? '');
  }
  const createdAt = async () => (await stat(await mirror())).birthtimeMs;
  const read = (path: string) =>
    world.call('GET', `/raw/${linked.code.owner}/${linked.code.repo}/main/${path}`, {
      as: null,
      headers: { authorization: `token ${linked.secret}` },
    });
  const startSync = () => world.call('POST', `${LIST}/${repository.repositoryId}/sync`, { body: { branch: 'main' } });

  it.each([
    ['unauthorized', /GitLab \(.*\) refuses the access token \(401\)/],
    ['forbidden', /GitLab \(.*\) says that the access token cannot read the repository \(403\)/],
    ['limited', /GitLab \(.*\) received too many requests \(429\)/],
    ['unavailable', /GitLab \(.*\) does not respond as expected/],
    ['down', /GitLab \(.*\) does not respond/],
    ['redirect', /GitLab \(.*\) redirects to another clone address/],
    ['slow', /GitLab \(.*\) did not respond in time/],
  ])('is preserved if the vendor is %s, and the message names vendor and cause', async (mode, message) => {
    const before = await createdAt();
    await world.fault(mode);
    await startSync();
    const { problem } = await world.settled(repository.repositoryId, 'READY', 'failed');
    await world.fault('none');
    expect(problem).toMatch(message);
    expect(await createdAt()).toBe(before);
    await startSync();
    expect((await world.settled(repository.repositoryId, 'READY', 'failed')).problem).toBeUndefined();
  });

  it.each([
    ['its head', async (folder: string) => writeFile(join(folder, 'HEAD'), 'junk')],
    ['its settings', async (folder: string) => writeFile(join(folder, 'config'), '[[')],
    ['a reference', async (folder: string) => writeFile(join(folder, 'refs', 'heads', 'main'), 'junk')],
    ['its objects', async (folder: string) => breakObjects(folder)],
  ])('is rebuilt if damaged (%s), without blaming the vendor', async (_, damage) => {
    const before = await createdAt();
    await damage(await mirror());
    await startSync();
    for (const file of ['.hlxignore', 'styles/styles.css', 'component-definition.json'])
      expect([file, (await read(file)).status]).toEqual([file, 200]);
    expect(await createdAt()).not.toBe(before);
    expect((await world.settled(repository.repositoryId, 'READY', 'failed')).problem).toBeUndefined();
  });
});
