import { BranchList, GitBranch, GitTree, type LinkOutcome } from '@repoless/contract/build-management.ts';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it, describe } from 'vitest';
import type { TestAnswer } from '../support/ask.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import type { IncomingMessage } from 'node:http';
import { startPausedVendor } from './paused-vendor.ts';

const LIST = '/organizations/wknd/repositories';
let id: string;
const secrets: string[] = [];
const world = startBeforeAll(() => startBuildWorld({ FILE_LIMIT: '2048' }));
beforeAll(async () => {
  id = (await world.ready()).repositoryId;
});

async function link(site: string): Promise<LinkOutcome> {
  const outcome = await world.link(id, site);
  secrets.push(outcome.secret);
  return outcome;
}
const read = ({ code: { owner, repo } }: LinkOutcome, path: string, secret: string, headers = {}): Promise<TestAnswer> =>
  world.call('GET', path.replace('{o}', owner).replace('{r}', repo), {
    as: null,
    headers: { authorization: `token ${secret}`, ...headers },
  });
const RAW = '/raw/{o}/{r}/main/styles/styles.css';

it('links only a READY repository', async () => {
  const failed = await world.onboard({ accessToken: 'wrong' });
  await world.settled(failed.repositoryId, 'failed');
  const answer = await world.call('PUT', `${LIST}/${failed.repositoryId}/link`, { body: { site: 'first' } });
  expect([answer.status, answer.headers['x-error-code']]).toEqual([422, 'REPOSITORY_NOT_READY']);
  await world.call('DELETE', `${LIST}/${failed.repositoryId}`);
});

it('refuses a site that is not registered, and leaves the current secret valid', async () => {
  const first = await link('first');
  const answer = await world.call('PUT', `${LIST}/${id}/link`, { body: { site: 'elsewhere' } });
  expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'SITE_NOT_FOUND']);
  expect(answer.headers['x-error']).toBe(
    'The organization wknd has no site "elsewhere". Register the site first, then link the repository to it.',
  );
  expect((await read(first, RAW, first.secret)).status).toBe(200);
  await world.call('DELETE', `${LIST}/${id}/link`);
});

it('shows the secret once, with the code source that a site needs', async () => {
  const first = await link('first');
  expect(first.revoked).toBeUndefined();
  expect(first.repository.link).toMatchObject({ site: 'first', linkedBy: 'operator@example.com' });
  expect(first.code.source).toEqual({
    type: 'byogit',
    owner: first.repository.programId,
    repo: id,
    url: `${world.address()}/api`,
    raw_url: `${world.address()}/raw`,
    secretId: 'cm-byog',
  });
  expect((await world.call('GET', `${LIST}/${id}`)).text).not.toContain(first.secret);
});

it('revokes the secret of the first site when another is linked, and renews it when the same site is linked again', async () => {
  const first = await link('first');
  expect((await read(first, RAW, first.secret)).status).toBe(200);
  const second = await link('second');
  expect(second.revoked).toEqual({ site: 'first' });
  expect((await read(first, RAW, first.secret)).headers['x-error-code']).toBe('REPOSITORY_SECRET_REFUSED');
  expect((await read(second, RAW, second.secret)).status).toBe(200);
  const again = await link('second');
  expect([again.revoked, again.secret === second.secret]).toEqual([{ site: 'second' }, false]);
  expect((await read(second, RAW, second.secret)).status).toBe(401);
  expect((await world.call('DELETE', `${LIST}/${id}/link`)).status).toBe(204);
  expect((await read(again, RAW, again.secret)).status).toBe(401);
  expect((await world.settled(id, 'READY')).link).toBeUndefined();
});

it.each([
  ['no secret', undefined],
  ['a wrong secret', 'token wrong'],
  ['basic credentials', 'Basic d2ViaG9vazp4'],
])('reveals nothing to requests with %s, not even whether the repository exists', async (_, authorization) => {
  const { code } = await link('first');
  const headers = authorization === undefined ? {} : { authorization };
  for (const repository of [`${code.owner}/${code.repo}`, `${code.owner}/999999`, '1/1', 'a/b'])
    for (const path of [`/raw/${repository}/main/head.html`, `/api/repos/${repository}/branches/main`]) {
      const answer = await world.call('GET', path, { as: null, headers });
      expect([path, answer.status, answer.headers['x-error-code']]).toEqual([path, 401, 'REPOSITORY_SECRET_REFUSED']);
    }
});

