import { describe, expect, it } from 'vitest';
import { CodeCheck } from '@repoless/contract/code-check.ts';
import { RepositoryStatus } from '@repoless/contract/build-management.ts';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { asMember, git, KEY, startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { ask } from '../support/ask.ts';
import { startTestBuildManagement } from '../support/byogit.ts';

const world = startBeforeAll(startBuildWorld);

async function probe(owner: string, repo: string, more = ''): Promise<CodeCheck> {
  const path = `/config/wknd/sites/new-one/code/check.json?type=byogit&owner=${owner}&repo=${repo}${more}`;
  const answer = await world.backend.call('GET', path, { as: OPERATOR });
  expect(answer.status, answer.text).toBe(200);
  return CodeCheck.parse(answer.json());
}

describe('the probe of an external repository', () => {
  it('reports a READY repository, by either spelling of its address', async () => {
    const { programId, repositoryId, name } = await world.ready();
    const url = `${world.address()}/api`;
    for (const more of ['', `&url=${encodeURIComponent(url)}`, `&url=${encodeURIComponent(url.replace('localhost', 'LOCALHOST'))}`]) {
      expect(await probe(programId, repositoryId, more)).toMatchObject({
        repository: 'found',
        state: 'READY',
        detail: `The external repository "${name}" (${programId}/${repositoryId}) is READY and has the branch "main".`,
      });
    }
  });

  it('reports the current commit of a branch at the git vendor, and a missing branch', async () => {
    const { programId, repositoryId, name } = await world.ready();
    const head = (await git('ls-remote', asMember(world.vendor), 'refs/heads/main')).slice(0, 40);
    expect(await probe(programId, repositoryId)).toMatchObject({ ref: 'main', branch: 'found', sha: head });
    const missing = await probe(programId, repositoryId, '&ref=feature/none');
    expect(missing).toMatchObject({
      repository: 'found',
      state: 'READY',
      branch: 'missing',
      detail: `The external repository "${name}" (${programId}/${repositoryId}) has no branch "feature/none". Push it, or correct the name.`,
    });
    expect(missing.sha).toBeUndefined();
    await world.fault('unavailable');
    const unreachable = await probe(programId, repositoryId);
    await world.fault('none');
    expect(unreachable).toMatchObject({ repository: 'found', state: 'READY' });
    expect(unreachable.detail).toMatch(/is READY, but its branches could not be read: \S/);
    expect([unreachable.branch, unreachable.sha]).toEqual([undefined, undefined]);
  });

  it('reports a repository without the branch main', async () => {
    expect(await probe('100', (await world.withoutMain()).repositoryId)).toMatchObject({
      repository: 'found',
      state: 'READY',
      branch: 'missing',
    });
  });

  it('reports why a repository is not READY', async () => {
    const { programId, repositoryId } = await world.onboard({
      accessToken: 'wrong-token',
      cloneUrl: `${world.vendor.address}/northwind/x.git`,
    });
    const failed = await world.settled(repositoryId, 'failed', 'READY');
    const seen = await probe(programId, repositoryId);
    expect(seen).toMatchObject({ repository: 'found', state: 'failed' });
    expect(seen.detail).toContain(`is failed, not READY. ${failed.problem}`);
  });

  it('reports a repository that the program or the organization does not have', async () => {
    const { programId, repositoryId } = await world.ready();
    for (const [owner, repo] of [
      ['999', repositoryId],
      [programId, '4711'],
    ] as const) {
      expect(await probe(owner, repo)).toMatchObject({
        repository: 'missing',
        detail: `Build management has no repository ${repo} of program ${owner} for the organization "wknd". Choose one from its list, or onboard it.`,
      });
    }
  });

  it('refuses to call another address', async () => {
    expect(await probe('100', '7', `&url=${encodeURIComponent('https://sync.example.com')}`)).toMatchObject({
      repository: 'unchecked',
      detail: 'The repository is at sync.example.com, which is not queried: its first code sync shows whether it can be read.',
    });
  });

  it('reports that build management is unreachable', async () => {
    await world.restart(async () => {
      const seen = await probe('100', '7');
      expect(seen.repository).toBe('unreachable');
      expect(seen.detail).toMatch(/^Could not check 100\/7 in build management: localhost:\d+ does not respond\./);
    });
  });
});

describe('the status of a repository', () => {
  it('is reported only to the configuration service, and only for the requesting organization', async () => {
    const { programId, repositoryId, name } = await world.ready();
    const headers = { authorization: `Bearer ${KEY}` };
    const path = `/repository-status/wknd/${programId}/${repositoryId}`;
    const answer = await world.call('GET', path, { as: null, headers });
    expect(RepositoryStatus.parse(answer.json())).toEqual({ programId, repositoryId, name, state: 'READY' });
    const main = await world.call('GET', `${path}?branch=main`, { as: null, headers });
    expect(RepositoryStatus.parse(main.json())).toMatchObject({ branch: 'found', commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    await world.fault('unavailable');
    const unreachable = await world.call('GET', `${path}?branch=main`, { as: null, headers });
    await world.fault('none');
    expect([unreachable.status, unreachable.headers['x-error-code']]).toEqual([502, 'REPOSITORY_UNREACHABLE']);
    expect((await world.call('GET', path)).status).toBe(401);
    expect((await world.call('GET', path, { as: null, headers: { authorization: 'Bearer another' } })).status).toBe(401);
    expect((await world.call('GET', `/repository-status/acme/${programId}/${repositoryId}`, { as: null, headers })).status).toBe(404);
  });
});

describe('a site of an external repository', () => {
  async function put(site: string, owner: string, repo: string, more: Readonly<Record<string, unknown>> = {}) {
    const [url, raw_url] = [`${world.address()}/api`, `${world.address()}/raw`];
    const code = { owner, repo, source: { type: 'byogit', url, raw_url, secretId: 'cm-byog', ...more } };
    const body = siteBody('wknd', site, { code });
    const answer = await world.backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body });
    return [answer.status, answer.headers['x-error-code'], answer.headers['x-error'] ?? ''] as const;
  }

  it('is stored if its repository is READY', async () => {
    const { programId, repositoryId } = await world.ready();
    expect((await put('ready-one', programId, repositoryId))[0]).toBe(201);
  });

  it('is refused if the repository is unknown, another organization’s, or not READY', async () => {
    const { programId, repositoryId } = await world.ready();
    const missing = (owner: string, repo: string) => [
      422,
      'CODE_SOURCE_NOT_FOUND',
      `Build management has no repository ${repo} of program ${owner} for the organization "wknd". Choose one from its list, or onboard it.`,
    ];
    expect(await put('unknown', programId, '4711')).toEqual(missing(programId, '4711'));
    expect(await put('strange', '999', repositoryId)).toEqual(missing('999', repositoryId));
    const bad = await world.onboard({ accessToken: 'wrong-token', cloneUrl: `${world.vendor.address}/northwind/y.git` });
    await world.settled(bad.repositoryId, 'failed');
    const failed = await put('failed', bad.programId, bad.repositoryId);
    expect(failed.slice(0, 2)).toEqual([422, 'REPOSITORY_NOT_READY']);
    expect(failed[2]).toMatch(/^The external repository ".*" \(\d+\/\d+\) is failed, not READY. \S/);
  });

  it('is refused if one of its addresses belongs to another program', async () => {
    const { programId, repositoryId } = await world.ready();
    const answer = await put('split', programId, repositoryId, { raw_url: 'https://raw.example.com' });
    expect(answer.slice(0, 2)).toEqual([422, 'CODE_SOURCE_NOT_FOUND']);
    expect(answer[2]).toMatch(/belongs to build management, but raw_url https:\/\/raw\.example\.com does not\./);
  });

  it('is not stored while build management is unreachable', async () => {
    const { programId, repositoryId } = await world.ready();
    await world.restart(async () => {
      const answer = await put('later', programId, repositoryId);
      expect(answer.slice(0, 2)).toEqual([502, 'BUILD_MANAGEMENT_UNREACHABLE']);
    });
    expect((await world.backend.call('GET', '/config/wknd/sites/later.json', { as: OPERATOR })).status).toBe(404);
    expect((await put('later', programId, repositoryId))[0]).toBe(201);
  });
});
describe('build management that is reached by HTTPS', () => {
  const running = startBeforeAll(async () => {
    const { buildManagement } = await freePorts();
    return startTestBuildManagement({ settings: { PORT: String(buildManagement), PUBLIC_ADDRESS: 'https://build.example.com' } });
  });
  const read = (method: string, path: string) => ask(`http://127.0.0.1:${running.port}`, path, { method });

  it.each([
    ['/live', { status: 'live' }],
    ['/ready', { status: 'ready' }],
    ['/health', { status: 'ready' }],
  ])('reports its state at %s', async (path, body) => {
    const answer = await read('GET', path);
    expect([answer.status, answer.json()]).toEqual([200, body]);
  });

  it.each([
    ['GET', '/live', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/organizations/wknd/repositories', 401],
    ['PATCH', '/health', 405],
    ['OPTIONS', '/nowhere', 204],
  ])('tells browsers to use HTTPS, guess no content type and allow no frame: %s %s (%i)', async (method, path, status) => {
    const answer = await read(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['content-security-policy']).toBe("default-src 'none';base-uri 'none';frame-ancestors 'none'");
  });
});

it('does not require HTTPS of browsers if it is reached by HTTP', async () => {
  const plain = await startTestBuildManagement();
  expect((await ask(plain.address, '/live')).headers['strict-transport-security']).toBeUndefined();
  await plain.stop();
});
