import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { externalCode, startCodeWorld, type CodeWorld } from '../support/code-world.ts';
import { operate } from '../support/operate.ts';
import { startPostgres } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { AuditVerification } from '@repoless/contract/audit.ts';

const as = OPERATOR;
/** Less than the minute after which a request times out. */
const WITHIN = { timeout: 30_000 };

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
    await expect.poll(() => waiting, WITHIN).toBe(1);
    const listed = await operate(['jobs', 'list'], settings);
    expect(listed).toMatchObject({ status: 0, err: '' });
    expect(listed.out).toMatch(
      new RegExp(
        `^${name} running byogit:1/2 of wknd main, \\d+ seconds old, started 1 time, leased by \\S+/${process.pid} until 20\\S+Z\nOpen jobs: 1\\.\nDatabase: .*\n$`,
      ),
    );

    expect(await operate(['jobs', 'end', name], settings)).toMatchObject({
      status: 0,
      out: expect.stringContaining(`${name} was stopped.`),
    });
    // The node ends its work, and does not overwrite the state.
    await expect.poll(() => waiting, WITHIN).toBe(0);
    const job = await backend.call('GET', `/job/wknd/slow/main/code/${name}`, { as });
    expect(job.json()).toMatchObject({ state: 'stopped', cancelled: true });
    expect(await operate(['jobs', 'list'], settings)).toMatchObject({ out: expect.stringMatching(/^Open jobs: 0\.\n/) });
    expect(await operate(['jobs', 'end', name], settings)).toMatchObject({ status: 2, err: `The job ${name} is already stopped.\n` });

    // The branch is free for another sync.
    expect(await startSync()).not.toBe(name);
    await expect.poll(() => waiting, WITHIN).toBe(1);
  });
});

