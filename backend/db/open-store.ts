import type { Store } from '../domain/ports.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Alone } from './sqlite/connect.ts';

export interface StoreOptions {
  /** Folder of the embedded store; created if it is missing. */
  readonly dataDir: string;
  /** A postgres address; without it the embedded store is used. */
  readonly databaseUrl?: string;
  /** Limit of the embedded store, in pages of 4 kB. */
  readonly maxPages?: number;
  /** For the service: two services must not open the embedded store at the same time. Not used on PostgreSQL. */
  readonly alone?: Alone;
  /** Receives errors outside of calls, e.g. a lost connection. Never contains a secret. */
  readonly log?: (message: string, error: unknown) => void;
  readonly tracing?: Tracing;
}

/** Opens the storage and migrates its tables. Rejects if it is unreachable. Does not load what this engine does not need. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, alone, ...others } = options;
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres/open-postgres.ts');
    return await openPostgres({ databaseUrl, ...others });
  }
  const { openSqlite } = await import('./sqlite/open-sqlite.ts');
  return await openSqlite({ ...others, ...(alone !== undefined && { alone }) });
}
