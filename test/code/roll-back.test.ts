import type { JobStatus } from '@repoless/contract/job.ts';
import { beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

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

it('names the commits that can be served, with author and message, and the commit of each job', async () => {
  const status = await world.status('one');
  expect(status).toMatchObject({ served: commits[1], data: { commit: { author: 'Ada Admin', message: 'Change' } } });
  expect(status.rolledBack).toBeUndefined();
  expect(status.commits?.slice(0, 2)).toMatchObject(
    [commits[1], commits[0]].map((sha) => ({ sha, author: 'Ada Admin', message: 'Change' })),
  );
});

it('rolls all sites of the repository back in one call, and forward again, whatever is pushed in between', async () => {
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

it('rolls back while the code host is down, and keeps the commit that is served among those that are stored', async () => {
  expect((await serve(commits[0])).status).toBe(200);
  for (const text of ['5', '6', '7', '8', '9', '10', '11']) await pushed(text);
  const status = await world.status('one');
  expect([status.commits?.length, status.commits?.at(-1)?.sha]).toEqual([7, commits[0]]);
  await serve(null);
  await world.codeHost.stop();
  expect((await serve(commits[5])).status).toBe(200);
  expect(await shown()).toEqual(['6', '6']);
});

it('refuses a commit that is not stored, a precondition that changed, and those who may not decide for others', async () => {
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

it('leaves an entry for each in the audit trail', async () => {
  const { entries } = (await world.backend.call('GET', '/config/wknd/log.json?limit=100', { as: OPERATOR })).json() as {
    entries: { action: string }[];
  };
  const actions = entries.map(({ action }) => action).filter((action) => /^(?:serve|follow)-/.test(action));
  expect(actions).toContain(`serve-commit/main/${commits[0]}`);
  expect(actions).toContain('follow-branch/main');
});
