import type { TrailStore } from '#backend/domain/audit/ports.ts';
import { text } from './row.ts';
import type { Query } from './sql-reads.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';

/** Audit trails as a whole, on either engine. */
export function sqlTrails(compile: Compile, read: Query, change: Query): TrailStore {
  const statements = trailStatements(compile);
  return {
    async orgs({ after, limit }) {
      return (await read(statements.orgs, { after, limit })).map((row) => text(row, 'org'));
    },
    async removeUpTo(anchor, seal) {
      await change(statements.removeUpTo, { ...anchor, ...seal });
    },
  };
}

function trailStatements(compile: Compile) {
  const row = {
    org: slot<string>('org'),
    entry: slot<number>('entry'),
    hash: slot<string>('hash'),
    removed: slot<string>('removed'),
    key: slot<string>('key'),
    seal: slot<string>('seal'),
  };
  return {
    orgs: compile('trails', (db) =>
      db.selectFrom('audit_heads').select('org').where('org', '>', slot<string>('after')).orderBy('org').limit(slot<number>('limit')),
    ),
    // A trigger removes the entries.
    removeUpTo: compile('put-audit-anchor', (db) =>
      db
        .insertInto('audit_anchors')
        .values(row)
        .onConflict((conflict) => conflict.column('org').doUpdateSet(row).where('audit_anchors.entry', '<', row.entry)),
    ),
  };
}
