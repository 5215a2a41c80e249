import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { OPERATOR } from '../support/backend.ts';
import { buildCommandLine } from '../support/child-backend.ts';
import { externalCode, startCodeWorld, type CodeWorld } from '../support/code-world.ts';
import { operate } from '../support/operate.ts';
import { startPostgres } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;
/** Less than the minute after which a request times out. */
const PATIENT = { timeout: 30_000 };

let world: CodeWorld | undefined;
/** Pending requests at the repository, which never answers. */
let waiting = 0;
const cluster = startBeforeAll(startPostgres);
const silent = startBeforeAll(() =>
  startReceiver((_request, response) => {
    waiting += 1;
    response.once('close', () => {
      waiting -= 1;
    });
  }),
);
beforeAll(buildCommandLine);
afterEach(async () => {
  await world?.stop();
});

describe.each(['SQLite', 'PostgreSQL'])('the jobs of a service that runs on %s', (engine) => {
  it('are listed, and one whose repository never answers is ended', { timeout: 120_000 }, async () => {
    const { backend, settings } = await start(engine === 'SQLite' ? undefined : await cluster.database());
    expect(await operate(['jobs', 'list'], settings)).toEqual({
      status: 0,
      err: '',
      out: expect.stringMatching(/^Open jobs: 0\.\nDatabase: .*\n$/),
    });
    const name = await startSync();
    await expect.poll(() => waiting, PATIENT).toBe(1);
    const listed = await operate(['jobs', 'list'], settings);
    expect(listed).toMatchObject({ status: 0, err: '' });
    expect(listed.out).toMatch(
      new RegExp(
        `^${name} running byogit:1/2 of wknd main, \\d+ seconds old, begun 1 time, worked on by \\S+/${process.pid} until 20\\S+Z\nOpen jobs: 1\\.\nDatabase: .*\n$`,
      ),
    );

    expect(await operate(['jobs', 'end', name], settings)).toMatchObject({
      status: 0,
      out: expect.stringContaining(`${name} was stopped.`),
    });
    // The node ends its work, and does not overwrite the state.
    await expect.poll(() => waiting, PATIENT).toBe(0);
    const job = await backend.call('GET', `/job/wknd/slow/main/code/${name}`, { as });
    expect(job.json()).toMatchObject({ state: 'stopped', cancelled: true });
    expect(await operate(['jobs', 'list'], settings)).toMatchObject({ out: expect.stringMatching(/^Open jobs: 0\.\n/) });
    expect(await operate(['jobs', 'end', name], settings)).toMatchObject({ status: 2, err: `The job ${name} is already stopped.\n` });

    // The branch is free for another sync.
    expect(await startSync()).not.toBe(name);
    await expect.poll(() => waiting, PATIENT).toBe(1);
  });
});

it.each([
  [['list', 'all'], 'Choose one: jobs list, jobs end <job>.'],
  [['end'], 'Choose one: jobs list, jobs end <job>.'],
  [['end', 'job-of-nobody'], 'The job "job-of-nobody" does not exist.'],
])('says what is wrong with "jobs %j"', async (args, sentence) => {
  const { settings } = await start();
  expect(await operate(['jobs', ...args], settings)).toMatchObject({ status: 2, out: '', err: expect.stringContaining(sentence) });
});

async function start(databaseUrl?: string) {
  world = await startCodeWorld({
    settings: { CODE_RETRY_DELAY: '5' },
    ...(databaseUrl !== undefined && { open: (dataDir: string) => openStore({ dataDir, databaseUrl }) }),
  });
  const { backend } = world;
  await world.registerExternal('slow', externalCode(silent.address));
  return { backend, settings: { DATA_DIR: backend.dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) } };
}

async function startSync(): Promise<string> {
  const { status, json, text } = (await world?.start('slow')) ?? expect.unreachable('The world is started.');
  expect(status, text).toBe(202);
  return (json() as { job: { name: string } }).job.name;
}
