import { mkdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { externalCode, reportPush, startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { JobStatus, JobDetails, PushOutcome, SyncStarted } from '@repoless/contract/job.ts';
import type { FaultMode } from '@repoless/sandbox/faults.ts';

const SECRET = 'the-secret-of-the-webhook';
const KEY = 'the-key-of-build-management';
/** Too long for the host name of any site here. */
const LONG = `feature/${'long-'.repeat(10)}name`;
const world = startBeforeAll(() =>
  startCodeWorld({ settings: { GITHUB_WEBHOOK_SECRET: SECRET, BUILD_MANAGEMENT_KEY: KEY, CODE_RETRY_DELAY: '1' } }),
);
beforeAll(async () => {
  await world.register('site-one');
  await world.register('elsewhere', { code: { owner: 'wknd', repo: 'nothing' } }, 'unchecked');
  await world.clone.push({ 'a.txt': 'a' }, 'Feature/One');
  await world.clone.push({ 'a.txt': 'b' }, LONG);
});

const start = (path: string, site = 'site-one') => world.backend.call('POST', `/code/wknd/${site}/${path}`, { as: OPERATOR });
const refusalOf = async (path: string, site?: string) => {
  const answer = await start(path, site);
  return [answer.status, answer.headers['x-error-code'], answer.headers['x-error']];
};

describe('a requested sync', () => {
  it('is refused for a missing branch, which the message names', async () => {
    expect(await refusalOf('nowhere/*')).toEqual([
      404,
      'BRANCH_NOT_FOUND',
      `The repository wknd/wknd has no branch "nowhere". Its branches: Feature/One, ${LONG}, main.`,
    ]);
    expect((await world.status('site-one', 'nowhere')).jobs).toEqual([]);
    expect((await refusalOf('nowhere/*?dryRun=true'))[1]).toBe('BRANCH_NOT_FOUND');
    expect((await refusalOf('feature-two/*?branch=Feature%2FTwo'))[2]).toContain('has no branch "Feature/Two"');
    expect((await start('feature-one/*')).status).toBe(202);
    expect((await world.ended('site-one', 'feature-one')).error).toBeUndefined();
  });

  it('is refused if the repository is missing', async () => {
    const [status, code, message] = await refusalOf('main/*', 'elsewhere');
    expect([status, code]).toEqual([404, 'BRANCH_NOT_FOUND']);
    expect(message).toMatch(/answered 404: the repository wknd\/nothing does not exist, or is private/);
  });

  it('is refused if the repository is empty', async () => {
    await world.register('empty', { code: { owner: 'wknd', repo: 'empty' } }, 'unchecked');
    await mkdir(`${world.codeHostDir}/repositories/wknd`, { recursive: true });
    await world.clone.git('init', '--quiet', '--bare', `${world.codeHostDir}/repositories/wknd/empty.git`);
    expect(await refusalOf('main/*', 'empty')).toEqual([
      404,
      'BRANCH_NOT_FOUND',
      'The repository wknd/empty is empty. Push a first commit to main.',
    ]);
  });

  it('is refused while the repository is unreachable, except for main and served branches', async () => {
    await world.fault('unavailable');
    const [status, code, message] = await refusalOf('another/*');
    expect([status, code]).toEqual([502, 'CODE_HOST_UNREACHABLE']);
    expect(message).toMatch(/answered 503\. It is unknown whether the branch "another" exists/);
    expect((await world.status('site-one', 'another')).jobs).toEqual([]);
    for (const ref of ['main', 'feature-one']) {
      expect((await start(`${ref}/*`)).status).toBe(202);
      expect((await world.ended('site-one', ref)).error).toMatch(/answered 503/);
    }
    await world.fault('none');
  });

  it('waits for a slow repository for at most 5 seconds', async () => {
    // Longer than the test may take, so that the timeout comes first.
    await world.fault('slow', { delay: 60_000 });
    const [status, , message] = await refusalOf('another/*');
    expect([status, message]).toEqual([502, expect.stringMatching(/did not respond within 5 seconds/)]);
    await world.fault('none');
  });

  it('is refused if the branch makes the host name of the requested site too long', async () => {
    const ref = LONG.replace('/', '-');
    const [status, code, message] = await refusalOf(`${ref}/*?branch=${encodeURIComponent(LONG)}`);
    expect([status, code]).toEqual([400, 'HOST_LABEL_TOO_LONG']);
    expect(message).toBe(
      `The host name label "${ref}--site-one--wknd" has ${ref.length + 16} characters; DNS allows 63. Shorten the name of the branch by ${ref.length + 16 - 63}.`,
    );
  });

  it.each([
    ['%20/*', 400, 'The branch " " cannot have a host name: its name has no letter from a to z and no digit.'],
    ['Main/*', 400, 'In addresses, the branch "Main" is written "main".'],
    ['feature%2Fone/*', 400, 'In addresses, the branch "feature/one" is written "feature-one".'],
    ['main/*?branch=a..b', 400, '"a..b" is not a valid name of a branch in git.'],
    ['main/*?branch=my%20branch', 400, '"my branch" is not a valid name of a branch in git.'],
    ['main/*?branch=other', 400, 'In addresses, the branch "other" is written "other". This address says "main".'],
    ['main/*?branch=%C3%A4', 400, 'In addresses, the branch "ä" is written "a". This address says "main".'],
    ['main/*?branch=%E6%97%A5', 400, 'The branch "日" cannot have a host name: its name has no letter from a to z and no digit.'],
  ])('is refused with a message about the branch name: %s', async (path, status, message) => {
    const answer = await start(path);
    expect([answer.status, (answer.json() as { detail: string }).detail]).toEqual([status, message]);
  });
});

describe('a push', () => {
  it('of a branch whose name is too long for the hosts of all sites is ignored with a message', async () => {
    const answer = await reportPush(world.backend, SECRET, { ref: `refs/heads/${LONG}` });
    expect(answer.json()).toEqual({ jobs: [], ignored: expect.stringMatching(/^No site on this repository .*DNS allows 63/) as string });
  });

  it('starts a sync if the branch fits the host name of at least one site', async () => {
    const byogit = await startByogit('none');
    await world.register('a-site-with-a-very-long-name', {
      code: externalCode(byogit.address, { owner: '100', repo: '200', secretId: 'cm-byog' }),
    });
    const push = async () =>
      (
        await world.backend.call('POST', `/code-sync/100/200/feature-of-a-long-name-of-38-letters?org=wknd`, {
          headers: { authorization: `Bearer ${KEY}` },
        })
      ).json();
    expect(await push()).toEqual({ jobs: [], ignored: expect.stringContaining('a-site-with-a-very-long-name') as string });
    await world.register('b', { code: externalCode(byogit.address, { owner: '100', repo: '200' }) });
    expect(await push()).toMatchObject({ jobs: [{ joined: false }] });
    await byogit.stop();
  });
});
describe('A branch whose name has accents', () => {
  const BRANCH = 'feature/Café-Menü';
  const REF = 'feature-cafe-menu';

  const world = startBeforeAll(startCodeWorld);
  beforeAll(async () => {
    await world.register('menu');
    await world.clone.push({ 'styles/menu.css': 'body { color: sienna }\n' }, BRANCH);
  });

  it('is synced under the name that the public service gives it, and served there', async () => {
    const { status, text } = await world.backend.call('POST', `/code/wknd/menu/${REF}/*?branch=${encodeURIComponent(BRANCH)}`, {
      as: OPERATOR,
    });
    expect(status, text).toBe(202);
    await world.ended('menu', REF);
    const file = await world.backend.visit('preview', `${REF}--menu--wknd`, '/styles/menu.css');
    expect([file.status, file.text]).toEqual([200, 'body { color: sienna }\n']);
  });

  it('is found by that name in later syncs', async () => {
    await world.clone.push({ 'styles/menu.css': 'body { color: tan }\n' }, BRANCH);
    expect((await world.sync('menu', REF)).state).toBe('stopped');
    expect((await world.backend.visit('preview', `${REF}--menu--wknd`, '/styles/menu.css')).text).toBe('body { color: tan }\n');
  });

  it('is refused under another name, with its correct one', async () => {
    const { status, text } = await world.backend.call('POST', `/code/wknd/menu/feature-caf-men/*?branch=${encodeURIComponent(BRANCH)}`, {
      as: OPERATOR,
    });
    expect([status, text]).toEqual([400, expect.stringContaining(`is written \\"${REF}\\"`)]);
  });
});

describe('Branches with the same host name', () => {
  const [ONE, OTHER, REF] = ['Feature/One', 'feature-One', 'feature-one'];

  const world = startBeforeAll(() => startCodeWorld({ settings: { GITHUB_WEBHOOK_SECRET: SECRET } }));
  beforeAll(async () => {
    await world.register('site-one');
    await world.clone.push({ 'branch.txt': ONE }, ONE);
    await world.clone.push({ 'branch.txt': OTHER }, OTHER);
  });

  const fault = (mode: FaultMode) => world.fault(mode, { delay: 600_000, path: '/wknd/wknd' });

  let pushes = 0;
  async function pushed(branch: string): Promise<PushOutcome['jobs'][number]> {
    const repository = { name: 'wknd', owner: { login: 'wknd' }, pushed_at: (pushes += 1) };
    const answer = await reportPush(world.backend, SECRET, { ref: `refs/heads/${branch}`, repository });
    const [job] = PushOutcome.parse(answer.json()).jobs;
    if (job === undefined) throw new Error(`The push started no sync: ${answer.text}`);
    return job;
  }

  async function details(job: string): Promise<JobDetails> {
    const answer = await world.backend.call('GET', `/job/wknd/site-one/${REF}/code/${job}/details`, { as: OPERATOR });
    return JobDetails.parse(answer.json());
  }

  it('replace each other: a push cancels the sync of the other branch, and the last pushed one is served', async () => {
    await fault('slow');
    const first = await pushed(ONE);
    expect(await pushed(ONE)).toEqual({ name: first.name, joined: true });
    const second = await pushed(OTHER);
    expect(second.joined).toBe(false);
    expect(second.name).not.toBe(first.name);
    expect(await pushed(OTHER)).toEqual({ name: second.name, joined: true });
    expect(await details(first.name)).toMatchObject({
      state: 'stopped',
      cancelled: true,
      error: `The branch "${OTHER}", which has the same host name, was pushed and is synchronized instead.`,
      data: { branch: ONE },
    });
    await fault('none');
    expect(await world.ended('site-one', REF)).toMatchObject({ name: second.name, data: { branch: OTHER } });
    const served = await world.backend.visit('preview', `${REF}--site-one--wknd`, '/branch.txt');
    expect(served.text).toBe(OTHER);
  });

  it('do not share a sync: a request for one is refused while the other is synced', async () => {
    const request = (branch: string, query = '') =>
      world.backend.call('POST', `/code/wknd/site-one/${REF}/*?branch=${branch}${query}`, { as: OPERATOR });
    await fault('slow');
    const first = await pushed(ONE);
    for (const query of ['', '&dryRun=true']) {
      const refused = await request(OTHER, query);
      expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'BRANCH_BUSY']);
      expect(refused.headers['x-error']).toBe(
        `The branch "${ONE}", which has the same host name as "${OTHER}", is being synchronized. Try again when that sync has ended.`,
      );
    }
    expect(await details(first.name)).not.toHaveProperty('stopTime');
    const joined = await request(ONE);
    expect(SyncStarted.parse(joined.json())).toMatchObject({ joined: true, job: { name: first.name } });
    await fault('none');
    const stopped = await world.backend.call('DELETE', `/job/wknd/site-one/${REF}/code/${first.name}`, { as: OPERATOR });
    expect(stopped.status).toBe(204);
    const listed = await world.backend.call('GET', `/job/wknd/site-one/${REF}/code`, { as: OPERATOR });
    expect(JobStatus.parse(listed.json()).jobs.find(({ name }) => name === first.name)).toMatchObject({
      state: 'stopped',
      cancelled: true,
    });
    const own = SyncStarted.parse((await request(OTHER)).json());
    expect(await world.ended('site-one', REF)).toMatchObject({ name: own.job.name, data: { branch: OTHER } });
  });
});
