import { beforeAll, describe, expect, it } from 'vitest';
import { Site } from '@repoless/contract/site.ts';
import { Problem } from '@repoless/contract/errors.ts';
import { AuditLog } from '@repoless/contract/audit.ts';
import type { TestAnswer } from '../support/ask.ts';
import { OPERATOR, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { codeHostWith } from '../support/code-sources.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { CodeCheck } from '@repoless/contract/code-check.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { startReceiver } from '../support/receiver.ts';

const ADMIN = 'ada.admin@example.com';
const code = (owner: string, repo: string) => ({ code: { owner, repo } });
const external = (more: Readonly<Record<string, unknown>> = {}) => ({
  code: {
    owner: '100',
    repo: '7',
    source: { type: 'byogit', url: 'https://sync.example.com', raw_url: 'https://raw.example.com', ...more },
  },
});

describe('a repository of the code host', () => {
  const world = startBeforeAll(startCodeWorld);
  const put = (site: string, body: unknown, query = '') =>
    world.backend.call('PUT', `/config/wknd/sites/${site}.json${query}`, { as: OPERATOR, body });

  it('is probed, and a site whose repository is missing is refused, in a dry run too', async () => {
    for (const query of ['', '?dryRun=true']) {
      const answer = await put('absent', siteBody('wknd', 'absent', code('wknd', 'nothing')), query);
      expect([answer.status, answer.headers['x-error-code']], answer.text).toEqual([422, 'CODE_SOURCE_NOT_FOUND']);
      expect(answer.headers['x-error']).toBe(
        `The code host has no repository ${world.codeHost.address}/wknd/nothing. Correct owner and repo, or create it there.`,
      );
      expect(Problem.parse(answer.json()).errors).toMatchObject([{ pointer: '/code/repo' }]);
    }
    expect((await world.backend.call('GET', '/config/wknd/sites/absent.json', { as: OPERATOR })).status).toBe(404);
  });

  it('may belong to another organization', async () => {
    const answer = await put('shared', siteBody('wknd', 'shared', code('acme', 'site')));
    expect([answer.status, Site.parse(answer.json()).code?.owner]).toEqual([201, 'acme']);
  });

  it('is probed by every write that changes it', async () => {
    const call = (method: string, path: string, body?: unknown) =>
      world.backend.call(method, `/config/wknd/${path}`, { as: OPERATOR, ...(body !== undefined && { body }) });
    expect((await put('moving', siteBody('wknd', 'moving', code('wknd', 'wknd')))).status).toBe(201);
    expect((await call('PUT', 'profiles/good.json', code('wknd', 'wknd'))).status).toBe(201);
    const before = (await call('GET', 'sites/moving.json')).text;
    const refused: TestAnswer[] = [
      await call('PUT', 'sites/moving.json', siteBody('wknd', 'moving', code('wknd', 'nothing'))),
      await call('POST', 'sites/moving.json', siteBody('wknd', 'moving', code('wknd', 'nothing'))),
      await call('POST', 'sites/moving/code.json', { owner: 'wknd', repo: 'nothing' }),
      await call('PUT', 'profiles/bad.json', code('wknd', 'nothing')),
      await call('POST', 'profiles/good/code.json', { owner: 'wknd', repo: 'nothing' }),
    ];
    const pointers = refused.flatMap((answer) => Problem.parse(answer.json()).errors?.map(({ pointer }) => pointer) ?? []);
    expect(pointers).toEqual(['/code/repo', '/code/repo', '/repo', '/code/repo', '/repo']);
    expect(refused.map(({ headers }) => headers['x-error-code'])).toEqual(refused.map(() => 'CODE_SOURCE_NOT_FOUND'));
    expect((await call('GET', 'sites/moving.json')).text).toBe(before);
    expect((await call('GET', 'profiles/bad.json')).status).toBe(404);
  });

  it('is not probed by a write that does not change it', async () => {
    const offline = await startTestBackend({ settings: { CODE_HOST: 'http://127.0.0.1:9' }, repositories: codeHostWith() });
    try {
      const body = { version: 1, ...siteBody('wknd', 'kept', code('wknd', 'wknd')) };
      expect((await offline.call('PUT', '/config/wknd/sites/kept.json', { as: OPERATOR, body })).status).toBe(201);
      const title = await offline.call('PUT', '/config/wknd/sites/kept.json', { as: OPERATOR, body: { ...body, title: 'Kept' } });
      expect(title.status).toBe(200);
    } finally {
      await offline.stop();
    }
  });
});

describe('an unreachable code host', () => {
  const path = '/config/wknd/sites/late.json';
  const body = siteBody('wknd', 'late', code('wknd', 'wknd'));
  const backend = startBeforeAll(() => startTestBackend({ settings: { CODE_HOST: 'http://127.0.0.1:9' } }));
  beforeAll(async () => {
    const users = [OPERATOR, ADMIN].map((email) => ({ email, roles: ['admin'] }));
    expect((await backend.call('PUT', '/config/wknd.json', { as: OPERATOR, body: { users } })).status).toBe(200);
  });

  it('is reported, and nothing is stored', async () => {
    const answer = await backend.call('PUT', path, { as: OPERATOR, body });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([502, 'CODE_HOST_UNREACHABLE']);
    expect(answer.headers['x-error']).toMatch(/^Could not check .*\/wknd\/wknd on the code host: 127\.0\.0\.1:9 does not respond\./);
    expect((await backend.call('GET', path, { as: OPERATOR })).status).toBe(404);
  });

  it('can be bypassed only by an operator, which the audit trail records', async () => {
    const refused = await backend.call('PUT', `${path}?unchecked=true`, { as: ADMIN, body });
    expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
    expect(refused.headers['x-error']).toBe('Only an operator of the service may store a code source unchecked. Omit unchecked.');
    expect((await backend.call('PUT', `${path}?unchecked=true`, { as: OPERATOR, body })).status).toBe(201);
    const { entries } = AuditLog.parse((await backend.call('GET', '/config/wknd/log.json?limit=2', { as: OPERATOR })).json());
    expect(entries.map(({ action, user, site }) => [action, user, site])).toEqual([
      ['unchecked-source/github:wknd/wknd', OPERATOR, 'late'],
      ['put-site', OPERATOR, 'late'],
    ]);
  });
});

describe('an external repository of another system', () => {
  const backend = startBeforeAll(startTestBackend);
  const put = (site: string, more: Readonly<Record<string, unknown>>) =>
    backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body: siteBody('wknd', site, more) });

  it('is not probed, and its first site must name the secret', async () => {
    const refused = await put('one', external());
    expect([refused.status, refused.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
    expect(refused.headers['x-error']).toBe(
      'This is the first site of the repository 100/7: set "secretId": "cm-byog". Further sites use the same secret.',
    );
    expect(Problem.parse(refused.json()).errors).toMatchObject([{ pointer: '/code/source/secretId' }]);
    expect((await put('one', external({ secretId: 'cm-byog' }))).status).toBe(201);
    expect((await put('two', external())).status).toBe(201);
    expect((await put('one', external())).headers['x-error-code']).toBe('BODY_INVALID');
  });

  it('is refused with pointers into the part if only the code is sent', async () => {
    await put('part', {});
    const part = (code: unknown) => backend.call('POST', '/config/wknd/sites/part/code.json', { as: OPERATOR, body: code });
    const pointers = async (code: unknown) => Problem.parse((await part(code)).json()).errors?.map((error) => error.pointer);
    const { code } = external();
    const elsewhere = { ...code, repo: '8', source: { ...code.source, repo: '8' } };
    expect(await pointers(elsewhere)).toEqual(['/source/secretId']);
    expect(await pointers({ ...code, source: { ...code.source, secretId: 'cm-byog' } })).toEqual(['/source/secretId']);
  });
});
async function check(backend: TestBackend, query: string, as = OPERATOR): Promise<CodeCheck> {
  const answer = await backend.call('GET', `/config/wknd/sites/not-there-yet/code/check.json?${query}`, { as });
  expect(answer.status, answer.text).toBe(200);
  return CodeCheck.parse(answer.json());
}

describe('the probe of a repository on the code host', () => {
  const world = startBeforeAll(startCodeWorld);
  const probe = (query: string) => check(world.backend, `type=github&${query}`);

  it('reports a branch, its commit and the files that the editor needs', async () => {
    const seen = await probe('owner=wknd&repo=wknd');
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
    const seen = await probe('owner=wknd&repo=wknd&ref=bare-one');
    expect(seen.files).toMatchObject({ 'component-models.json': 'missing', 'head.html': 'missing', 'component-filters.json': 'found' });
    expect(seen.detail).toMatch(/has the branch "bare-one", but not component-models\.json and head\.html: without them/);
  });

  it('reports a missing branch and a missing repository', async () => {
    expect(await probe('owner=wknd&repo=wknd&ref=feature/none')).toMatchObject({ repository: 'found', branch: 'missing' });
    const seen = await probe('owner=wknd&repo=nothing');
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
  const probe = () => check(backend, 'type=github&owner=wknd&repo=wknd');

  it.each([
    [401, 'refused', /returned 401 for .*\/wknd\/wknd: the repository is private, or does not exist\./],
    [403, 'refused', /returned 403 for/],
    [404, 'missing', /has no repository/],
    [301, 'missing', /was renamed or moved/],
    [429, 'unreachable', /answered 429 .* Try again in a minute\.$/],
    [503, 'unreachable', /answered 503/],
  ])('that answers %i is reported as %s', async (status, repository, detail) => {
    answer = () => ({ status });
    const seen = await probe();
    expect(seen.repository).toBe(repository);
    expect(seen.detail).toMatch(detail);
  });

  it('is reported as unreachable if it does not respond in time', { timeout: 20_000 }, async () => {
    answer = () => undefined;
    const started = performance.now();
    expect(await probe()).toMatchObject({ repository: 'unreachable', detail: expect.stringMatching(/did not respond in time/) });
    expect(performance.now() - started).toBeGreaterThan(LIMITS.probeTime - 50);
  });

  it('is understood if it only supports the first version of the protocol', async () => {
    const sha = '1'.repeat(40);
    const refs = `${line('# service=git-upload-pack\n')}0000${line(`${sha} HEAD\0multi_ack\n`)}${line(`${sha} refs/heads/main\n`)}0000`;
    answer = (path) => (path.includes('/info/refs') ? { status: 200, body: refs } : { status: 500 });
    expect(await probe()).toMatchObject({ repository: 'found', branch: 'found', sha, files: {} });
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
