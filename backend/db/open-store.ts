import type { Store } from '../domain/ports.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Alone } from './sqlite/connect.ts';

export interface StoreOptions {
  /** Folder of the embedded store; created if it is missing. */
  readonly dataDir: string;
  /** A postgres address, of one server or several; without it the embedded store is used. */
  readonly databaseUrl?: string;
  readonly maxPages?: number;
  /** For the service: two services must not open the embedded store at the same time. Not used on PostgreSQL. */
  readonly alone?: Alone;
  /** Receives errors outside of calls, e.g. a lost connection. Never contains a secret. */
  readonly log?: (message: string, error: unknown) => void;
  readonly tracing?: Tracing;
}

/** Opens the storage and migrates its tables. Rejects if it is unreachable. Does not load what this engine does not need. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, ...embedded } = options;
  if (databaseUrl !== undefined) return await (await import('./postgres/open-postgres.ts')).openPostgres(databaseUrl, options);
  return await (await import('./sqlite/open-sqlite.ts')).openSqlite(embedded);
}
