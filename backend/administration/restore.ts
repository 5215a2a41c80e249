import { isErrno } from '../db/key-files.ts';
import type { Database as Connection } from 'better-sqlite3';
import { createReadStream, createWriteStream } from 'node:fs';
import { chown, link, mkdir, rename, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Settings } from '../config.ts';
import { isComplete, MIGRATED, MIGRATION_LOCK, requireUsable } from '../db/migrate.ts';
import { connectClient, writableAddress } from '../db/postgres/connections.ts';
import { DATABASE_FILE } from '../db/sqlite/connect.ts';
import { syncToDisk, onShutdownSignal, startTemporaryFile } from './backup.ts';
import { lockDatabase, printableAddress, requireStopped, UsageError } from './database-state.ts';
import { readDump, requirePassable, restoreDump } from './postgres-tool.ts';
import { counted, verifyDatabase } from './verify.ts';

/**
 * `restore-backup <file>`: replaces the database by a copy that `backup` made, while the service is stopped. A copy of the embedded
 * database is verified first, and the replaced one is kept next to it. With PostgreSQL everything is replaced in one transaction. Warns
 * that permissions from the time of the backup are valid again.
 */
export async function restore([file, ...more]: readonly string[], settings: Settings): Promise<number> {
  if (file === undefined || more.length > 0) throw new UsageError('Specify the copy: restore-backup <file>.');
  await stat(file).catch((cause: unknown) => {
    throw new Error(`The file ${file} does not exist.`, { cause });
  });
  const databaseUrl = settings.DATABASE_URL?.reveal();
  if (databaseUrl !== undefined) requirePassable(databaseUrl);
  await requireStopped(settings);
  let status = 0;
  if (databaseUrl === undefined) await restoreSqlite(file, settings.DATA_DIR);
  else status = await restorePostgres(file, await writableAddress(databaseUrl));
  process.stdout.write(PERMISSIONS_WARNING);
  return status;
}

/** The program cannot know what was revoked after the copy was made: the copy contains none of it. */
const PERMISSIONS_WARNING = `Everything revoked after the copy was made is valid again: deleted API keys and secrets, ended sessions, removed people.
Review them. To end every token and API key, replace the signing key: see "Keys" in docs/operations.md.
`;

/**
 * Replaces everything in a PostgreSQL database by a dump, in one transaction: afterwards it contains exactly what the dump has, and nothing
 * of a later version. Returns 1 if the restored data is damaged, with a message for each fault. Rejects with a message, and changes
 * nothing, if the dump is not of the service or of a newer version, if the database belongs to another program, if a node has started in
 * the meantime, or if the operator canceled it.
 */
async function restorePostgres(file: string, address: string): Promise<number> {
  const isCurrent = await restoreFrom(file, address);
  const target = printableAddress(address);
  if (!isCurrent) {
    process.stdout.write(`Restored into ${target}, with the tables of an earlier version. The service migrates them at its next start.\n`);
    return 0;
  }
  const { counts, problems } = await verifyDatabase(address);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const ending = problems.length === 0 ? '' : ', but the copy is not complete';
  process.stdout.write(`${counted(counts)}: restored into ${target}${ending}.\n`);
  return problems.length === 0 ? 0 : 1;
}

async function restoreFrom(file: string, address: string): Promise<boolean> {
  const { signal, end } = onShutdownSignal('The restore was canceled. The database is unchanged.');
  try {
    const isCurrent = await requireDump(file, signal);
    await requireOwnDatabase(address);
    signal.throwIfAborted();
    await restoreDump({ file, address, before: CLEAR_SCHEMA, after: 'reset search_path;\ncommit;\n', signal });
    return isCurrent;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    end();
  }
}

/** Rejects a file that is not a dump of the service. Returns whether its tables are those of this version. */
async function requireDump(file: string, signal: AbortSignal): Promise<boolean> {
  const list = await readDump(['--list', file], signal);
  for (const table of ['orgs', MIGRATED]) {
    if (!new RegExp(String.raw`^\d+; \d+ \d+ TABLE \S+ ${table} `, 'm').test(list))
      throw new Error(`${file} is not a copy of the database of the service: it has no table "${table}".`);
  }
  const applied = migrationsIn(await readDump(['--data-only', '--table', MIGRATED, '--file', '-', file], signal));
  requireUsable(applied);
  return isComplete(applied);
}

/** The names in the table of migrations, in the format of `copy`. */
function migrationsIn(text: string): string[] {
  const [, lines = ''] = /^COPY \S+ \(name, applied\) FROM stdin;\n([^]*?)^\\\.$/m.exec(text) ?? [];
  return lines.split('\n').flatMap((line) => (line === '' ? [] : line.split('\t').slice(0, 1)));
}

async function requireOwnDatabase(address: string): Promise<void> {
  const client = await connectClient({ connectionString: address });
  try {
    const { rows } = await client.query<{ tables: number; own: boolean; others: boolean }>(
      `select (select count(*)::int from pg_class ${inSchema('relnamespace')} and relkind in ('r', 'p')) as tables,
        to_regclass('orgs') is not null and to_regclass('${MIGRATED}') is not null as own, to_regclass('bm_migrations') is not null as others`,
    );
    const [{ tables, own, others } = { tables: 0, own: false, others: false }] = rows;
    if (others || (tables > 0 && !own))
      throw new Error(
        `The database ${printableAddress(address)} holds the tables of another program, which would be removed. Specify the database of the service, or an empty one.`,
      );
  } finally {
    await client.end();
  }
}

