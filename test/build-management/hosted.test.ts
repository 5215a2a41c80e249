import { afterAll, beforeAll, expect, it } from 'vitest';
import { ExternalRepositoryList, HostedAccess } from '#contract/build-management.ts';
import { hostedGitEndpoints } from '#contract/hosted-git-endpoints.ts';
import { HOSTED, signedIn, startHosting } from './hosting.ts';
import type { Hosting } from './hosting.ts';
import { git, startBuildWorld, until } from './world.ts';
import type { BuildWorld } from './world.ts';

const LIST = '/organizations/wknd/repositories';
let count = 0;
let world: BuildWorld;
let hosting: Hosting;
beforeAll(async () => {
  world = await startBuildWorld({ HOSTED_REPOSITORIES: '20' });
  hosting = await startHosting(world);
});
afterAll(async () => {
  await world.stop();
  await hosting.stop();
});

it('is READY at once; its access token is shown once, and kept as a hash', async () => {
  const access = await hosting.host('storefront');
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

it('refuses who reads a repository while it is removed, as one whose secret is no good', async () => {
  const access = await hosting.host();
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`file-${index}.css`, `body { top: ${index}px }\n`]));
  await (await hosting.cloned(access, files)).push();
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

it('lets in with its own access token alone, and tells strangers nothing', async () => {
  const [mine, other] = [await hosting.host(), await hosting.host()];
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
  const access = await hosting.host();
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
  const access = known ?? (known = await hosting.host());
  const authorization = `Basic ${Buffer.from(`git:${access.accessToken}`).toString('base64')}`;
  const answer = await world.call(method, `/git/wknd/${access.repository.name}.git/${path}`, { as: null, headers: { authorization } });
  expect(answer.status).toBe(status);
});
let known: HostedAccess | undefined;

it.each(['git-upload-pack', 'git-receive-pack'])('says of a refusal of git that it is a text: POST %s of another type', async (service) => {
  const { accessToken, repository } = known ?? (known = await hosting.host());
  const authorization = `Basic ${Buffer.from(`git:${accessToken}`).toString('base64')}`;
  const answer = await world.call('POST', `/git/wknd/${repository.name}.git/${service}`, { as: null, headers: { authorization } });
  expect([answer.status, answer.headers['content-type']]).toEqual([415, 'text/plain; charset=utf-8']);
  expect(answer.text).toContain('Content-Type');
});

it.each([
  ['git-upload-pack', hostedGitEndpoints.gitUploadPack],
  ['git-receive-pack', hostedGitEndpoints.gitReceivePack],
] as const)('answers %s in the media types that its calls promise', async (service, row) => {
  const { accessToken, repository } = known ?? (known = await hosting.host());
  const authorization = `Basic ${Buffer.from(`git:${accessToken}`).toString('base64')}`;
  const address = `/git/wknd/${repository.name}.git`;
  const refs = await world.call('GET', `${address}/info/refs?service=${service}`, { as: null, headers: { authorization } });
  expect(hostedGitEndpoints.gitRefs.answers[200].media).toContain(refs.headers['content-type']);
  const headers = { authorization, 'content-type': `application/x-${service}-request` };
  const done = await world.call('POST', `${address}/${service}`, { as: null, headers, body: '0000' });
  expect([done.status, done.headers['content-type']]).toEqual([200, ...row.answers[200].media]);
});

it('has neither a webhook nor a check, and says what holds instead; others have no such access token', async () => {
  const { repositoryId } = (await hosting.host()).repository;
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
  expect([refused.status, refused.headers['x-error']]).toEqual([403, 'The organization wknd has 20 hosted repositories; 20 are allowed.']);
});

it('is kept over a new start, and gone when it is removed', async () => {
  const { repositories } = ExternalRepositoryList.parse((await world.call('GET', LIST)).json());
  const store = repositories.find(({ name }) => name === 'storefront');
  const renewed = await world.call('POST', `${LIST}/${store?.repositoryId}/token`);
  const access = HostedAccess.parse(renewed.json());
  const clone = await hosting.cloned(access);
  await clone.push();
  await world.restart();
  expect(await git('ls-remote', signedIn(access), 'main')).toContain('refs/heads/main');
  expect((await world.call('DELETE', `${LIST}/${store?.repositoryId}`)).status).toBe(204);
  await expect(git('ls-remote', signedIn(access))).rejects.toThrow(/Authentication failed|401/);
});
