import { beforeAll, expect, it } from 'vitest';
import { JobStatus, JobDetails, PushOutcome, SyncStarted } from '@repoless/contract/job.ts';
import type { FaultMode } from '@repoless/sandbox/faults.ts';
import { OPERATOR } from '../support/backend.ts';
import { reportPush, startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SECRET = 'the-secret-of-the-webhook';
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
  if (job === undefined) throw new Error(`The push began no sync: ${answer.text}`);
  return job;
}

async function details(job: string): Promise<JobDetails> {
  const answer = await world.backend.call('GET', `/job/wknd/site-one/${REF}/code/${job}/details`, { as: OPERATOR });
  return JobDetails.parse(answer.json());
}

it('A push is not answered by the sync of another branch that has the same host name: the last one that was pushed is served', async () => {
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

it('Who asks for a branch by its name is not answered by the sync of another one that has the same host name', async () => {
  const asked = (branch: string, query = '') =>
    world.backend.call('POST', `/code/wknd/site-one/${REF}/*?branch=${branch}${query}`, { as: OPERATOR });
  await fault('slow');
  const first = await pushed(ONE);
  for (const query of ['', '&dryRun=true']) {
    const refused = await asked(OTHER, query);
    expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'BRANCH_BUSY']);
    expect(refused.headers['x-error']).toBe(
      `The branch "${ONE}", which has the same host name as "${OTHER}", is synchronized just now. Try again when that has ended.`,
    );
  }
  expect(await details(first.name)).not.toHaveProperty('stopTime');
  const joined = await asked(ONE);
  expect(SyncStarted.parse(joined.json())).toMatchObject({ joined: true, job: { name: first.name } });
  await fault('none');
  const stopped = await world.backend.call('DELETE', `/job/wknd/site-one/${REF}/code/${first.name}`, { as: OPERATOR });
  expect(stopped.status).toBe(204);
  const listed = await world.backend.call('GET', `/job/wknd/site-one/${REF}/code`, { as: OPERATOR });
  expect(JobStatus.parse(listed.json()).jobs.find(({ name }) => name === first.name)).toMatchObject({ state: 'stopped', cancelled: true });
  const own = SyncStarted.parse((await asked(OTHER)).json());
  expect(await world.ended('site-one', REF)).toMatchObject({ name: own.job.name, data: { branch: OTHER } });
});
