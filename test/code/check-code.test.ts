import { CodeCheck } from '@repoless/contract/code-check.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { describe, expect, it } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { OPERATOR, startTestBackend, type TestBackend } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

async function check(backend: TestBackend, query: string, as = OPERATOR): Promise<CodeCheck> {
  const answer = await backend.call('GET', `/config/wknd/sites/not-there-yet/code/check.json?${query}`, { as });
  expect(answer.status, answer.text).toBe(200);
  return CodeCheck.parse(answer.json());
}

describe('the probe of a repository on the code host', () => {
  const world = startBeforeAll(startCodeWorld);
  const look = (query: string) => check(world.backend, `type=github&${query}`);

  it('reports a branch, its commit and the files that the editor needs', async () => {
    const seen = await look('owner=wknd&repo=wknd');
    expect(seen).toMatchObject({ type: 'github', ref: 'main', repository: 'found', branch: 'found' });
    expect(seen.sha).toBe((await world.clone.git('rev-parse', 'HEAD')).trim());
    expect(seen.files).toMatchObject({ 'component-definition.json': 'found', 'head.html': 'found' });
    expect(seen.detail).toBe(`The repository ${world.codeHost.address}/wknd/wknd has the branch "main".`);
  });

  it('names the files that are missing on a branch', async () => {
    await world.clone.git('checkout', '--quiet', '-b', 'bare-one');
    await world.clone.git('rm', '--quiet', 'component-models.json', 'head.html');
    await world.clone.git('commit', '--quiet', '-m', 'Remove');
    await world.clone.git('push', '--quiet', 'origin', 'bare-one');
    const seen = await look('owner=wknd&repo=wknd&ref=bare-one');
    expect(seen.files).toMatchObject({ 'component-models.json': 'missing', 'head.html': 'missing', 'component-filters.json': 'found' });
    expect(seen.detail).toMatch(/has the branch "bare-one", but not component-models\.json and head\.html: without them/);
  });

  it('reports a missing branch and a missing repository', async () => {
    expect(await look('owner=wknd&repo=wknd&ref=feature/none')).toMatchObject({ repository: 'found', branch: 'missing' });
    const seen = await look('owner=wknd&repo=nothing');
    expect(seen).toMatchObject({
      repository: 'missing',
      detail: `The code host has no repository ${world.codeHost.address}/wknd/nothing. Correct owner and repo, or create it there.`,
    });
    expect(seen.branch).toBeUndefined();
  });

  it('refuses the address of another repository, and a name that git does not allow', async () => {
    const other = `type=github&owner=wknd&repo=wknd&url=${encodeURIComponent('https://elsewhere.example.com/wknd/wknd')}`;
    for (const query of [other, 'type=github&owner=wknd&repo=wknd&ref=a%0Ab', 'type=svn&owner=wknd&repo=wknd']) {
      const answer = await world.backend.call('GET', `/config/wknd/sites/x/code/check.json?${query}`, { as: OPERATOR });
      expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'QUERY_INVALID']);
    }
  });
});

describe('a code host that does not respond as expected', () => {
  let answer: (path: string) => { status: number; body?: string } | undefined = () => ({ status: 404 });
  const host = startBeforeAll(() =>
    startReceiver((request, response) => {
      const given = answer(request.url ?? '');
      if (given !== undefined) response.writeHead(given.status).end(given.body);
    }),
  );
  const backend = startBeforeAll(() => startTestBackend({ settings: { CODE_HOST: host.address, CODE_HOST_RAW: `${host.address}/raw` } }));
  const look = () => check(backend, 'type=github&owner=wknd&repo=wknd');

  it.each([
    [401, 'refused', /returned 401 for .*\/wknd\/wknd: the repository is private, or does not exist\./],
    [403, 'refused', /returned 403 for/],
    [404, 'missing', /has no repository/],
    [301, 'missing', /was renamed or moved/],
    [429, 'unreachable', /answered 429 .* Try again in a minute\.$/],
    [503, 'unreachable', /answered 503/],
  ])('%i is told as %s', async (status, repository, detail) => {
    answer = () => ({ status });
    const seen = await look();
    expect(seen.repository).toBe(repository);
    expect(seen.detail).toMatch(detail);
  });

  it('is reported as unreachable if it does not respond in time', { timeout: 20_000 }, async () => {
    answer = () => undefined;
    const began = performance.now();
    expect(await look()).toMatchObject({ repository: 'unreachable', detail: expect.stringMatching(/did not respond in time/) });
    expect(performance.now() - began).toBeGreaterThan(LIMITS.questionTime - 50);
  });

  it('is understood if it only supports the first version of the protocol', async () => {
    const sha = '1'.repeat(40);
    const refs = `${line('# service=git-upload-pack\n')}0000${line(`${sha} HEAD\0multi_ack\n`)}${line(`${sha} refs/heads/main\n`)}0000`;
    answer = (path) => (path.includes('/info/refs') ? { status: 200, body: refs } : { status: 500 });
    expect(await look()).toMatchObject({ repository: 'found', branch: 'found', sha, files: {} });
  });
});

it('only those who may configure the site may probe the code', async () => {
  const backend = await startTestBackend();
  try {
    const path = '/config/wknd/sites/x/code/check.json?type=github&owner=wknd&repo=wknd';
    expect((await backend.call('GET', path)).status).toBe(401);
    expect((await backend.call('GET', path, { as: 'sam.stranger@example.com' })).status).toBe(404);
  } finally {
    await backend.stop();
  }
});

function line(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
}
