import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JobStatus } from '@repoless/contract/job.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestAnswer } from '../support/ask.ts';
import { startByogit } from '../support/byogit.ts';
import { codeCalls, externalCode } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SECRET = 'the-very-secret-value-4711';
const NEXT_SECRET = 'the-next-secret-value-4712';
const KEY = 'the-key-of-build-management';
/** All answers, and all lines of the log. */
const output: string[] = [];

const byogit = startBeforeAll(() => startByogit(SECRET));
const backend = startBeforeAll(() =>
  startTestBackend({
    orgs: ['wknd', 'other'],
    settings: { BUILD_MANAGEMENT_KEY: KEY, CODE_RETRY_DELAY: '2' },
    logged: (line) => output.push(line),
  }),
);

const source = (more: Record<string, string> = {}, repository = byogit) =>
  externalCode(repository.address, { owner: '100', repo: '200', ...more });
async function call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer> {
  const answer = await backend.call(method, path, {
    ...(headers === undefined ? { as: OPERATOR } : { headers }),
    ...(body !== undefined && { body }),
  });
  output.push(answer.text, JSON.stringify(answer.headers));
  await expectNoSecrets(path);
  return answer;
}
const config = (site: string, part = '') => `/config/wknd/sites/${site}${part}.json`;

/** Expects that neither value is anywhere: the database and its log, other files, answers, the service's log. */
async function expectNoSecrets(after: string): Promise<void> {
  const files = await readdir(backend.dataDir, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name)).catch(() => Buffer.alloc(0));
    for (const value of [SECRET, NEXT_SECRET]) expect(bytes.includes(value), `${file.name} holds a secret after ${after}`).toBe(false);
  }
  const all = output.join('\n');
  for (const value of [SECRET, NEXT_SECRET]) expect(all.includes(value), `a secret was revealed after ${after}`).toBe(false);
}

async function synced(site: string, ref = 'main'): Promise<JobStatus> {
  expect((await call('POST', `/code/wknd/${site}/${ref}/*`)).status).toBe(202);
  return await ended(site, ref);
}
const { ended } = codeCalls(backend);
const visit = (site: string, path: string) => backend.visit('live', `main--${site}--wknd`, path);

