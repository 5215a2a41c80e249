import { sql } from 'kysely';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * Where an audit trail begins whose older entries were removed (decision 0122). To write an anchor is to remove what lies before it: a trigger does
 * so in the same statement, so that there is never the one without the other. A program that does not know anchors says of such a
 * trail that its first entries are missing, and else goes on.
 */
export function auditAnchors(dialect: Dialect): MarkedMigration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  const number = dialect === 'postgres' ? sql`bigint` : sql`integer`;
  return {
    mark: 'expand',
    async up(db) {
      await sql`create table audit_anchors (org ${text} primary key not null, entry ${number} not null, hash ${text} not null,
        removed ${text} not null, key ${text} not null, seal ${text} not null)`.execute(db);
      for (const statement of dialect === 'postgres' ? POSTGRES : SQLITE) await sql.raw(statement).execute(db);
    },
  };
}

const REMOVE = 'delete from audit where org = new.org and seq <= new.entry';

const SQLITE = ['insert', 'update of entry'].map(
  (event) => `create trigger audit_anchored_${event.slice(0, 6)} after ${event} on audit_anchors begin ${REMOVE}; end`,
);

const POSTGRES = [
  `create function repoless_anchor_audit() returns trigger language plpgsql as $$ begin ${REMOVE}; return null; end $$`,
  'create trigger audit_anchored after insert or update of entry on audit_anchors for each row execute function repoless_anchor_audit()',
];
