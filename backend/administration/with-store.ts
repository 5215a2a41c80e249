import type { TrailKeys } from '#backend/domain/audit/trail-keys.ts';
import type { Store } from '#backend/domain/ports.ts';
import { openStore } from '#backend/storage/open-store.ts';
import type { Settings } from '../config.ts';
import { trailKeys } from './verify.ts';

type Work = (store: Store) => Promise<number>;

/** Opens the storage of these settings for a command, and closes it after that. */
export async function withStore({ DATA_DIR, DATABASE_URL }: Settings, work: Work, keys?: TrailKeys): Promise<number> {
  const databaseUrl = DATABASE_URL?.reveal();
  const store = await openStore({
    dataDir: DATA_DIR,
    ...(keys !== undefined && { trailKeys: keys }),
    ...(databaseUrl !== undefined && { databaseUrl }),
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The same for one that writes into audit trails: they are sealed when it ends. */
export async function withTrails(settings: Settings, work: Work): Promise<number> {
  return await withStore(settings, work, await trailKeys(settings.SECRET_KEY_FILE));
}
