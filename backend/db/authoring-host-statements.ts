import { sql } from 'kysely';
import type { ClaimedRoot } from '../sites/content-roots/ports.ts';
import { text } from './row.ts';
import type { Row } from './row.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import type { Dialect } from './tables.ts';

const HOST = slot<string>('host');
const ORG = slot<string>('org');
const ROOT = slot<string>('root');

/** Every query that reads whose authoring hosts are, and who holds roots on them. */
export function authoringHostReadStatements(compile: Compile) {
  return {
    contentRootsOn: compile('content-roots-on', (db) =>
      db
        .selectFrom('sites')
        .select(['org', 'site', 'content_root'])
        .where('content_root', '>=', slot<string>('from'))
        .where('content_root', '<', slot<string>('until'))
        .orderBy('content_root'),
    ),
    orgOfAuthoringHost: compile('org-of-authoring-host', (db) => db.selectFrom('authoring_hosts').select('org').where('host', '=', HOST)),
    authoringHosts: compile('authoring-hosts', (db) => db.selectFrom('authoring_hosts').select(['host', 'org']).orderBy('host')),
  };
}

export function heldRoot(row: Row): ClaimedRoot {
  return { org: text(row, 'org'), site: text(row, 'site'), contentRoot: text(row, 'content_root') };
}

/** Every query that changes it. */
export function authoringHostWriteStatements(compile: Compile, dialect: Dialect) {
  const { contentRootsOn } = authoringHostReadStatements(compile);
  const row = { host: HOST, org: ORG };
  return {
    rootsHeldOn: contentRootsOn,
    // SQLite has one writer, so that nothing has to be held there.
    holdAuthoringHosts: compile('hold-authoring-hosts', (db) => ({
      compile: () => (dialect === 'postgres' ? sql`lock table authoring_hosts in exclusive mode` : sql`select 1 as held`).compile(db),
    })),
    assignHost: compile('assign-host', (db) =>
      db
        .insertInto('authoring_hosts')
        .values(row)
        .onConflict((conflict) => conflict.column('host').doUpdateSet(row)),
    ),
    releaseHost: compile('release-host', (db) => db.deleteFrom('authoring_hosts').where('host', '=', HOST)),
    releaseRoot: compile('release-root', (db) =>
      db
        .updateTable('sites')
        .set({ content_root: null })
        .where('org', '=', ORG)
        .where('site', '=', slot<string>('site'))
        .where('content_root', '=', ROOT),
    ),
  };
}
