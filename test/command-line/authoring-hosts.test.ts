import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AuditVerification } from '@repoless/contract/audit.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { operate } from '../support/operate.ts';
import { startPostgres } from '../support/postgres.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;
const HOST = 'author-p100-e200.example.com';
const ROOT = `${HOST}/content/root`;

let folder: Awaited<ReturnType<typeof temporaryDirectory>> | undefined;
let running: TestBackend | undefined;
const cluster = startBeforeAll(startPostgres);
beforeAll(buildCommandLine);
afterEach(async () => {
  await running?.stop();
  await folder?.remove();
});

describe.each(['SQLite', 'PostgreSQL'])('authoring hosts of a service that runs on %s', (engine) => {
  it('are assigned, which releases other organizations’ roots, and released', { timeout: 120_000 }, async () => {
    const { backend, run } = await start(engine === 'SQLite' ? undefined : await cluster.database());
    const put = (org: string, more: object = {}) =>
      backend.call('PUT', `/config/${org}/sites/root.json`, { as, body: siteBody(org, 'root', { public: publicPart('root'), ...more }) });
    expect((await put('acme')).status).toBe(201);
    expect(await run('authoring-hosts', 'list')).toBe('Assigned authoring hosts: 0.\n');
    expect(await run('content-roots', 'list', HOST)).toBe(
      `${ROOT} acme/root\nThe authoring host ${HOST} is not assigned. Content roots in use on it: 1.\n`,
    );

    expect(await run('authoring-hosts', 'assign', `https://${HOST.toUpperCase()}.:443/`, 'wknd')).toBe(
      `${ROOT}: released from acme/root, which is served as before.\nThe authoring host ${HOST} belongs to wknd. Content roots of others that were released: 1.\n`,
    );
    expect(await run('authoring-hosts', 'list')).toBe(`${HOST} wknd\nAssigned authoring hosts: 1.\n`);
    expect(await run('content-roots', 'list', HOST)).toContain(`belongs to wknd. Content roots in use on it: 0.`);

    // The service applies it at once.
    const refused = await put('acme', { title: 'Changed' });
    expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'CONTENT_ROOT_TAKEN']);
    expect(refused.text).not.toContain('wknd');
    expect((await put('wknd')).status).toBe(201);
    const verified = await backend.call('GET', '/config/acme/log/verification.json', { as });
    // Claimed, put, released: the last one is sealed when the command has ended.
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
    const said = async (...args: string[]) => {
      const { status, err } = await operated(args);
      return [status, err];
    };
    expect(await said('authoring-hosts', 'assign', HOST, 'nobody')).toEqual([2, 'The organization "nobody" does not exist.\n']);
    expect(await said('authoring-hosts', 'release', HOST)).toEqual([
      2,
      expect.stringContaining(`The authoring host ${HOST} is not assigned.`),
    ]);
    expect(await said('content-roots', 'release', ROOT)).toEqual([2, expect.stringContaining(`No site uses the content root ${ROOT}.`)]);
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
  [['authoring-hosts', 'assign', `${HOST}/content`, 'wknd'], `"${HOST}/content" is no host. Write it like`],
  [['authoring-hosts', 'assign', 'two words', 'wknd'], '"two words" is no host.'],
  [['authoring-hosts', 'assign', `ada@${HOST}`, 'wknd'], 'is no host.'],
  [['authoring-hosts', 'release', 'ftp://x'], '"ftp://x" is no host.'],
  [['authoring-hosts', 'release', '*.example.com'], '"*.example.com" is no host.'],
  [['content-roots', 'list'], 'Choose one: content-roots list'],
  [['content-roots', 'list', ''], '"" is no host.'],
  [['content-roots', 'release', HOST], `"${HOST}" is not a content root.`],
  [['content-roots', 'release', '/content/root'], '"" is no host.'],
])('says what is wrong with "%j"', async (args, sentence) => {
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
