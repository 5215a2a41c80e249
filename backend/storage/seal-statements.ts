import { sql } from 'kysely';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';

/** What seals audit trails. */
export function sealStatements(compile: Compile) {
  const row = {
    org: slot<string>('org'),
    since: slot<number>('since'),
    entry: slot<number>('entry'),
    hash: slot<string>('hash'),
    key: slot<string>('key'),
    seal: slot<string>('seal'),
  };
  return {
    /** Another node may have sealed more meanwhile: that stays. */
    put: compile('put-audit-seal', (db) =>
      db
        .insertInto('audit_seals')
        .values(row)
        .onConflict((conflict) => conflict.column('org').doUpdateSet(row).where('audit_seals.entry', '<=', row.entry)),
    ),
    /** The same anchor under another key. */
    putAnchorSeal: compile('put-anchor-seal', (db) =>
      db.updateTable('audit_anchors').set({ key: row.key, seal: row.seal }).where('org', '=', row.org).where('entry', '=', row.entry),
    ),
    /** Organizations whose trail goes on behind its seal, or whose seal or anchor another key sealed. */
    unsealed: compile('unsealed-trails', (db) =>
      db
        .selectFrom('audit_heads')
        .leftJoin('audit_seals', 'audit_seals.org', 'audit_heads.org')
        .leftJoin('audit_anchors', 'audit_anchors.org', 'audit_heads.org')
        .select('audit_heads.org')
        .where('audit_heads.org', '>', slot<string>('after'))
        .where((or) =>
          or.or([
            or('audit_seals.entry', 'is', null),
            or('audit_seals.entry', '<', sql<number>`audit_heads.entries`),
            or('audit_seals.key', '<>', slot<string>('newest')),
            or('audit_anchors.key', '<>', slot<string>('newest')),
          ]),
        )
        .orderBy('audit_heads.org')
        .limit(UNSEALED_AT_ONCE),
    ),
  };
}

export const UNSEALED_AT_ONCE = 500;
