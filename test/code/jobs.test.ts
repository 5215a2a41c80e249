import type { JobStatus } from '@repoless/contract/job.ts';
import { beforeAll, expect, it, describe } from 'vitest';
import { OPERATOR, startTestBackend, type TestBackend } from '../support/backend.ts';
import { startCodeWorld, codeCalls, externalCode } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { startReceiver } from '../support/receiver.ts';

const commits: string[] = [];
const SITES = ['one', 'two'];

const world = startBeforeAll(() => startCodeWorld({ orgs: ['wknd', 'acme'] }));
beforeAll(async () => {
  for (const site of SITES) await world.register(site);
  for (const text of ['first', 'second']) await pushed(text);
});

async function pushed(text: string): Promise<JobStatus> {
  await world.clone.push({ 'version.txt': text });
  commits.push((await world.clone.git('rev-parse', 'HEAD')).trim());
  return await world.sync('one');
}

async function shown(): Promise<string[]> {
  return await Promise.all(SITES.map(async (site) => (await world.backend.visit('live', `main--${site}--wknd`, '/version.txt')).text));
}

function serve(sha: string | null | undefined, query = '') {
  return world.backend.call('PUT', `/served-code/wknd/two/main${query}`, { as: OPERATOR, body: { sha } });
}

it('lists the commits that can be served, with author and message, and names the commit of a job', async () => {
  const status = await world.status('one');
  expect(status).toMatchObject({ served: commits[1], data: { commit: { author: 'Ada Admin', message: 'Change' } } });
  expect(status.rolledBack).toBeUndefined();
  expect(status.commits?.slice(0, 2)).toMatchObject(
    [commits[1], commits[0]].map((sha) => ({ sha, author: 'Ada Admin', message: 'Change' })),
  );
});

it('rolls all sites of a repository back in one call, and forward again, whatever is pushed in between', async () => {
  expect((await serve(commits[0], '?dryRun=true')).json()).toMatchObject({ dryRun: true, result: { served: commits[0] } });
  expect(await shown()).toEqual(['second', 'second']);

  const back = await serve(commits[0]);
  expect([back.status, back.json()]).toEqual([200, { served: commits[0], follows: false }]);
  expect(await shown()).toEqual(['first', 'first']);
  expect((await world.status('one')).rolledBack).toMatchObject({ user: OPERATOR });

  const status = await pushed('third');
  expect([status.error, status.served, status.commits?.[0]?.sha]).toEqual([undefined, commits[0], commits[2]]);
  expect(await shown()).toEqual(['first', 'first']);

  expect((await serve(null)).status).toBe(200);
  expect(await shown()).toEqual(['third', 'third']);
  expect((await world.status('one')).rolledBack).toBeUndefined();
  expect((await pushed('fourth')).served).toBe(commits[3]);
  expect(await shown()).toEqual(['fourth', 'fourth']);
});

it('rolls back while the code host is down, and retains the served commit', async () => {
  expect((await serve(commits[0])).status).toBe(200);
  for (const text of ['5', '6', '7', '8', '9', '10', '11']) await pushed(text);
  const status = await world.status('one');
  expect([status.commits?.length, status.commits?.at(-1)?.sha]).toEqual([7, commits[0]]);
  await serve(null);
  await world.codeHost.stop();
  expect((await serve(commits[5])).status).toBe(200);
  expect(await shown()).toEqual(['6', '6']);
});

it('refuses a commit that is not stored, a stale precondition and a caller without a role', async () => {
  const unknown = await serve('0'.repeat(40));
  expect([unknown.status, unknown.headers['x-error-code']]).toEqual([404, 'COMMIT_NOT_KEPT']);
  const stale = await world.backend.call('PUT', '/served-code/wknd/two/main', {
    as: OPERATOR,
    body: { sha: null },
    headers: { 'if-match': '"other"' },
  });
  expect(stale.status).toBe(412);
  expect((await world.backend.call('PUT', '/served-code/wknd/two/main', { as: 'nobody@example.com', body: { sha: null } })).status).toBe(
    404,
  );
  expect(await shown()).toEqual(['6', '6']);
});

