import { sql } from 'kysely';
import type { Kysely, Migration, RawBuilder } from 'kysely';
import { linked } from '#backend/domain/audit/chain.ts';
import type { Dialect } from './tables.ts';

/** Each document gets a digest of itself and its place, by which it is known to be what was stored (see digest.ts). */
export function digests(dialect: Dialect): Migration {
  return digestColumns(dialect, DIGESTS);
}

/** So do robots.txt, API keys and secrets. */
export function furtherDigests(dialect: Dialect): Migration {
  return digestColumns(dialect, FURTHER);
}

function digestColumns(dialect: Dialect, columns: typeof DIGESTS): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db: Kysely<unknown>) {
      for (const { table, column, parts, needed } of columns) {
        await db.schema.alterTable(table).addColumn(column, text).execute();
        const where = needed === undefined ? sql`true` : sql`${sql.ref(needed)} is not null`;
        if (dialect === 'postgres')
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${computed(parts)} where ${where}`.execute(db);
        else await fill(db, table, column, parts, where);
      }
    },
  };
}

const DIGESTS: readonly { table: string; column: string; parts: readonly string[]; needed?: string }[] = [
  { table: 'orgs', column: 'digest', parts: ['org', 'config', 'etag', 'version'] },
  { table: 'profiles', column: 'digest', parts: ['org', 'profile', 'config', 'etag', 'version'] },
  { table: 'sites', column: 'digest', parts: ['org', 'site', 'config', 'etag', 'version'] },
  { table: 'sites', column: 'aggregate_digest', parts: ['org', 'site', 'aggregate'], needed: 'aggregate' },
  { table: 'versions', column: 'digest', parts: ['org', 'kind', 'item', 'version', 'data'], needed: 'data' },
];

const FURTHER: typeof DIGESTS = [
  { table: 'sites', column: 'robots_digest', parts: ['org', 'site', 'robots'], needed: 'robots' },
  { table: 'api_keys', column: 'digest', parts: ['id', 'org', 'site', 'description', 'roles', 'created', 'created_by', 'expires'] },
  { table: 'secrets', column: 'digest', parts: ['org', 'site', 'name', 'type', 'sealed'] },
];

function computed(parts: readonly string[]): RawBuilder<string> {
  const each = parts.map((part) => {
    const value = sql`${sql.ref(part)}::text`;
    return sql`coalesce(octet_length(convert_to(${value}, 'UTF8')) || ':' || ${value}, '-')`;
  });
  return sql`encode(sha256(convert_to(${sql.join(each, sql` || ',' || `)}, 'UTF8')), 'hex')`;
}

async function fill(
  db: Kysely<unknown>,
  table: string,
  column: string,
  parts: readonly string[],
  where: RawBuilder<unknown>,
): Promise<void> {
  const columns = sql.join(parts.map((part) => sql.ref(part)));
  for (let after = 0; ;) {
    const { rows } = await sql<{ rowid: number } & Record<string, string | number | null>>`
      select rowid, ${columns} from ${sql.table(table)} where rowid > ${after} and ${where} order by rowid limit 500`.execute(db);
    for (const row of rows) {
      const digest = linked(parts.map((part) => row[part] ?? null));
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${digest} where rowid = ${row.rowid}`.execute(db);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.rowid;
  }
}
