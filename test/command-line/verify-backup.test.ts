import { openStore } from '@repoless/service/db/open-store.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { postgresEngine } from '../support/each-store.ts';
import { openFolder } from './command.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;
const ROOT = new URL('../..', import.meta.url).pathname;
const INTACT = /^Organizations 1, sites 2, profiles 1, versions \d+, API keys 1, secrets 1, audit entries \d+: everything is intact\.\n$/;

beforeAll(buildCommandLine);

describe('repoless verify-backup', () => {
  let copy: string;

  const folder = startBeforeAll(temporaryDirectory);
  beforeAll(async () => {
    copy = join(folder.path, 'copy.sqlite');
    const backend = await startTestBackend({ open: () => openStore({ dataDir: folder.path }) });
    await fill(backend);
    await backend.stop();
    const db = new Database(join(folder.path, 'repoless.sqlite'), { readonly: true });
    db.prepare('vacuum into ?').run(copy);
    db.close();
  });

  it('reports the contents of a complete copy', async () => {
    expect(await verify(copy)).toEqual({ status: 0, out: expect.stringMatching(INTACT), err: '' });
  });

  it.each([
    ['a document', `update sites set config = replace(config, 'One', 'Two') where site = 'one'`, /data of site "wknd\/one"/],
    ['what a site is over its profile', `update sites set aggregate = replace(aggregate, 'Base', 'Bass')`, /aggregate of site "wknd\/two"/],
    ['the public part', `update sites set public_json = '{}', public_etag = '"e"' where site = 'one'`, /config\.json of site "wknd\/one"/],
    ['the newest version', `delete from versions where item = 'one' and version = 2`, /newest version of site "wknd\/one"/],
    ['a profile', 'delete from profiles', /extends the profile "base", which does not exist/],
    [
      'the site of a secret',
      `delete from sites where site = 'one'`,
      /Secret "[^"]+" belongs to the site "wknd\/one", which does not exist/,
    ],
    ['the organization', 'delete from orgs', /belongs to the organization "wknd", which does not exist/],
    ['the audit trail', 'delete from audit where seq = 3', /audit trail of "wknd" was altered\. Entry 3 is missing/],
    ['robots.txt', `update sites set robots = 'Disallow: /' where site = 'one'`, /robots\.txt of site "wknd\/one"/],
    ['a table', 'drop table secrets', /table "secrets" cannot be read/],
  ])('reports damage: %s', async (_what, sql, sentence) => {
    const damaged = join(folder.path, 'damaged.sqlite');
    await copyFile(copy, damaged);
    const db = new Database(damaged);
    db.exec(sql);
    db.close();
    const { status, out, err } = await verify(damaged);
    expect([status, out]).toEqual([1, expect.stringMatching(/: \d+ faults?\.\n$/)]);
    expect(err).toMatch(sentence);
  });

  it('refuses files that it cannot read', async () => {
    const none = join(folder.path, 'none.sqlite');
    expect(await verify(none)).toEqual({ status: 2, out: '', err: `The file ${none} does not exist.\n` });
    const text = join(folder.path, 'text.sqlite');
    await writeFile(text, 'This is a text of more than a hundred characters, and no database at all. '.repeat(20));
    expect(await verify(text)).toMatchObject({ status: 2, err: expect.stringContaining('not a database of the service') });
    expect(await verify()).toMatchObject({ status: 2, err: expect.stringContaining('Specify one copy') });
  });
});

describe('repoless verify-backup of PostgreSQL', () => {
  const engine = postgresEngine();

  it('verifies the database into which a dump was restored', async () => {
    const { options, open } = await engine.newDatabase();
    const backend = await startTestBackend({ open });
    await fill(backend);
    expect(await verify(options.databaseUrl ?? '')).toEqual({ status: 0, out: expect.stringMatching(INTACT), err: '' });
    await backend.stop();
  });
});

describe('repoless verify-log', () => {
  it('reports whether the audit trail of an organization is unaltered', async () => {
    const folder = await temporaryDirectory();
    const commands = await openFolder();
    const backend = await startTestBackend({ open: () => openStore({ dataDir: folder.path }) });
    await fill(backend);
    const env = { REPOLESS_TOKEN: await backend.token(as), REPOLESS_SERVICE: backend.address };
    const whole = await commands.repoless(['verify-log', '--organization', 'wknd'], { env });
    expect([whole.code, whole.out]).toEqual([
      0,
      expect.stringMatching(/^All \d+ entries of the audit trail of wknd .* entry is [0-9a-f]{64}\. .*\n$/),
    ]);
    const db = new Database(join(folder.path, 'repoless.sqlite'));
    db.exec(`update audit set changed_by = 'eve@example.com' where seq = 2`);
    db.close();
    const broken = await commands.repoless(['verify-log', '--organization', 'wknd', '--json'], { env });
    expect([broken.code, broken.json()]).toMatchObject([3, { intact: false, broken: { entry: 2, problem: 'altered' } }]);
    await backend.stop();
    await commands.remove();
    await folder.remove();
  });
});

async function fill(backend: TestBackend): Promise<void> {
  const done = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await backend.call(method, `/config/wknd/${path}`, { as, body });
    expect(status, text).toBeLessThan(300);
  };
  await done('PUT', 'profiles/base.json', { description: 'Base' });
  await done('PUT', 'sites/one.json', siteBody('wknd', 'one', { title: 'One', public: publicPart('one') }));
  await done('PUT', 'sites/one.json', siteBody('wknd', 'one', { title: 'One again', public: publicPart('one') }));
  await done('PUT', 'sites/two.json', siteBody('wknd', 'two', { extends: { profile: 'base' } }));
  await done('PUT', 'sites/gone.json', siteBody('wknd', 'gone'));
  await done('DELETE', 'sites/gone.json');
  await done('POST', 'sites/one/secrets.json');
  await done('POST', 'sites/two/apiKeys.json', { roles: ['author'] });
}

/** The command line as it is installed. */
function verify(...messages: readonly string[]): Promise<{ status: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const program = join(ROOT, 'command-line/dist/main.js');
    execFile(process.execPath, [program, 'verify-backup', ...messages], (error, out, err) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}
