import type { Database as Connection } from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../config.ts';
import { isComplete, requireNotMoved, requireUsable } from '../db/migrate.ts';
import { openStore } from '../db/open-store.ts';
import { connectClient, writableAddress } from '../db/postgres/connections.ts';
import { Database, DATABASE_FILE } from '../db/sqlite/connect.ts';
import { isBusy } from '../db/storage-error.ts';
import type { Store } from '../domain/ports.ts';
import { migrationsIn } from './database-copy.ts';

/**
 * The name of the database, for messages. Rejects if it is missing, not the service's, or has tables of another version: a command creates
 * no database and migrates no tables.
 */
export async function requireDatabase(settings: Settings): Promise<string> {
  const { named, applied } = await databaseOf(settings);
  requireUsable(applied);
  if (!isComplete(applied))
    throw new Error(
      `${named} has the tables of an earlier version. First start this version of the service, which migrates them. Or use the command of the running version.`,
    );
  return named;
}

/** `requireDatabase` for tables of any version. */
export async function requireAnyDatabase(settings: Settings): Promise<string> {
  const { named, applied } = await databaseOf(settings);
  requireNotMoved(applied);
  return named;
}

async function databaseOf({ DATA_DIR, DATABASE_URL }: Settings) {
  const address = DATABASE_URL?.reveal();
  const location = address === undefined ? resolve(DATA_DIR, DATABASE_FILE) : await writableAddress(address);
  const named = address === undefined ? location : printableAddress(location);
  if (address === undefined && !existsSync(location)) throw new Error(`The database ${location} does not exist. ${DATABASE_HINT}`);
  const applied = await migrationsIn(location);
  if (applied.length === 0) throw new Error(`${named} is not the database of the service: it has none of its tables. ${DATABASE_HINT}`);
  return { named, applied };
}

const DATABASE_HINT = 'Set DATA_DIR, or DATABASE_URL, to the value that the service uses.';

/** A database address that is safe to print: without passwords and key files. */
export function printableAddress(address: string): string {
  const url = new URL(address);
  url.password = '';
  url.search = new URLSearchParams([...url.searchParams].filter(([name]) => PRINTED_PARAMETERS.includes(name))).toString();
  return url.href;
}

const PRINTED_PARAMETERS = ['host', 'port'];

/** Rejects with a message if the service is running on the database of these settings. */
export async function requireStopped(settings: Settings): Promise<void> {
  const address = settings.DATABASE_URL?.reveal();
  if (address === undefined) requireUnused(join(settings.DATA_DIR, DATABASE_FILE));
  else await requireNoNode(await writableAddress(address));
}

/** A program that has the file open holds a shared lock on it. A damaged file may be replaced. */
function requireUnused(file: string): void {
  if (!existsSync(file)) return;
  let lock: Connection | undefined;
  try {
    lock = lockDatabase(file);
  } catch {
    return;
  }
  if (lock === undefined) throw new Error(`The service runs on ${file}. Stop it first.`);
  lock.close();
}

async function requireNoNode(address: string): Promise<void> {
  const client = await connectClient({ connectionString: address, connectionTimeoutMillis: 10_000 });
  try {
    const { rows } = await client.query<{ table: string | null }>("select to_regclass('listeners') as table");
    if ((rows[0]?.table ?? '') === '') return;
    const nodes = await client.query<{ name: string }>('select name from listeners where listening_until > now() order by name');
    if (nodes.rows.length > 0)
      throw new Error(`The service runs on this database (${nodes.rows.map(({ name }) => name).join(', ')}). Stop all nodes first.`);
  } finally {
    await client.end();
  }
}

interface WriteLock {
  /** May be called more than once. */
  release(): void;
}

/** Takes the write lock: others can still read. Rejects if another program holds it for long. */
export async function lockWrites(file: string): Promise<WriteLock> {
  const db = new Database(file, { fileMustExist: true, timeout: 0 });
  try {
    for (let attempt = 1; !tryBegin(db); attempt += 1) {
      if (attempt === ATTEMPTS)
        throw new Error(`Another program has been writing ${file} for too long. Nothing was locked. Try again when it has ended.`);
      await pause(PAUSE);
    }
  } catch (error) {
    db.close();
    throw error;
  }
  return { release: () => void db.close() };
}

function tryBegin(db: Connection): boolean {
  try {
    db.exec('begin immediate');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Opens the database exclusively until it is closed; undefined if another program has it open. */
export function lockDatabase(file: string): Connection | undefined {
  const db = new Database(file, { fileMustExist: true, timeout: 0 });
  try {
    db.pragma('locking_mode = exclusive');
    db.exec('begin exclusive; commit');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

const ATTEMPTS = 500;
/** Milliseconds. */
const PAUSE = 10;

type Work = (store: Store) => Promise<number>;

/**
 * Opens the storage of these settings for a command, closes it afterwards, and prints which one it was. Rejects as `requireDatabase` does.
 */
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

/** The command was written incorrectly; the message shows its syntax. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
