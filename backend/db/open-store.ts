import type { Store } from '../domain/ports.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Alone } from './sqlite/connect.ts';

export interface StoreOptions {
  /** Where the embedded store keeps its file; made where it is missing. */
  readonly dataDir: string;
  /** A postgres address; the embedded store is used where it is left out. */
  readonly databaseUrl?: string;
  /** Limit of the embedded store, in pages of 4 kB. */
  readonly maxPages?: number;
  /** For the service: the embedded store is not opened beside another service. Those on PostgreSQL are told by it. */
  readonly alone?: Alone;
  /** Told what goes wrong outside any call, e.g. that a connection was lost. Never holds a secret. */
  readonly log?: (message: string, error: unknown) => void;
  readonly tracing?: Tracing;
}

/** Opens the storage and brings its tables up to date. Rejects where it cannot be reached. What this engine does not need is not loaded. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, alone, ...others } = options;
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres/open-postgres.ts');
    return await openPostgres({ databaseUrl, ...others });
  }
  const { openSqlite } = await import('./sqlite/open-sqlite.ts');
  return await openSqlite({ ...others, ...(alone !== undefined && { alone }) });
}
