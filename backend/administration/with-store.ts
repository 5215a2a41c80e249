import type { Store } from '../domain/ports.ts';
import { openStore } from '../db/open-store.ts';
import type { Settings } from '../config.ts';
import { requireDatabase } from './require-database.ts';

type Work = (store: Store) => Promise<number>;

/** Opens the storage of these settings for a command, closes it after that, and says which it was. Rejects as `requireDatabase` does. */
export async function withStore(settings: Settings, work: Work): Promise<number> {
  const named = await requireDatabase(settings);
  const store = await open(settings);
  const status = await work(store).finally(() => store.close());
  process.stdout.write(`Database: ${named}\n`);
  return status;
}

async function open({ DATA_DIR, DATABASE_URL }: Settings): Promise<Store> {
  const databaseUrl = DATABASE_URL?.reveal();
  return await openStore({ dataDir: DATA_DIR, ...(databaseUrl !== undefined && { databaseUrl }) });
}
