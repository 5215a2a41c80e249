import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { sha256 } from '../support/blob-places.ts';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { operate } from '../support/operate.ts';
import { startPostgres } from '../support/postgres.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { openFolderStorage } from '@repoless/service/code/blob-store.ts';

const folder = startBeforeAll(temporaryDirectory);
const cluster = startBeforeAll(startPostgres);
beforeAll(buildCommandLine);

describe('a move of code', () => {
  it.each(['SQLite', 'PostgreSQL'])(
    'copies every file to %s and back, verifies it there, and resumes after an interruption',
    async (name) => {
      const dataDir = join(folder.path, `code-${name}`);
      const databaseUrl = name === 'SQLite' ? undefined : await cluster.database();
      const storage = { dataDir, ...(databaseUrl !== undefined && { databaseUrl }) };
      const settings = { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
      const used = databaseUrl === undefined ? `Database: ${join(dataDir, 'repoless.sqlite')}\n` : `Database: ${databaseUrl}\n`;
      const files = [1, 300_000, 5000].map((length) => randomBytes(length));
      const [first = Buffer.of(), second = Buffer.of(), third = Buffer.of()] = files;
      const before = await openFolderStorage(join(dataDir, 'code'));
      for (const bytes of files) await before.write(sha256(bytes), bytes);
      await withStore(storage, async ({ blobs }) => {
        await blobs.write(sha256(first), first);
        // Damaged in transit.
        await blobs.write(sha256(second), randomBytes(300_000));
      });
      expect(await operate(['move-code', '--to', 'database'], settings)).toEqual({
        status: 0,
        err: '',
        out: `Files 2, bytes ${second.length + third.length}: copied and verified. Already there and verified: 1. Damaged: 0.\nFrom the folder ${join(dataDir, 'code')} to the database.\n${used}`,
      });
      await rm(join(dataDir, 'code'), { recursive: true });
      await withStore(storage, async ({ blobs }) => {
        await blobs.remove([sha256(third)]);
        await blobs.write(sha256(third), randomBytes(5000));
      });
      expect(await operate(['move-code', '--to', 'folder'], { ...settings, CODE_STORE: 'database' })).toEqual({
        status: 1,
        err: `The file ${sha256(third)} is damaged. To restore it, sync its branches again.\n`,
        out: `Files 2, bytes ${first.length + second.length}: copied and verified. Already there and verified: 0. Damaged: 1.\nFrom the database to the folder ${join(dataDir, 'code')}.\n${used}`,
      });
      expect(sha256(await (await openFolderStorage(join(dataDir, 'code'))).read(sha256(second)))).toBe(sha256(second));
    },
  );
});

async function withStore<T>(storage: { dataDir: string; databaseUrl?: string }, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(storage);
  return await work(store).finally(() => store.close());
}
