import { GitTree, type LinkOutcome } from '@repoless/contract/build-management.ts';
import { randomBytes } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { cloneOf, type CodeClone } from '../support/code-world.ts';
import { startBuildWorld, until } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

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
/** A sync starts like this, and makes the mirror as new as this call. */
const createOrJoinSync = (branch: string) => read(`/raw/${place()}/${encodeURIComponent(branch)}/.hlxignore`);
const place = () => `${linked.code.owner}/${linked.code.repo}`;

it('reports what it cannot serve of a repository', async () => {
  await symlink('head.html', join(clone.folder, 'alias.html'));
  await clone.push({
    '.gitattributes': '*.mp4 filter=lfs diff=lfs merge=lfs -text\n',
    'film.mp4': POINTER,
    'large.txt': 'x'.repeat(30_000),
  });
  await createOrJoinSync('main');
  const tree = GitTree.parse((await read(`/api/repos/${place()}/git/trees/main?recursive=true`)).json());
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
  expect((await read(`/raw/${place()}/main/film.mp4`)).headers['x-git-lfs']).toBe('pointer');
  expect((await read(`/raw/${place()}/main/large.txt`)).headers['x-error-code']).toBe('FILE_TOO_LARGE');
});

it('serves a branch whose name has slashes, and paths with unusual signs', async () => {
  await clone.push({ 'a b/é+%.txt': 'odd' }, 'feature/One');
  await createOrJoinSync('feature/One');
  const branch = await read(`/api/repos/${place()}/branches/${encodeURIComponent('feature/One')}`);
  expect([branch.status, (await read(`/api/repos/${place()}/branches/feature/One`)).text]).toEqual([200, branch.text]);
  const path = ['a b', 'é+%.txt'].map(encodeURIComponent).join('/');
  expect((await read(`/raw/${place()}/${encodeURIComponent('feature/One')}/${path}`)).text).toBe('odd');
});

it('counts all concurrently transferred bytes, however few files', async () => {
  await clone.push({ 'one.bin': randomBytes(150_000), 'two.bin': randomBytes(150_000) }, 'two-files');
  const late = await createOrJoinSync('two-files');
  expect([late.status, late.headers['x-error-code']]).toEqual([502, 'REPOSITORY_UNREACHABLE']);
  expect((await world.settled(linked.code.repo, 'READY')).problem).toContain('larger than this service takes');
  await clone.git('push', '--quiet', 'origin', '--delete', 'two-files');
});

it('reports that a repository is too large, and stores nothing of it', async () => {
  await clone.push({ 'noise.bin': randomBytes(400_000) });
  const repository = await world.ready();
  expect([repository.state, repository.problem]).toEqual(['failed', expect.stringContaining('larger than this service takes')]);
  const late = await createOrJoinSync('main');
  expect([late.status, late.headers['x-error-code']]).toEqual([502, 'REPOSITORY_UNREACHABLE']);
  expect((await world.settled(linked.code.repo, 'READY')).problem).toContain('larger than this service takes');
});
