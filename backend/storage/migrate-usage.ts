import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';
import type { Dialect } from './tables.ts';

/**
 * How much an organization has, counted by the database itself with each change, so that nobody counts rows. A row for each
 * shard: transactions that run at the same time wait for each other less.
 */
export function usage(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db: Kysely<unknown>) {
      await sql`create table org_usage (org ${text} not null, shard integer not null, sites bigint not null, versions bigint not null,
        bytes bigint not null, secrets bigint not null, api_keys bigint not null, primary key (org, shard))`.execute(db);
      await sql`create index sites_of_org_repository on sites (org, repository) where repository is not null`.execute(db);
      await db.schema
        .alterTable('code_branches')
        .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      await sql`insert into org_usage (org, shard, sites, versions, bytes, secrets, api_keys)
        select org, 0, sum(sites), sum(versions), sum(bytes), sum(secrets), sum(api_keys) from (
          select org, 0 as sites, 0 as versions, octet_length(config) as bytes, 0 as secrets, 0 as api_keys from orgs
          union all select org, 0, 0, octet_length(config), 0, 0 from profiles
          union all select org, 1, 0, octet_length(config) + octet_length(coalesce(aggregate, '')), 0, 0 from sites
          union all select org, 0, 1 - gone, octet_length(coalesce(data, '')), 0, 0 from versions
          union all select org, 0, 0, 0, 1, 0 from secrets
          union all select org, 0, 0, 0, 0, 1 from api_keys
        ) as counted group by org`.execute(db);
      for (const statement of COUNTED.flatMap(dialect === 'postgres' ? postgresTriggers : sqliteTriggers))
        await sql.raw(statement).execute(db);
    },
  };
}

/** A table, and what a row of it counts as: sites, versions, bytes, secrets, API keys. `row` stands for the row. */
interface Counted {
  readonly table: string;
  readonly counts: readonly [sites: string, versions: string, bytes: string, secrets: string, apiKeys: string];
}

const COUNTED: readonly Counted[] = [
  { table: 'orgs', counts: ['0', '0', 'octet_length(row.config)', '0', '0'] },
  { table: 'profiles', counts: ['0', '0', 'octet_length(row.config)', '0', '0'] },
  { table: 'sites', counts: ['1', '0', `octet_length(row.config) + octet_length(coalesce(row.aggregate, ''))`, '0', '0'] },
  { table: 'versions', counts: ['0', '1 - row.gone', `octet_length(coalesce(row.data, ''))`, '0', '0'] },
  { table: 'secrets', counts: ['0', '0', '0', '1', '0'] },
  { table: 'api_keys', counts: ['0', '0', '0', '0', '1'] },
];

const EVENTS = [
  { event: 'insert', row: 'new', parts: ['+'] },
  { event: 'delete', row: 'old', parts: ['-'] },
  { event: 'update', row: 'new', parts: ['-', '+'] },
] as const;

/** What a change adds; an update takes away what the row was, and adds what it is. The organization of a row never changes. */
function added({ counts }: Counted, parts: readonly ('+' | '-')[]): string {
  return counts
    .map((count) => parts.map((sign) => `${sign} (${count.replaceAll('row.', sign === '+' ? 'new.' : 'old.')})`).join(' '))
    .join(', ');
}

const COLUMNS = ['sites', 'versions', 'bytes', 'secrets', 'api_keys'] as const;
const UPSERT = `on conflict (org, shard) do update set ${COLUMNS.map((name) => `${name} = org_usage.${name} + excluded.${name}`).join(', ')}`;

function sqliteTriggers(counted: Counted): string[] {
  return EVENTS.map(
    ({ event, row, parts }) => `create trigger usage_${counted.table}_${event} after ${event} on ${counted.table} begin
      insert into org_usage (org, shard, ${COLUMNS.join(', ')}) values (${row}.org, 0, ${added(counted, parts)}) ${UPSERT}; end`,
  );
}

function postgresTriggers(counted: Counted): string[] {
  const { table } = counted;
  const cases = EVENTS.map(
    ({ event, row, parts }) => `if tg_op = '${event.toUpperCase()}' then
      insert into org_usage (org, shard, ${COLUMNS.join(', ')})
      values (${row}.org, pg_backend_pid() % 16, ${added(counted, parts)}) ${UPSERT}; end if;`,
  );
  return [
    `create function usage_of_${table}() returns trigger language plpgsql as $$ begin ${cases.join('\n')} return null; end $$`,
    `create trigger usage_${table} after insert or update or delete on ${table} for each row execute function usage_of_${table}()`,
  ];
}