describe('an external repository', () => {
  it('is read with the secret of the first site, which is never revealed', async () => {
    expect((await call('PUT', config('first'), siteBody('wknd', 'first', { code: source({ secretId: 'cm-byog' }) }))).status).toBe(201);
    expect((await synced('first')).error).toBe('Unable to fetch hlxignore: 401');
    const set = await call('POST', config('first', '/secrets/cm-byog'), { value: SECRET });
    expect([set.status, set.json()]).toMatchObject([200, { id: 'cm-byog', type: 'key' }]);
    const status = await synced('first');
    expect([status.error, status.data?.phase]).toEqual([undefined, 'completed']);
    expect((await visit('first', '/styles/styles.css')).text).toBe('body {}\n');
  });

  it('is shared by further sites, which hold no secret', async () => {
    const refused = await call('PUT', config('second'), siteBody('wknd', 'second', { code: source({ secretId: 'cm-byog' }) }));
    expect([refused.status, refused.headers['x-error-code']]).toEqual([400, 'SECRET_NOT_ALLOWED']);
    expect((await call('PUT', config('second'), siteBody('wknd', 'second', { code: source() }))).status).toBe(201);
    expect((await visit('second', '/styles/styles.css')).text).toBe('body {}\n');
    const own = await call('POST', config('second', '/secrets/cm-byog'), { value: NEXT_SECRET });
    expect([own.status, own.headers['x-error-code']]).toEqual([400, 'SECRET_NOT_ALLOWED']);
    expect(own.headers['x-error']).toContain('"wknd/first"');
  });

  it('is not sent the secret at addresses that its holder has not set', async () => {
    const other = await startByogit('none');
    const code = source({}, other);
    expect((await call('PUT', config('third'), siteBody('wknd', 'third', { code }))).status).toBe(201);
    expect((await synced('third')).error).toContain('wknd/first');
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  it('is synced when build management reports a push, and its deleted branches are removed', async () => {
    byogit.branches.get('main')?.set('pushed.txt', 'pushed');
    expect((await call('POST', '/code-sync/100/200/main', undefined, { authorization: 'Bearer wrong' })).status).toBe(401);
    const unknown = await call('POST', '/code-sync/100/none/main', undefined, { authorization: `Bearer ${KEY}` });
    expect(unknown.headers['x-error-code']).toBe('REPOSITORY_UNKNOWN');
    byogit.requests.length = 0;
    expect((await call('POST', '/code-sync/100/200/main', undefined, { authorization: `Bearer ${KEY}` })).status).toBe(202);
    await ended('second');
    expect((await visit('second', '/pushed.txt')).text).toBe('pushed');
    expect(byogit.requests.filter((path) => path.startsWith('/raw/') && !path.endsWith('.hlxignore'))).toEqual([
      '/raw/100/200/main/pushed.txt',
    ]);
    const refused = await call('DELETE', '/code-sync/100/200/main', undefined, { authorization: `Bearer ${KEY}` });
    expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'BRANCH_PROTECTED']);
    byogit.branches.set('side', new Map([['a.txt', 'a']]));
    expect((await synced('first', 'side')).error).toBeUndefined();
    expect((await call('DELETE', '/code-sync/100/200/side', undefined, { authorization: `Bearer ${KEY}` })).status).toBe(200);
    expect((await call('GET', '/code/wknd/first/*')).json()).toMatchObject({ branches: ['main'] });
  });

  it('is not confused with another organization’s repository of the same numbers on a push or deletion', async () => {
    const foreign = await startByogit('a-secret-of-its-own');
    const code = source({ secretId: 'cm-byog' }, foreign);
    const of = (site: string) => `/config/other/sites/${site}.json`;
    expect((await call('PUT', of('x'), siteBody('other', 'x', { code }))).status).toBe(201);
    expect((await call('POST', '/config/other/sites/x/secrets/cm-byog.json', { value: 'a-secret-of-its-own' })).status).toBe(200);
    foreign.requests.length = 0;
    const known = { authorization: `Bearer ${KEY}` };
    const pushed = await call('POST', '/code-sync/100/200/side?org=wknd', undefined, known);
    expect([pushed.status, (pushed.json() as { jobs: unknown[] }).jobs.length]).toEqual([202, 1]);
    await ended('first', 'side');
    expect(foreign.requests).toEqual([]);
    // A branch that only fits with the other organization's shorter site name.
    const long = 'b'.repeat(63 - '--x--other'.length);
    const unfit = await call('POST', `/code-sync/100/200/${long}?org=wknd`, undefined, known);
    expect(unfit.json()).toMatchObject({ jobs: [], ignored: expect.stringContaining(`${long}--first--wknd`) as string });
    expect((await call('POST', '/code/other/x/main/*')).status).toBe(202);
    await ended('other/x', 'main');
    foreign.branches.set('side', new Map([['a.txt', 'a']]));
    expect((await call('POST', '/code/other/x/side/*')).status).toBe(202);
    await ended('other/x', 'side');
    expect((await call('DELETE', '/code-sync/100/200/side?org=wknd', undefined, known)).status).toBe(200);
    expect((await call('GET', '/code/other/x/*')).json()).toMatchObject({ branches: ['main', 'side'] });
    const unknown = await call('POST', '/code-sync/100/200/main?org=nobody', undefined, known);
    expect([unknown.status, unknown.headers['x-error-code']]).toEqual([404, 'REPOSITORY_UNKNOWN']);
    // The previous version of build management does not name the repository's owner.
    const before = await call('POST', '/code-sync/100/200/main', undefined, known);
    expect((before.json() as { jobs: unknown[] }).jobs.length).toBe(2);
    await ended('first');
    await ended('other/x', 'main');
    expect((await call('DELETE', of('x'))).status).toBe(204);
    await foreign.stop();
  });

  it.each([
    { fault: { path: '.hlxignore', status: 404 }, error: undefined },
    { fault: { path: '.hlxignore', status: 403 }, error: 'Unable to fetch hlxignore: 403' },
    { fault: { path: '/branches/', status: 429, headers: { 'retry-after': '0' } }, error: undefined },
    { fault: { path: '/trees/', status: 503 }, error: undefined },
  ])('is synced with error $error if $fault.path is answered with $fault.status', async ({ fault, error }) => {
    // The probe of the branch, before the job starts, gets the first.
    byogit.faults.push(...(fault.path === '/branches/' ? [fault, fault] : [fault]));
    expect((await synced('first')).error).toBe(error);
  });

  it('is not synced for a branch that it lacks', async () => {
    const refused = await call('POST', '/code/wknd/first/nowhere/*');
    expect([refused.status, refused.headers['x-error']]).toEqual([404, 'The external repository 100/200 has no branch "nowhere".']);
    expect((await call('POST', '/code-sync/100/200/nowhere', undefined, { authorization: `Bearer ${KEY}` })).status).toBe(202);
    expect((await ended('first', 'nowhere')).error).toBe('branch not found');
  });

  it('still serves its previous code after repeated failures', async () => {
    byogit.faults.push(...Array.from({ length: 5 }, () => ({ path: '.hlxignore', status: 500 })));
    expect((await synced('first')).error).toBe('Unable to fetch hlxignore: 500');
    byogit.truncated = true;
    expect((await synced('first')).error).toContain('truncated');
    byogit.truncated = false;
    expect((await visit('second', '/pushed.txt')).text).toBe('pushed');
  });

  it('is synced with a new secret after the old one is revoked', async () => {
    byogit.secret = NEXT_SECRET;
    expect((await synced('second')).error).toBe('Unable to fetch hlxignore: 401');
    expect((await call('POST', config('first', '/secrets/cm-byog'), { value: NEXT_SECRET })).status).toBe(200);
    expect((await synced('second')).error).toBeUndefined();
  });

  it('has secrets that are listed without values, shown once if generated, and removable', async () => {
    const created = await call('POST', config('first', '/secrets'));
    const { id, value } = created.json() as { id: string; value: string };
    expect([created.status, typeof value]).toEqual([201, 'string']);
    const listed = await call('GET', config('first', '/secrets'));
    expect(Object.keys(listed.json() as object).toSorted()).toEqual(['cm-byog', id].toSorted());
    expect(listed.text).not.toContain(value);
    expect((await call('GET', config('first', '/secrets/cm-byog'))).text).not.toContain('sealed');
    expect((await call('DELETE', config('first', `/secrets/${id}`))).status).toBe(204);
    expect((await call('GET', config('first', `/secrets/${id}`))).headers['x-error-code']).toBe('SECRET_NOT_FOUND');
    const bad = await call('POST', config('first', '/secrets/cm-byog'), { value: `${NEXT_SECRET} `, more: 1 });
    expect(bad.status).toBe(400);
    for (const path of ['/versions', '']) await call('GET', config('first', path));
    for (const site of ['second', 'third', 'first']) expect((await call('DELETE', config(site))).status).toBe(204);
    expect(await backend.store.reads.keySecrets()).toEqual([]);
  });
});
