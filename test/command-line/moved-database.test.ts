import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { buildCommandLine, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { operate } from '../support/operate.ts';
import { startPostgres } from '../support/postgres.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const folder = startBeforeAll(temporaryDirectory);
const cluster = startBeforeAll(startPostgres, 120_000);
beforeAll(buildCommandLine, 120_000);

it('a moved database is no longer used, unless an operator deliberately reverts', { timeout: 120_000 }, async () => {
  const dataDir = join(folder.path, 'moved');
  const file = join(dataDir, 'repoless.sqlite');
  await (await openStore({ dataDir })).close();
  const databaseUrl = await cluster.database();
  const settings = { DATA_DIR: dataDir };
  const target = databaseUrl.replace('postgres@', 'postgres:password@');
  const moved = await operate(['move-database', target], settings);
  expect(moved).toMatchObject({
    status: 0,
    err: '',
    out: expect.stringMatching(/[Mm]oved.* Set DATABASE_URL, and start the service\.\n$/),
  });

  const sentence = `The embedded database was moved to ${databaseUrl}. `;
  const how = 'Set DATABASE_URL to that. To use the file again, without the changes made there since, run move-database --back.';
  for (const command of [
    ['backup', join(folder.path, 'stale')],
    ['jobs', 'list'],
    ['restore-backup', file],
    ['move-database', databaseUrl],
  ]) {
    const { status, out, err } = await operate(command, settings);
    expect([status, out], command.join(' ')).toEqual([2, '']);
    expect(err).toContain(sentence);
    expect(err).toContain(how);
  }
  await expect(startChildBackend(dataDir)).rejects.toThrow(sentence);
  // The new database works as before.
  expect(await operate(['jobs', 'list'], { ...settings, DATABASE_URL: databaseUrl })).toMatchObject({ status: 0 });

  expect(await operate(['move-database', '--back'], settings)).toMatchObject({
    status: 0,
    err: '',
    out: `The service can use ${file} again. Changes written to ${databaseUrl} since the move are not in it.\n`,
  });
  const { child, ended } = await startChildBackend(dataDir);
  child.kill();
  await ended;
  expect(await operate(['move-database', '--back'], settings)).toMatchObject({ status: 2, err: `${file} was not moved.\n` });
});
