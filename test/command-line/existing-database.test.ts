import { openSecretBox } from '@repoless/service/db/key-files.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { executeIn, operate } from '../support/operate.ts';
import { startPostgres } from '../support/postgres.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const COMMANDS: readonly (readonly string[])[] = [
  ['jobs', 'list'],
  ['authoring-hosts', 'list'],
  ['authoring-hosts', 'assign', 'author.example.com', 'wknd'],
  ['content-roots', 'list', 'author.example.com'],
  ['move-code', '--to', 'database'],
];

let keys: string;
const folder = startBeforeAll(temporaryDirectory);
const cluster = startBeforeAll(startPostgres, 120_000);
beforeAll(async () => {
  await buildCommandLine();
  keys = join(folder.path, 'secret-keys.json');
  await openSecretBox(keys);
  await mkdir(join(folder.path, 'code'));
}, 120_000);

describe.each(COMMANDS)('%s %s', (...args) => {
  const run = (settings: Record<string, string>) =>
    operate(args, { SECRET_KEY_FILE: keys, CODE_DIR: join(folder.path, 'code'), ...settings });

  it('creates no database if there is none, and names the path', async () => {
    const dataDir = join(folder.path, 'nowhere');
    const file = join(dataDir, 'repoless.sqlite');
    expect(await run({ DATA_DIR: dataDir })).toEqual({
      status: 2,
      out: '',
      err: `The database ${file} does not exist. Set DATA_DIR, or DATABASE_URL, to the value that the service uses.\n`,
    });
    expect(existsSync(dataDir)).toBe(false);
    const databaseUrl = await cluster.database();
    const { status, out, err } = await run({ DATABASE_URL: databaseUrl.replace('postgres@', 'postgres:password@') });
    expect([status, out, err]).toEqual([
      2,
      '',
      expect.stringMatching(/^postgres:\/\/postgres@localhost\/.* is not the database of the service/),
    ]);
    await executeIn({ dataDir: '', databaseUrl }, 'create table orgs (org text)');
  });
});

it('names the database that a command used, without its password', async () => {
  const dataDir = join(folder.path, 'used');
  await (await openStore({ dataDir })).close();
  expect(await operate(['jobs', 'list'], { DATA_DIR: dataDir })).toEqual({
    status: 0,
    out: `Open jobs: 0.\nDatabase: ${join(dataDir, 'repoless.sqlite')}\n`,
    err: '',
  });
  const databaseUrl = await cluster.database();
  await (await openStore({ dataDir: '', databaseUrl })).close();
  const { out } = await operate(['jobs', 'list'], { DATABASE_URL: databaseUrl.replace('postgres@', 'postgres:password@') });
  expect(out).toMatch(/^Open jobs: 0\.\nDatabase: postgres:\/\/postgres@localhost\/t\d+\?host=\S+\n$/);
});

describe('move-code', () => {
  it('refuses missing code', async () => {
    const dataDir = join(folder.path, 'no-code');
    const code = join(dataDir, 'code');
    await (await openStore({ dataDir })).close();
    const move = () => operate(['move-code', '--to', 'database'], { DATA_DIR: dataDir });
    expect(await move()).toMatchObject({
      status: 2,
      out: '',
      err: `The folder ${code} does not exist. Set DATA_DIR, or CODE_DIR, to the value that the service uses.\n`,
    });
    expect(existsSync(code)).toBe(false);
    await mkdir(code);
    expect(await move()).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringContaining(`There are no files in the folder ${code}. Nothing was moved.`),
    });
  });
});

describe('backup', () => {
  it('refuses a database other than the service’s', async () => {
    const copy = join(folder.path, 'copy');
    const dataDir = join(folder.path, 'other');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'repoless.sqlite'), '');
    for (const settings of [{ DATA_DIR: dataDir }, { DATABASE_URL: await cluster.database() }]) {
      const sentence = expect.stringContaining(' is not the database of the service');
      expect(await operate(['backup', copy], settings)).toMatchObject({ status: 2, out: '', err: sentence });
    }
    expect(existsSync(copy)).toBe(false);
  });
});
