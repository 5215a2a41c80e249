import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';
import { rowHash } from './write-rows.ts';
import type { AuditRow } from './write-rows.ts';
import type { Dialect } from './tables.ts';

/** Each entry of the audit trail carries the hash of the one before it in its organization; those that are there are chained as they are. */
export function auditChain(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  const number = dialect === 'postgres' ? sql`bigint` : sql`integer`;
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('audit').addColumn('seq', number).execute();
      for (const column of ['previous', 'hash']) await db.schema.alterTable('audit').addColumn(column, text).execute();
      await db.schema
        .createTable('audit_heads')
        .addColumn('org', text, (column) => column.primaryKey().notNull())
        .addColumn('entries', number, (column) => column.notNull())
        .addColumn('hash', text, (column) => column.notNull())
        .execute();
      await (dialect === 'postgres' ? chainByTrigger(db) : chainRows(db));
      await sql`create unique index audit_chain on audit (org, seq)`.execute(db);
    },
  };
}

async function chainRows(db: Kysely<unknown>): Promise<void> {
  let org: string | undefined;
  let [seq, previous, after] = [0, '', { org: '', id: 0 }];
  for (;;) {
    const { rows } = await sql<AuditRow & { id: number }>`
      select id, org, site, time, changed_by, action, request_id, from_version, to_version from audit
      where (org, id) > (${after.org}, ${after.id}) order by org, id limit 1000`.execute(db);
    for (const row of rows) {
      if (row.org !== org) [org, seq, previous] = [row.org, 0, ''];
      seq += 1;
      const hash = rowHash({ ...row, seq, previous });
      await sql`update audit set seq = ${seq}, previous = ${previous}, hash = ${hash} where id = ${row.id}`.execute(db);
      await sql`insert into audit_heads (org, entries, hash) values (${org}, ${seq}, ${hash})
        on conflict (org) do update set entries = excluded.entries, hash = excluded.hash`.execute(db);
      previous = hash;
      after = row;
    }
    if (rows.length === 0) return;
  }
}

/**
 * Nodes write at the same time: whoever adds an entry holds the end of its organization's chain until the commit. The hash is
 * that of domain/audit/chain.ts.
 */
async function chainByTrigger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function repoless_audit_hash(entry audit) returns text language sql immutable as $$
      select encode(sha256(convert_to(string_agg(
        case when part is null then '-' else octet_length(convert_to(part, 'UTF8')) || ':' || part end, ',' order by place), 'UTF8')), 'hex')
      from unnest(array[
        entry.previous, entry.id::text, entry.org, entry.seq::text, entry.site, entry.time, entry.changed_by, entry.action,
        entry.request_id, entry.from_version::text, entry.to_version::text
      ]) with ordinality as parts(part, place)
    $$`.execute(db);
  await sql`
    create function repoless_chain_audit() returns trigger language plpgsql as $$
    begin
      loop
        update audit_heads set entries = entries + 1 where org = new.org returning entries, hash into new.seq, new.previous;
        exit when found;
        insert into audit_heads (org, entries, hash) values (new.org, 0, '') on conflict do nothing;
      end loop;
      new.hash := repoless_audit_hash(new);
      update audit_heads set hash = new.hash where org = new.org;
      return new;
    end $$`.execute(db);
  await sql`
    do $$
    declare entry audit;
    begin
      for entry in select * from audit order by org, id loop
        insert into audit_heads (org, entries, hash) values (entry.org, 0, '') on conflict do nothing;
        update audit_heads set entries = entries + 1 where org = entry.org returning entries, hash into entry.seq, entry.previous;
        entry.hash := repoless_audit_hash(entry);
        update audit set seq = entry.seq, previous = entry.previous, hash = entry.hash where id = entry.id;
        update audit_heads set hash = entry.hash where org = entry.org;
      end loop;
    end $$`.execute(db);
  await sql`create trigger audit_chained before insert on audit for each row execute function repoless_chain_audit()`.execute(db);
}
