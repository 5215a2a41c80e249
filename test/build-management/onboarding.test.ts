import { mkdtemp, readdir, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExternalRepositoryList } from '@repoless/contract/build-management.ts';
import { asMember, git, startBuildWorld } from './world.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const LIST = '/organizations/wknd/repositories';
const world = startBeforeAll(() => startBuildWorld({ GIT_TIMEOUT: '4' }));

describe('onboarding', () => {
  it('takes a repository from added to READY, with the given program and a number', async () => {
    const added = await world.onboard();
    expect(added.state).toBe('added');
    expect([added.programId, added.repositoryId]).toEqual(['100', expect.stringMatching(/^\d+$/)]);
    const ready = await world.settled(added.repositoryId, 'READY', 'failed');
    expect(ready).toMatchObject({ state: 'READY', warnings: [], commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(ready.problem).toBeUndefined();
    const list = ExternalRepositoryList.parse((await world.call('GET', LIST)).json());
    expect(list.codeSync).toEqual({ url: `${world.address()}/api`, rawUrl: `${world.address()}/raw` });
    expect(list.repositories.map(({ name }) => name)).toContain(added.name);
  });

  it('accepts each address once', async () => {
    const again = await world.call('POST', LIST, {
      body: {
        programId: '100',
        name: 'Again',
        vendor: 'gitlab',
        accessToken: 'x',
        cloneUrl: `${world.vendor.address}/northwind/storefront.git`,
      },
    });
    expect([again.status, again.headers['x-error-code']]).toEqual([409, 'REPOSITORY_TAKEN']);
  });

  it.each([
    ['a wrong access token', { accessToken: 'wrong' }, /refuses the access token/],
    ['no such repository', { cloneUrl: '/northwind/nothing.git' }, /no repository at this address/],
    ['no git at all', { cloneUrl: '/' }, /no (git )?repository at this address|no git/i],
    ['no server at the address', { cloneUrl: 'http://127.0.0.1:9/x.git' }, /does not respond/],
  ])('fails with the reason: %s', async (_, more, reason) => {
    const cloneUrl = 'cloneUrl' in more ? new URL(more.cloneUrl ?? '', `${world.vendor.address}/`).href.replace(/\/$/, '/none') : undefined;
    const added = await world.onboard({ ...more, cloneUrl: cloneUrl ?? `${world.vendor.address}/northwind/storefront` });
    const failed = await world.settled(added.repositoryId, 'READY', 'failed');
    expect([failed.state, failed.problem]).toEqual(['failed', expect.stringMatching(reason)]);
    const retried = await world.call('POST', `${LIST}/${added.repositoryId}/retry`, { body: { accessToken: ACCESS_TOKEN } });
    expect(retried.status).toBe(202);
    const after = await world.settled(added.repositoryId, 'READY', 'failed');
    expect(after.state).toBe('accessToken' in more ? 'READY' : 'failed');
    expect((await world.call('DELETE', `${LIST}/${added.repositoryId}`)).status).toBe(204);
    expect((await world.call('GET', `${LIST}/${added.repositoryId}`)).headers['x-error-code']).toBe('EXTERNAL_REPOSITORY_NOT_FOUND');
  });

  it.each([
    ['unavailable', {}, /does not respond/],
    ['limited', {}, /too many requests|does not respond/],
    ['forbidden', {}, /cannot read/],
    ['slow', {}, /did not respond in time/],
    ['redirect', {}, /redirects to another/],
  ])('explains the failure of a vendor that is %s', async (mode, more, reason) => {
    await world.fault(mode, more);
    const cloneUrl = `http://trouble-${mode}.localhost:${new URL(world.vendor.address).port}/northwind/storefront.git`;
    const { repositoryId } = await world.onboard({ cloneUrl });
    const failed = await world.settled(repositoryId, 'READY', 'failed');
    await world.fault('none');
    expect(failed.problem).toMatch(reason);
    await world.call('POST', `${LIST}/${repositoryId}/retry`);
    expect((await world.settled(repositoryId, 'READY', 'failed')).state).toBe('READY');
  });

  it('requires a challenge for a public repository, because the token proves nothing', async () => {
    const { repositoryId } = await world.onboard({ cloneUrl: `${world.vendor.address}/northwind/public-docs.git` });
    const waiting = await challenged(repositoryId);
    expect([waiting.state, waiting.problem]).toEqual(['added', expect.stringContaining(waiting.challenge?.token ?? 'none')]);
    await world.call('POST', `${LIST}/${repositoryId}/retry`);
    expect((await challenged(repositoryId)).challenge).toEqual(waiting.challenge);
    await commit('northwind/public-docs', waiting.challenge?.path ?? '', `${waiting.challenge?.token}\n`);
    await world.call('POST', `${LIST}/${repositoryId}/retry`);
    const ready = await world.settled(repositoryId, 'READY', 'failed');
    expect([ready.state, ready.challenge]).toEqual(['READY', undefined]);
  });

  it('requires a challenge if the caller requests one', async () => {
    const cloneUrl = `http://asked.localhost:${new URL(world.vendor.address).port}/northwind/storefront.git`;
    const added = await world.onboard({ cloneUrl, challenge: true });
    expect(added.challenge?.token).toMatch(/^[\w-]{43}$/);
    expect((await challenged(added.repositoryId)).challenge).toEqual(added.challenge);
  });

  it('continues after a restart', async () => {
    const { repositoryId } = await world.ready();
    await world.fault('slow', { delay: 600_000 });
    await world.call('POST', `${LIST}/${repositoryId}/retry`);
    await world.restart(() => world.fault('none'));
    expect((await world.settled(repositoryId, 'READY', 'failed')).state).toBe('READY');
  });

  it.each([
    ['a user name in the address', { cloneUrl: 'https://me:pass@git.example.com/x.git' }],
    ['an address of files', { cloneUrl: 'file:///etc' }],
    ['a query', { cloneUrl: 'https://git.example.com/x.git?token=1' }],
    ['another vendor', { vendor: 'cvs' }],
    ['no token', { accessToken: '' }],
    ['a token with a line break', { accessToken: 'a\r\nb' }],
    ['an unknown property', { colour: 'blue' }],
    ['no program', { programId: undefined }],
    ['a program that is not a number', { programId: 'p100' }],
  ])('refuses %s', async (_, more) => {
    const body = { programId: '100', name: 'Bad', vendor: 'gitlab', accessToken: 'x', cloneUrl: 'https://git.example.com/x.git', ...more };
    const answer = await world.call('POST', LIST, { body });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
    expect(answer.text).not.toContain('me:pass');
  });

  it('never reveals the access token, and stores it sealed', async () => {
    const { cloneUrl } = await world.ready();
    let isStored = false;
    for (const file of await readdir(world.dataDir, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const bytes = await readFile(join(file.parentPath, file.name)).catch(() => Buffer.alloc(0));
      expect(bytes.includes(ACCESS_TOKEN), file.name).toBe(false);
      isStored ||= bytes.includes(cloneUrl);
    }
    expect(isStored).toBe(true);
    expect(world.output.join('\n')).not.toContain(ACCESS_TOKEN);
  });
});

describe('callers', () => {
  it.each([
    ['an anonymous caller', null, 401],
    ['a stranger', 'sam.stranger@example.com', 404],
  ])('may neither list nor onboard: %s', async (_, as, status) => {
    expect((await world.call('GET', LIST, { as })).status).toBe(status);
    expect((await world.call('POST', LIST, { as, body: {} })).status).toBe(status);
  });

  it('whose token was revoked at the service are refused', async () => {
    const token = await world.backend.token('operator@example.com');
    const headers = { 'x-auth-token': token };
    expect((await world.call('GET', LIST, { as: null, headers })).status).toBe(200);
    await world.backend.call('GET', '/logout', { headers });
    expect((await world.call('GET', LIST, { as: null, headers })).status).toBe(401);
  });

  it('who no longer administer the organization may only read', async () => {
    const users = [
      { email: 'operator@example.com', roles: ['admin'] },
      { email: 'carl@example.com', roles: ['config_admin'] },
    ];
    await world.backend.call('PUT', '/config/wknd.json', { as: 'operator@example.com', body: { users } });
    const as = 'carl@example.com';
    expect((await world.call('GET', LIST, { as })).status).toBe(200);
    expect((await world.call('POST', LIST, { as, body: {} })).headers['x-error-code']).toBe('NOT_AUTHORIZED');
  });

  it('get nothing of an unknown organization', async () => {
    expect((await world.call('GET', '/organizations/acme/repositories')).headers['x-error-code']).toBe('ORG_NOT_FOUND');
  });
});

it('refuses HTTP, internal addresses, and a host name that resolves to one', async () => {
  const strict = await startBuildWorld({ INTERNAL_ADDRESSES: 'refuse' });
  try {
    const plain = await strict.call('POST', LIST, {
      body: { programId: '100', name: 'Plain', vendor: 'gitlab', accessToken: 'x', cloneUrl: 'http://git.example.com/x.git' },
    });
    expect([plain.status, plain.text]).toEqual([400, expect.stringContaining('HTTPS')]);
    for (const host of ['127.0.0.1', '[::1]', 'git.localhost', '169.254.169.254', '10.0.0.1']) {
      const { repositoryId } = await strict.onboard({ cloneUrl: `https://${host}/x.git` });
      expect((await strict.settled(repositoryId, 'READY', 'failed')).problem).toMatch(/internal address/);
    }
  } finally {
    await strict.stop();
  }
});

async function challenged(id: string) {
  for (;;) {
    const read = await world.settled(id, 'added');
    if (read.problem !== undefined) return read;
  }
}

async function commit(repository: string, path: string, text: string): Promise<void> {
  const clone = await mkdtemp(join(tmpdir(), 'repoless-clone-'));
  await git('clone', '--quiet', asMember(world.vendor, repository), clone);
  await mkdir(dirname(join(clone, path)), { recursive: true });
  await writeFile(join(clone, path), text);
  await git('-C', clone, 'add', '--force', path);
  await git('-C', clone, 'commit', '--quiet', '--message', 'Prove it');
  await git('-C', clone, 'push', '--quiet', 'origin', 'main');
  await rm(clone, { recursive: true });
}
