import type { TrailKeys } from '#backend/domain/audit/trail-keys.ts';
import type { Store } from '#backend/domain/ports.ts';
import { openStore } from '#backend/storage/open-store.ts';
import type { Settings } from '../config.ts';
import { requireDatabase } from './require-database.ts';
import { trailKeys } from './verify.ts';

type Work = (store: Store) => Promise<number>;

/** Opens the storage of these settings for a command, closes it after that, and says which it was. Rejects as `requireDatabase` does. */
export async function withStore(settings: Settings, work: Work, keys?: TrailKeys): Promise<number> {
  const named = await requireDatabase(settings);
  const store = await open(settings, keys);
  const status = await work(store).finally(() => store.close());
  process.stdout.write(`Database: ${named}\n`);
  return status;
}

/** The same for one that writes into audit trails: they are sealed when it ends. */
export async function withTrails(settings: Settings, work: Work): Promise<number> {
  return await withStore(settings, work, await trailKeys(settings.SECRET_KEY_FILE));
}

/** Seals what is not sealed yet of the audit trails. Rejects as `requireDatabase` does. */
export async function sealTrails(settings: Settings, keys: TrailKeys): Promise<void> {
  await requireDatabase(settings);
  await (await open(settings, keys)).close();
}

async function open({ DATA_DIR, DATABASE_URL }: Settings, keys: TrailKeys | undefined): Promise<Store> {
  const databaseUrl = DATABASE_URL?.reveal();
  return await openStore({
    dataDir: DATA_DIR,
    ...(keys !== undefined && { trailKeys: keys }),
    ...(databaseUrl !== undefined && { databaseUrl }),
  });
}
