import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR } from '../../support/backend.ts';
import { startCodeWorld } from '../../support/code-world.ts';
import { startBeforeAll } from '../../support/start-before-all.ts';
import { browserClient } from './public-client.ts';
import type { PublicClient } from './public-client.ts';

interface Job {
  readonly state: string;
  readonly topic: string;
  readonly name: string;
  readonly progress: { total: number; processed: number; failed: number };
  readonly data?: { phase: string; resources?: unknown[] };
}
let page: PublicClient;

const world = startBeforeAll(() => startCodeWorld(), 60_000);
beforeAll(async () => {
  page = browserClient(world.backend, EXTENSION_ORIGIN, { 'x-auth-token': await world.backend.token(OPERATOR) });
  await world.register('coded');
}, 60_000);

/** As these clients do: asks again and again until the state is one that it does not leave. */
async function poll(address: string): Promise<Job> {
  for (;;) {
    const answer = await page.call('GET', address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.error}`);
    const job = answer.json() as Job;
    if (job.state === 'stopped') return job;
    await pause(50);
  }
}

describe('a client that has code synchronised', () => {
  it.each([
    '/code/wknd/coded/main/*',
    '/code/wknd/coded/main/scripts/scripts.js',
    '/code/wknd/coded/main',
    '/wknd/sites/coded/code/main/*',
    '/wknd/repos/coded/code/main/*',
  ])('begins it by POST %s without a body, and follows the job to its end', async (path) => {
    const begun = await page.call('POST', path);
    expect([begun.status, begun.ok]).toEqual([202, true]);
    const { job, links } = begun.json() as { job: Job; links: { self: string; list: string } };
    expect([job.topic, job.name]).toEqual(['code', expect.stringMatching(/^job-/)]);
    expect((await poll(links.self)).name).toBe(job.name);
    const details = await poll(`/job/wknd/coded/main/code/${job.name}/details`);
    expect(details).toMatchObject({ state: 'stopped', progress: { failed: 0 }, data: { phase: 'completed' } });
    expect(details.progress.processed).toBe(details.progress.total);
  });

  it('finds the files and the other jobs of a job where its links lead', async () => {
    const { name } = await poll('/job/wknd/coded/main/code');
    const { links } = Object((await page.call('GET', `/job/wknd/coded/main/code/${name}`)).json());
    const details = Object((await page.call('GET', links.details)).json());
    expect([details.name, details.data.changes]).toEqual([name, expect.any(Array)]);
    expect(details.links).toEqual({ self: links.details, job: links.self, list: links.list });
    const list = Object((await page.call('GET', links.list)).json());
    expect(list.jobs.map((job: { name: string }) => job.name)).toContain(name);
    const report = Object((await page.call('GET', `/wknd/sites/coded/jobs/code/${name}/report`)).json());
    expect(report).toEqual(details);
  });

  it('lists the jobs, and finds each where it is said to be', async () => {
    const { jobs, links } = Object((await page.call('GET', '/job/wknd/coded/main/code')).json());
    expect(jobs.length).toBeGreaterThan(0);
    expect(links).toEqual({ self: expect.any(String) });
    for (const { name, href, state } of jobs) expect([name, state, (await poll(href)).name]).toEqual([name, 'stopped', name]);
  });

  it('removes a job that has ended without harm, and takes 404 for one that never was', async () => {
    const { name } = Object((await page.call('GET', '/job/wknd/coded/main/code')).json());
    expect((await page.call('DELETE', `/job/wknd/coded/main/code/${name}`)).status).toBe(204);
    expect((await page.call('GET', '/job/wknd/coded/main/code/job-2020-01-01-00-00-00-00000000')).status).toBe(404);
  });

  it('asks for a file until it is there, and takes 404 for not yet', async () => {
    await world.register('waiting');
    expect((await page.call('GET', '/code/wknd/waiting/stage/scripts/scripts.js')).status).toBe(404);
    const found = await page.call('GET', '/code/wknd/coded/main/scripts/scripts.js');
    expect([found.status, found.json()]).toEqual([200, expect.objectContaining({ webPath: '/scripts/scripts.js' })]);
    expect((await page.call('GET', '/code/wknd/coded/main/scripts/missing.js')).status).toBe(404);
    expect((await page.call('GET', '/code/wknd/nowhere/main/scripts/scripts.js')).status).toBe(404);
    const nobody = await browserClient(world.backend, EXTENSION_ORIGIN, {}).call('GET', '/code/wknd/coded/main/scripts/scripts.js');
    expect(nobody.status).toBe(401);
  });

  it('is told which repository and branches a site has', async () => {
    expect((await page.call('GET', '/code/wknd/coded/*')).json()).toEqual({ owner: 'wknd', repo: 'wknd', branches: ['main'] });
  });

  it('is refused a branch that no address can name', async () => {
    const refused = await page.call('POST', '/code/wknd/coded/~');
    expect([refused.status, refused.error]).toEqual([400, expect.stringMatching(/branch/i)]);
  });

  it.each(['/wknd/sites/coded/code/*', '/wknd/repos/coded/code/*', '/code/wknd/coded/*'])('has all of the code with %s', async (path) => {
    const begun = await page.call('POST', path);
    expect([begun.status, begun.error]).toEqual([202, '']);
    expect(begun.json()).toMatchObject({ links: { list: expect.stringMatching(/\/job\/wknd\/coded\/main\/code$/) } });
  });
});
