import { openStore } from '@repoless/service/db/open-store.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { chmod, chown, copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../support/blob-places.ts';
import { buildCommandLine, sendSignal, temporaryDirectory } from '../support/child-backend.ts';
import { operate } from '../support/operate.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const PROGRAM = new URL('../../backend/dist/administration/main.js', import.meta.url).pathname;

let copy: string;
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  await buildCommandLine();
  copy = join(folder.path, 'copy');
  const dataDir = join(folder.path, 'copied');
  const store = await openStore({ dataDir });
  // Large enough to be stopped while it is copied.
  for (let part = 0; part < 40; part += 1) {
    const bytes = randomBytes(500_000);
    await store.blobs.write(sha256(bytes), bytes);
  }
  await store.close();
  expect(await operate(['backup', copy], { DATA_DIR: dataDir })).toMatchObject({ status: 0, err: '' });
}, 120_000);

describe.each(['there', 'not there'])('while a %s database is replaced', (before) => {
  it('a service that starts meanwhile loses no acknowledged write', async () => {
    const dataDir = join(folder.path, `raced, ${before}`);
    await mkdir(dataDir, { mode: 0o700 });
    if (before === 'there') await (await openStore({ dataDir })).close();
    const watching = watch(dataDir);
    const child = spawn(process.execPath, [PROGRAM, 'restore-backup', copy], {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const exit = once(child, 'close');
    await new Promise<void>((resolve) => {
      watching.on('change', (_, name) => {
        // The temporary file that will replace it.
        if (!/^repoless\.sqlite\.[0-9a-f-]{36}$/.test(String(name))) return;
        sendSignal(child.pid ?? 0, 'SIGSTOP');
        resolve();
      });
    });
    watching.close();
    const store = await openStore({ dataDir }).catch(() => undefined);
    await store?.shortLived.put('revoked-token', 'id', true, new Date(Date.now() + 60_000));
    sendSignal(child.pid ?? 0, 'SIGCONT');
    await exit;
    await store?.close();
    expect([child.exitCode, err]).toEqual(store === undefined ? [0, ''] : [2, expect.stringMatching(/^The service .*Stop it first\.\n$/)]);
    if (store !== undefined) expect(wasWritten(dataDir)).toBe(true);
  });
});

describe('what was restored', () => {
  it.each(['644', '600', '400'])('is accessible only to the account of the service, from a copy of mode %s', async (mode) => {
    const dataDir = join(folder.path, `mode-${mode}`);
    const file = join(folder.path, `copy-${mode}`);
    await copyFile(copy, file);
    await chmod(file, Number.parseInt(mode, 8));
    const { status, out, err } = await operate(['restore-backup', file], { DATA_DIR: dataDir });
    expect([status, err]).toEqual([0, '']);
    expect(out).toContain(`restored into ${join(dataDir, 'repoless.sqlite')}.`);
    expect((await stat(join(dataDir, 'repoless.sqlite'))).mode & 0o777).toBe(0o600);
    await (await openStore({ dataDir })).close();
  });

  it.skipIf(process.getuid?.() !== 0)('belongs to the owner of the previous database, or else of the folder', async () => {
    for (const has of ['database', 'folder']) {
      const dataDir = join(folder.path, `owned-${has}`);
      await mkdir(dataDir);
      const place = join(dataDir, 'repoless.sqlite');
      if (has === 'database') await writeFile(place, '');
      await chown(has === 'database' ? place : dataDir, 4711, 4712);
      expect(await operate(['restore-backup', copy], { DATA_DIR: dataDir })).toMatchObject({ status: 0, err: '' });
      expect(await stat(place), has).toMatchObject({ uid: 4711, gid: 4712 });
    }
  });
});

function wasWritten(dataDir: string): boolean {
  const db = new Database(join(dataDir, 'repoless.sqlite'), { readonly: true });
  const { count } = db.prepare<[], { count: number }>('select count(*) as count from short_lived').get() ?? { count: 0 };
  db.close();
  return count === 1;
}
