import type { Database as Connection } from 'better-sqlite3';
import type pg from 'pg';

/**
 * PostgreSQL numbers and chains the entries of audit trails itself, from the first on: where the beginning of a trail was removed, it is told
 * before which number and hash that was, unless it is further already.
 */
export async function beginTrails(client: pg.Client, source: Connection): Promise<void> {
  const anchors = source
    .prepare<[], { org: string; entry: number; hash: string }>(
      'select org, entry, hash from main.audit_anchors as one where exists (select 1 from main.audit where audit.org = one.org)',
    )
    .all();
  for (const { org, entry, hash } of anchors)
    await client.query(
      `insert into audit_heads (org, entries, hash) values ($1, $2, $3)
        on conflict (org) do update set entries = excluded.entries, hash = excluded.hash where audit_heads.entries < excluded.entries`,
      [org, entry, hash],
    );
}
