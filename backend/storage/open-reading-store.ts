import type { ReadingStore } from '#backend/domain/ports.ts';
import type { WriterLine } from './sqlite/hear-writer.ts';

export interface ReadingStoreOptions {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** The way to the process that writes the embedded store; on PostgreSQL a process that reads is a node like others. */
  readonly writer: WriterLine;
  readonly log: (message: string, error: unknown) => void;
}

/** Opens the storage beside a process that has it open and brought its tables up to date. What this engine does not need is not loaded. */
export async function openReadingStore({ dataDir, databaseUrl, writer, log }: ReadingStoreOptions): Promise<ReadingStore> {
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres/open-postgres.ts');
    return await openPostgres({ databaseUrl, readsOnly: true, log });
  }
  const { openSqliteReader } = await import('./sqlite/open-sqlite-reader.ts');
  return openSqliteReader({ dataDir, writer });
}
