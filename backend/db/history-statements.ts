import { slot } from './statement.ts';
import type { Compile, Statement } from './statement.ts';

const ORG = slot<string>('org');
const KIND = slot<string>('kind');
const ITEM = slot<string>('item');

/** Every query that reads versions of subjects, or the audit trail. */
export function historyStatements(compile: Compile) {
  return {
    versions: compile('versions', (db) =>
      db
        .selectFrom('versions')
        .select(['version', 'created', 'name', 'changed_by', 'restored_from'])
        .where('org', '=', ORG)
        .where('kind', '=', KIND)
        .where('item', '=', ITEM)
        .where('gone', '=', 0)
        .where('version', '<', slot<number>('before'))
        .orderBy('version', 'desc')
        .limit(slot<number>('limit')),
    ),
    version: compile('version', (db) =>
      db
        .selectFrom('versions')
        .select(['version', 'created', 'name', 'changed_by', 'restored_from', 'data'])
        .where('org', '=', ORG)
        .where('kind', '=', KIND)
        .where('item', '=', ITEM)
        .where('version', '=', slot<number>('version'))
        .where('gone', '=', 0),
    ),
    latestVersion: compile('latest-version', (db) =>
      db
        .selectFrom('versions')
        .select('version')
        .where('org', '=', ORG)
        .where('kind', '=', KIND)
        .where('item', '=', ITEM)
        .orderBy('version', 'desc')
        .limit(1),
    ),
    auditHead: compile('audit-head', (db) => db.selectFrom('audit_heads').select(['entries', 'hash']).where('org', '=', ORG)),
    auditChain: compile('audit-chain', (db) =>
      db
        .selectFrom('audit')
        .selectAll()
        .where('org', '=', ORG)
        .where('seq', '>', slot<number>('after'))
        .orderBy('seq')
        .limit(slot<number>('limit')),
    ),
    unchainedAudits: compile('unchained-audits', (db) =>
      db.selectFrom('audit').select('id').where('org', '=', ORG).where('seq', 'is', null).orderBy('id').limit(1),
    ),
    audits: audits(compile, 'audits', { site: false, since: false }),
    auditsSince: audits(compile, 'audits-since', { site: false, since: true }),
    siteAudits: audits(compile, 'site-audits', { site: true, since: false }),
    siteAuditsSince: audits(compile, 'site-audits-since', { site: true, since: true }),
    siteAuditsWithin: audits(compile, 'site-audits-within', { site: true, since: true, until: true }),
  };
}

/**
 * Newest first. Numbers grow with time, all but for the clocks of several nodes: what is older than `margin` lies below every number
 * of the span, and what is newer than `lead` above. So a page is found by its numbers alone: after the last entry older than
 * `margin`, before the first newer than `lead`. (Not from the first entry of a time on: a later number may have an earlier time.)
 */
function audits(compile: Compile, name: string, by: { readonly site: boolean; readonly since: boolean; readonly until?: true }): Statement {
  return compile(name, (db) =>
    db
      .selectFrom('audit')
      .selectAll()
      .where('org', '=', ORG)
      .$if(by.site, (rows) => rows.where('site', '=', slot<string>('site')))
      .$if(by.since, (rows) =>
        rows.where('time', '>=', slot<string>('since')).where('id', '>', ({ fn, lit, selectFrom }) => {
          const older = selectFrom('audit as older').select('older.id').where('older.org', '=', ORG);
          return fn.coalesce(older.where('older.time', '<', slot<string>('margin')).orderBy('older.time', 'desc').limit(1), lit(0));
        }),
      )
      .$if(by.until === true, (rows) =>
        rows.where('time', '<=', slot<string>('until')).where('id', '<', ({ fn, lit, selectFrom }) => {
          const newer = selectFrom('audit as newer').select('newer.id').where('newer.org', '=', ORG);
          const first = newer.where('newer.time', '>', slot<string>('lead')).orderBy('newer.time').limit(1);
          return fn.coalesce(first, lit(Number.MAX_SAFE_INTEGER));
        }),
      )
      .where('id', '<', slot<number>('before'))
      .orderBy('id', 'desc')
      .limit(slot<number>('limit')),
  );
}