function inSchema(column: string): string {
  return `where ${column} = current_schema()::regnamespace`;
}

/** Excludes objects of extensions, and those that are dropped with the object that they belong to. */
function isIndependent(catalog: string): string {
  return `and not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${catalog}.oid and deptype in ('a', 'e', 'i'))`;
}

/**
 * Nodes that start wait for the migration lock until everything is restored. A node that started earlier is detected, and the restore ends.
 * Drops everything in the schema: `pg_restore --clean` would drop only what the dump contains.
 */
const CLEAR_SCHEMA = `
begin;
set local client_min_messages = warning;
set local lock_timeout = '20s';
select pg_advisory_xact_lock(${MIGRATION_LOCK});
do $$
declare
  removing text;
begin
  if to_regclass('listeners') is not null then
    lock table listeners in access exclusive mode;
    if exists (select from listeners where listening_until > clock_timestamp()) then
      raise exception 'The service was started on this database in the meantime. Stop all nodes first.';
    end if;
  end if;
  select string_agg(statement, '; ') into removing from (
    select format('drop %s if exists %s cascade', case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
      oid::regclass) as statement from pg_class ${inSchema('relnamespace')} and relkind in ('r', 'p', 'v', 'm', 'S') ${isIndependent('pg_class')}
    union all select format('drop routine if exists %s cascade', oid::regprocedure) from pg_proc ${inSchema('pronamespace')} ${isIndependent('pg_proc')}
    union all select format('drop type if exists %s cascade', oid::regtype) from pg_type ${inSchema('typnamespace')} and typtype in ('e', 'd') ${isIndependent('pg_type')}
  ) as statements;
  if removing is not null then
    execute removing;
  end if;
end $$;
`;

/**
 * Replaces the embedded database by a copy, which is verified first; the replaced file is kept next to it. Rejects and changes nothing if
 * the copy is incomplete or of another version, or if the service was started in the meantime.
 */
async function restoreSqlite(file: string, dataDir: string): Promise<void> {
  const { counts, problems } = await verifyDatabase(file);
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\nThe copy is incomplete, so it was not restored.`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const target = resolve(dataDir, DATABASE_FILE);
  const temporary = await startTemporaryFile(target, 'The restore was canceled. The database is unchanged.');
  try {
    await copyFor(target, dataDir, { file, temporary: temporary.file, signal: temporary.signal });
    await syncToDisk(temporary.file);
    temporary.signal.throwIfAborted();
    const previous = await replaceDatabase(temporary.file, target);
    await syncToDisk(dataDir);
    const hint = previous === undefined ? '' : ` The previous database is kept as ${previous}.`;
    process.stdout.write(`${counted(counts)}: restored into ${target}.${hint}\n`);
  } catch (error) {
    temporary.signal.throwIfAborted();
    throw error;
  } finally {
    await temporary.end();
  }
}

interface CopyFiles {
  readonly file: string;
  readonly temporary: string;
  readonly signal: AbortSignal;
}

/** Copies with mode 0600, and with the owner of the replaced database or otherwise of its folder. */
async function copyFor(target: string, dataDir: string, { file, temporary, signal }: CopyFiles): Promise<void> {
  const own = process.getuid?.();
  const before = await stat(target).catch(() => undefined);
  if (before !== undefined && own !== undefined && own !== 0 && own !== before.uid)
    throw new Error(`${target} belongs to another account. Run this command as the account of the service, or as root.`);
  await pipeline(createReadStream(file), createWriteStream(temporary, { flags: 'wx', mode: 0o600 }), { signal });
  const { uid, gid } = before ?? (await stat(dataDir));
  if (own === 0) await chown(temporary, uid, gid);
}

/**
 * The database stays locked until it is replaced, so a service that starts in the meantime opens either the locked file or the new one.
 * Returns the path of the replaced database, if there was one.
 */
async function replaceDatabase(temporary: string, target: string): Promise<string | undefined> {
  const before = await stat(target).catch(() => undefined);
  if (before === undefined) {
    // Unlike rename, link fails if a service has created the file in the meantime.
    await link(temporary, target).catch((error: unknown) => {
      throw isErrno(error, 'EEXIST')
        ? new Error(`The service was started on ${target} in the meantime. Stop it first.`, { cause: error })
        : error;
    });
    return undefined;
  }
  const previous = `${target}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const lock = lockUnlessDamaged(target);
  try {
    await link(target, previous);
    // A leftover `-wal` of the replaced database would be applied to the copy.
    for (const end of ['-wal', '-shm']) await renameIfPresent(`${target}${end}`, `${previous}${end}`);
    await rename(temporary, target);
    return previous;
  } finally {
    lock?.close();
  }
}

/** Undefined if it is damaged: no service can use it, so it may be replaced. */
function lockUnlessDamaged(target: string): Connection | undefined {
  let lock: Connection | undefined;
  try {
    lock = lockDatabase(target);
  } catch {
    return undefined;
  }
  if (lock === undefined) throw new Error(`The service was started on ${target} in the meantime. Stop it first.`);
  try {
    // Applies the `-wal` file. A service that waits for this file notices the move before it writes.
    lock.pragma('journal_mode = delete');
  } catch {
    // Also damaged.
  }
  return lock;
}

async function renameIfPresent(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw error;
  });
}