it('records a rollback and its end in the audit trail', async () => {
  const { entries } = (await world.backend.call('GET', '/config/wknd/log.json?limit=100', { as: OPERATOR })).json() as {
    entries: { action: string }[];
  };
  const actions = entries.map(({ action }) => action).filter((action) => /^(?:serve|follow)-/.test(action));
  expect(actions).toContain(`serve-commit/main/${commits[0]}`);
  expect(actions).toContain('follow-branch/main');
});
type Answer = 'drop' | 'page' | number;

async function jobOf(backend: TestBackend, site: string, code: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const { register, ended } = codeCalls(backend);
  await register(site, { code }, 'unchecked');
  return (await ended(site)).error;
}

describe('the error of a job names its own cause', () => {
  let answer: Answer = 'drop';
  let count = 0;
  const settings = () => ({ CODE_HOST: `http://${host()}`, FIRST_CODE_SYNC: 'yes', CODE_RETRY_DELAY: '1' });
  /** Gives every request the same answer, for the code host and external repositories. */
  const receiver = startBeforeAll(() =>
    startReceiver((request, response) => {
      if (answer === 'drop') request.socket.destroy();
      else if (answer === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
      else response.writeHead(answer, { 'retry-after': '0' }).end();
    }),
  );
  const host = () => `localhost:${receiver.port}`;
  const backend = startBeforeAll(() => startTestBackend({ settings: settings() }));

  it.each<readonly [Answer, RegExp, string]>([
    [401, /^HOST answered 401 for wknd\/REPO: it does not exist, or is private\./, 'Unable to fetch hlxignore: 401'],
    [403, /^HOST answered 403 for wknd\/REPO: it refuses to show the repository\./, 'Unable to fetch hlxignore: 403'],
    [404, /^HOST answered 404: the repository wknd\/REPO does not exist, or is private\./, 'branch not found'],
    [410, /^HOST answered 410 for wknd\/REPO\.$/, 'Unable to fetch hlxignore: 410'],
    [429, /^HOST answered 429: too many requests\.$/, 'Unable to fetch hlxignore: 429'],
    [500, /^HOST answered 500\.$/, 'Unable to fetch hlxignore: 500'],
    ['drop', /^HOST closed the connection without an answer\.$/, 'Unable to fetch hlxignore: HOST does not respond.'],
    ['page', /^HOST answers, but not as a git repository\./, 'Unable to fetch branch: the response has an unexpected form.'],
  ])('if the host answers %s', async (now, message, byogit) => {
    answer = now;
    count += 1;
    const error = await jobOf(backend, `git-${count}`, { owner: 'wknd', repo: `repo-${count}` });
    expect(error?.replaceAll(host(), 'HOST').replaceAll(`repo-${count}`, 'REPO')).toMatch(message);
    const site = `byogit-${count}`;
    const calls = codeCalls(backend);
    await calls.registerExternal(site, externalCode(`http://${host()}`, { owner: '100', repo: `repo-${count}`, secretId: 'cm-byog' }));
    const { error: other } = await calls.ended(site);
    expect(other?.replaceAll(host(), 'HOST')).toContain(byogit);
  });

  it('if the host name does not resolve, or nothing listens', async () => {
    const nowhere = await startTestBackend({ settings: { ...settings(), CODE_HOST: 'http://nowhere.invalid' } });
    expect(await jobOf(nowhere, 'site', { owner: 'wknd', repo: 'one' })).toBe('The host name nowhere.invalid cannot be resolved.');
    await nowhere.stop();
    const silent = await startTestBackend({ settings: { ...settings(), CODE_HOST: 'http://127.0.0.1:9' } });
    expect(await jobOf(silent, 'site', { owner: 'wknd', repo: 'one' })).toBe('127.0.0.1:9 does not respond.');
    await silent.stop();
  });
});