it.each([
  [['list', 'all'], 'Choose one: jobs list, jobs end <job>.'],
  [['end'], 'Choose one: jobs list, jobs end <job>.'],
  [['end', 'job-of-nobody'], 'The job "job-of-nobody" does not exist.'],
])('reports what is wrong with "jobs %j"', async (args, sentence) => {
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
  const { status, json, text } = (await world?.start('slow')) ?? expect.unreachable('The world is not started.');
  expect(status, text).toBe(202);
  return (json() as { job: { name: string } }).job.name;
}
describe('Authoring hosts', () => {
  const HOST = 'author-p100-e200.example.com';
  const ROOT = `${HOST}/content/root`;

  let folder: Awaited<ReturnType<typeof temporaryDirectory>> | undefined;
  let running: TestBackend | undefined;
  afterEach(async () => {
    await running?.stop();
    await folder?.remove();
  });

  describe.each(['SQLite', 'PostgreSQL'])('authoring hosts of a service that runs on %s', (engine) => {
    it('can be assigned, which releases other organizations’ roots, and released again', { timeout: 120_000 }, async () => {
      const { backend, run } = await start(engine === 'SQLite' ? undefined : await cluster.database());
      const put = (org: string, more: object = {}) =>
        backend.call('PUT', `/config/${org}/sites/root.json`, { as, body: siteBody(org, 'root', { public: publicPart('root'), ...more }) });
      expect((await put('acme')).status).toBe(201);
      expect(await run('authoring-hosts', 'list')).toBe('Assigned authoring hosts: 0.\n');
      expect(await run('content-roots', 'list', HOST)).toBe(
        `${ROOT} acme/root\nThe authoring host ${HOST} is not assigned. Content roots in use on it: 1.\n`,
      );

      expect(await run('authoring-hosts', 'assign', `https://${HOST.toUpperCase()}.:443/`, 'wknd')).toBe(
        `${ROOT}: released from acme/root, which is served as before.\nThe authoring host ${HOST} belongs to wknd. Content roots released from other organizations: 1.\n`,
      );
      expect(await run('authoring-hosts', 'list')).toBe(`${HOST} wknd\nAssigned authoring hosts: 1.\n`);
      expect(await run('content-roots', 'list', HOST)).toContain(`belongs to wknd. Content roots in use on it: 0.`);

      // The service applies it at once.
      const refused = await put('acme', { title: 'Changed' });
      expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'CONTENT_ROOT_TAKEN']);
      expect(refused.text).not.toContain('wknd');
      expect((await put('wknd')).status).toBe(201);
      const verified = await backend.call('GET', '/config/acme/log/verification.json', { as });
      // Claimed, put, released: the last entry is stored when the command has ended.
      expect(AuditVerification.parse(verified.json())).toMatchObject({ intact: true, verified: { to: 3 } });

      expect(await run('content-roots', 'release', `${HOST}:443//content/%72oot/`)).toBe(
        `${ROOT}: released from wknd/root, which is served as before.\n`,
      );
      expect(await run('authoring-hosts', 'release', HOST)).toBe(
        `The authoring host ${HOST} no longer belongs to wknd. The content roots on it stay with the sites that have them.\n`,
      );
      expect((await put('acme', { title: 'Changed' })).status).toBe(200);
      expect(await run('content-roots', 'list', HOST)).toContain(`${ROOT} acme/root\n`);
    });

    it('and content roots are unchanged if a command names nothing that exists', { timeout: 120_000 }, async () => {
      const { operated } = await start(engine === 'SQLite' ? undefined : await cluster.database());
      const refusalOf = async (...args: string[]) => {
        const { status, err } = await operated(args);
        return [status, err];
      };
      expect(await refusalOf('authoring-hosts', 'assign', HOST, 'nobody')).toEqual([2, 'The organization "nobody" does not exist.\n']);
      expect(await refusalOf('authoring-hosts', 'release', HOST)).toEqual([
        2,
        expect.stringContaining(`The authoring host ${HOST} is not assigned.`),
      ]);
      expect(await refusalOf('content-roots', 'release', ROOT)).toEqual([
        2,
        expect.stringContaining(`No site uses the content root ${ROOT}.`),
      ]);
      expect(await operated(['authoring-hosts', 'list'])).toMatchObject({
        status: 0,
        out: expect.stringMatching(/^Assigned authoring hosts: 0\.\n/),
      });
    });
  });

  it.each([
    [['authoring-hosts'], 'Choose one: authoring-hosts list,'],
    [['authoring-hosts', 'list', HOST], 'Choose one: authoring-hosts list,'],
    [['authoring-hosts', 'assign', HOST], 'Choose one: authoring-hosts list,'],
    [['authoring-hosts', 'assign', `${HOST}/content`, 'wknd'], `"${HOST}/content" is not a host. Use a form like`],
    [['authoring-hosts', 'assign', 'two words', 'wknd'], '"two words" is not a host.'],
    [['authoring-hosts', 'assign', `ada@${HOST}`, 'wknd'], 'is not a host.'],
    [['authoring-hosts', 'release', 'ftp://x'], '"ftp://x" is not a host.'],
    [['authoring-hosts', 'release', '*.example.com'], '"*.example.com" is not a host.'],
    [['content-roots', 'list'], 'Choose one: content-roots list'],
    [['content-roots', 'list', ''], '"" is not a host.'],
    [['content-roots', 'release', HOST], `"${HOST}" is not a content root.`],
    [['content-roots', 'release', '/content/root'], '"" is not a host.'],
  ])('reports what is wrong with "%j"', async (args, sentence) => {
    folder = await temporaryDirectory();
    running = undefined;
    expect(await operate(args, { DATA_DIR: folder.path })).toMatchObject({ status: 2, out: '', err: expect.stringContaining(sentence) });
  });

  async function start(databaseUrl?: string) {
    folder = await temporaryDirectory();
    const { path: dataDir } = folder;
    const database = databaseUrl === undefined ? {} : { databaseUrl };
    const open = () => openStore({ dataDir, ...database });
    const backend = await startTestBackend({ settings: { DATA_DIR: dataDir }, open, orgs: ['wknd', 'acme'], dryRun: false });
    running = backend;
    const settings = { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
    const operated = (args: string[]) => operate(args, settings);
    const run = async (...args: string[]) => {
      const { status, out, err } = await operated(args);
      expect([status, err]).toEqual([0, '']);
      return out.replace(/Database: .*\n$/, '');
    };
    return { backend, operated, run };
  }
});
