import { connectClient } from '../db/postgres/connect-client.ts';
import { isComplete, MIGRATED, MIGRATION_LOCK, requireUsable } from '../db/migrate.ts';
import { onShutdownSignal } from './shutdown-signal.ts';
import { namedAddress } from './named-place.ts';
import { readDump, restoreDump } from './postgres-tool.ts';
import { counted, lookAt } from './verify.ts';

/**
 * Puts a dump in the place of everything in a PostgreSQL database, in one transaction: what is there afterwards is what the dump has, and nothing of a
 * later version. Out: 1 where what was restored is not whole, a sentence for each fault. Rejects with a
 * sentence, and leaves everything as it is, where the dump is none of the service or of a newer version, where the database is another program's, or
 * where a node has started meanwhile, or whoever runs the program gave up.
 */
export async function restorePostgres(file: string, address: string): Promise<number> {
  const isCurrent = await restored(file, address);
  const into = `estored into ${namedAddress(address)}`;
  if (!isCurrent) {
    process.stdout.write(`R${into}, with the tables of an earlier version. The service migrates them at its next start.\n`);
    return 0;
  }
  const { counts, problems } = await lookAt(address);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const end = problems.length === 0 ? '' : ', but the copy is not complete';
  process.stdout.write(`${counted(counts)}: r${into}${end}.\n`);
  return problems.length === 0 ? 0 : 1;
}

/** Out: as `requireDump` says. */
async function restored(file: string, address: string): Promise<boolean> {
  const { signal, end } = onShutdownSignal('The restore was canceled. The database is unchanged.');
  try {
    const isCurrent = await requireDump(file, signal);
    await requireOwn(address);
    signal.throwIfAborted();
    await restoreDump({ file, address, before: CLEARED, after: 'reset search_path;\ncommit;\n', signal });
    return isCurrent;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    end();
  }
}

/** Out: whether its tables are those that this version has. */
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

/** The names in the table of migrations, as `copy` writes it. */
function migrationsIn(text: string): string[] {
  const [, lines = ''] = /^COPY \S+ \(name, applied\) FROM stdin;\n([^]*?)^\\\.$/m.exec(text) ?? [];
  return lines.split('\n').flatMap((line) => (line === '' ? [] : line.split('\t').slice(0, 1)));
}

async function requireOwn(address: string): Promise<void> {
  const client = await connectClient({ connectionString: address });
  try {
    const { rows } = await client.query<{ tables: number; own: boolean; others: boolean }>(
      `select (select count(*)::int from pg_class ${inSchema('relnamespace')} and relkind in ('r', 'p')) as tables,
        to_regclass('orgs') is not null and to_regclass('${MIGRATED}') is not null as own, to_regclass('bm_migrations') is not null as others`,
    );
    const [{ tables, own, others } = { tables: 0, own: false, others: false }] = rows;
    if (others || (tables > 0 && !own))
      throw new Error(
        `The database ${namedAddress(address)} holds the tables of another program, which would be removed. Specify the database of the service, or an empty one.`,
      );
  } finally {
    await client.end();
  }
}

function inSchema(column: string): string {
  return `where ${column} = current_schema()::regnamespace`;
}

/** What an extension brought stays with it; what belongs to a column goes with its table. */
function ofItsOwn(catalog: string): string {
  return `and not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${catalog}.oid and deptype in ('a', 'e', 'i'))`;
}

/**
 * Nodes that start wait for the lock of the migrations until all is restored. One that has started before it is found, and the restore ends.
 * Everything in the schema goes: `pg_restore --clean` removes only what the dump has, too.
 */
const CLEARED = `
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
    if exists (select from listeners where heard_until > clock_timestamp()) then
      raise exception 'The service was started on this database meanwhile. Stop all nodes first.';
    end if;
  end if;
  select string_agg(statement, '; ') into removing from (
    select format('drop %s if exists %s cascade', case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
      oid::regclass) as statement from pg_class ${inSchema('relnamespace')} and relkind in ('r', 'p', 'v', 'm', 'S') ${ofItsOwn('pg_class')}
    union all select format('drop routine if exists %s cascade', oid::regprocedure) from pg_proc ${inSchema('pronamespace')} ${ofItsOwn('pg_proc')}
    union all select format('drop type if exists %s cascade', oid::regtype) from pg_type ${inSchema('typnamespace')} and typtype in ('e', 'd') ${ofItsOwn('pg_type')}
  ) as all_of_them;
  if removing is not null then
    execute removing;
  end if;
end $$;
`;
