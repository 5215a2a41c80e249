import type { Store } from '../domain/ports.ts';
import type { StoreOptions } from './store.ts';

/** Opens the storage and migrates its tables. Rejects if it is unreachable. Does not load what this engine does not need. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, ...embedded } = options;
  if (databaseUrl !== undefined) return await (await import('./postgres/open-postgres.ts')).openPostgres(databaseUrl, options);
  return await (await import('./sqlite/open-sqlite.ts')).openSqlite(embedded);
}