it('serves files with their etag, branches and trees', async () => {
  const outcome = await link('first');
  const { secret } = outcome;
  const styles = await read(outcome, RAW, secret);
  expect([styles.status, styles.text.includes('--ink')]).toEqual([200, true]);
  const etag = styles.headers['etag'] ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{40}"$/);
  expect((await read(outcome, RAW, secret, { 'if-none-match': etag })).status).toBe(304);

  const branch = GitBranch.parse((await read(outcome, '/api/repos/{o}/{r}/branches/main', secret)).json());
  expect(branch.commit.commit).toMatchObject({ author: { name: expect.stringMatching(/\w/) }, message: expect.stringMatching(/\w/) });
  const trees = `/api/repos/{o}/{r}/git/trees/${branch.commit.sha}`;
  const tree = GitTree.parse((await read(outcome, `${trees}?recursive=true`, secret)).json());
  expect(tree.tree.find(({ path }) => path === 'styles/styles.css')).toMatchObject({
    mode: '100644',
    type: 'blob',
    sha: etag.slice(1, -1),
  });
  expect(GitTree.parse((await read(outcome, trees, secret)).json()).tree).toContainEqual(
    expect.objectContaining({ path: 'styles', type: 'tree' }),
  );
  const byCommit = await read(outcome, `/raw/{o}/{r}/${branch.commit.sha}/styles/styles.css`, secret);
  expect(byCommit.text).toBe(styles.text);
});

it.each([
  ['/raw/{o}/{r}/main/none.css', 404, 'FILE_NOT_FOUND'],
  ['/raw/{o}/{r}/main/styles', 404, 'FILE_NOT_FOUND'],
  ['/raw/{o}/{r}/main/..%2f..%2fHEAD', 404, 'FILE_NOT_FOUND'],
  ['/raw/{o}/{r}/main/%2fetc/passwd', 404, 'FILE_NOT_FOUND'],
  ['/raw/{o}/{r}/main/styles//styles.css', 404, 'FILE_NOT_FOUND'],
  ['/raw/{o}/{r}/main/a%0Ab', 404, 'FILE_NOT_FOUND'],
  ['/raw/{o}/{r}/none/head.html', 404, 'BRANCH_NOT_FOUND'],
  ['/raw/{o}/{r}/--help/head.html', 404, 'BRANCH_NOT_FOUND'],
  ['/raw/{o}/{r}/main:x/head.html', 404, 'BRANCH_NOT_FOUND'],
  ['/raw/{o}/{r}/main%5E/head.html', 404, 'BRANCH_NOT_FOUND'],
  ['/raw/{o}/{r}/main/component-definition.json', 413, 'FILE_TOO_LARGE'],
  ['/api/repos/{o}/{r}/branches/feature%2Fone', 404, 'BRANCH_NOT_FOUND'],
  ['/api/repos/{o}/{r}/git/trees/0000000000000000000000000000000000000001', 404, 'BRANCH_NOT_FOUND'],
])('refuses %s', async (path, status, code) => {
  const outcome = await link('first');
  const answer = await read(outcome, path, outcome.secret);
  expect([answer.status, answer.headers['x-error-code']]).toEqual([status, code]);
});

it('lists the branches of the vendor, or says why it cannot', async () => {
  const path = `${LIST}/${id}/branches`;
  expect(BranchList.parse((await world.call('GET', path)).json()).branches.map(({ name }) => name)).toEqual(['main']);
  await world.fault('unavailable');
  const answer = await world.call('GET', path);
  await world.fault('none');
  expect([answer.status, answer.headers['x-error-code']]).toEqual([502, 'REPOSITORY_UNREACHABLE']);
});

it('stores only the hash of a link’s secret', async () => {
  const { secret: last } = await link('first');
  const hash = createHash('sha256').update(last).digest('hex');
  let isStored = false;
  for (const file of await readdir(world.dataDir, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const bytes = await readFile(join(file.parentPath, file.name)).catch(() => Buffer.alloc(0));
    for (const secret of secrets) expect(bytes.includes(secret), file.name).toBe(false);
    isStored ||= bytes.includes(hash);
  }
  expect(isStored).toBe(true);
  for (const secret of secrets) expect(world.output.join('\n')).not.toContain(secret);
});
describe('Whether a repository is public', () => {
  const world = startBeforeAll(startBuildWorld);
  const vendor = startBeforeAll(() => startPausedVendor(world));

  const isAnonymous = ({ headers }: IncomingMessage) => headers.authorization === undefined;

  it.each([429, 500, 503])('stays undecided if the vendor answers %i without a token', async (status) => {
    vendor.refuse(status, isAnonymous);
    const { repositoryId } = await vendor.onboard('northwind/public-docs');
    const failed = await world.settled(repositoryId, 'READY', 'failed');
    expect([failed.state, failed.problem]).toEqual(['failed', expect.stringMatching(/\((?:429|a server error)\)\. Retry in a/)]);
    vendor.refuse(0, () => false);
    await world.call('POST', `${LIST}/${repositoryId}/retry`);
    await expect.poll(async () => (await world.settled(repositoryId, 'READY', 'failed', 'added')).challenge).toBeDefined();
    const awaited = await world.settled(repositoryId, 'READY', 'failed', 'added');
    expect([awaited.state, awaited.challenge?.path]).toEqual(['added', expect.any(String)]);
  });

  it.each([401, 403, 404])('is denied if the vendor answers %i without a token', async (status) => {
    vendor.refuse(status, isAnonymous);
    const { repositoryId } = await vendor.onboard();
    expect((await world.settled(repositoryId, 'READY', 'failed')).state).toBe('READY');
  });
});
