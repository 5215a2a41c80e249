import type { Kysely } from 'kysely';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import type { SecretRow, SiteRow, Tables } from './tables.ts';
import type { AuditRow, OrgRow, VersionRow } from './write-rows.ts';

const SITE_SLOTS: SiteRow = {
  org: slot('org'),
  site: slot('site'),
  config: slot('config'),
  etag: slot('etag'),
  version: slot('version'),
  content_root: slot('content_root'),
  repository: slot('repository'),
  holds_secret: slot('holds_secret'),
  public_json: slot('public_json'),
  public_etag: slot('public_etag'),
  robots: slot('robots'),
};
const ORG_SLOTS: OrgRow = { org: slot('org'), config: slot('config'), etag: slot('etag'), version: slot('version') };
const VERSION_SLOTS: VersionRow = {
  org: slot('org'),
  site: slot('site'),
  version: slot('version'),
  created: slot('created'),
  name: slot('name'),
  changed_by: slot('changed_by'),
  data: slot('data'),
};
const AUDIT_SLOTS: AuditRow = {
  org: slot('org'),
  site: slot('site'),
  time: slot('time'),
  changed_by: slot('changed_by'),
  action: slot('action'),
  request_id: slot('request_id'),
  from_version: slot('from_version'),
  to_version: slot('to_version'),
};

const SECRET_SLOTS: SecretRow = {
  org: slot('org'),
  site: slot('site'),
  name: slot('name'),
  type: slot('type'),
  sealed: slot('sealed'),
  created: slot('created'),
  last_modified: slot('last_modified'),
};

/** Every query that changes something. `seen` is the version that the change builds upon. */
export function writeStatements(compile: Compile) {
  const ofSite = (db: Kysely<Tables>) =>
    db.updateTable('sites').set(SITE_SLOTS).where('org', '=', slot<string>('org')).where('site', '=', slot<string>('site'));
  return {
    insertOrg: compile('insert-org', (db) => db.insertInto('orgs').values(ORG_SLOTS)),
    updateOrg: compile('update-org', (db) =>
      db.updateTable('orgs').set(ORG_SLOTS).where('org', '=', slot<string>('org')).where('version', '=', slot<number>('seen')),
    ),
    upsertOrg: compile('upsert-org', (db) =>
      db
        .insertInto('orgs')
        .values(ORG_SLOTS)
        .onConflict((conflict) => conflict.column('org').doUpdateSet(ORG_SLOTS)),
    ),
    insertSite: compile('insert-site', (db) => db.insertInto('sites').values(SITE_SLOTS)),
    updateSite: compile('update-site', (db) => ofSite(db).where('version', '=', slot<number>('seen'))),
    upsertSite: compile('upsert-site', (db) =>
      db
        .insertInto('sites')
        .values(SITE_SLOTS)
        .onConflict((conflict) => conflict.columns(['org', 'site']).doUpdateSet(SITE_SLOTS)),
    ),
    deleteSite: compile('delete-site', (db) =>
      db.deleteFrom('sites').where('org', '=', slot<string>('org')).where('site', '=', slot<string>('site')),
    ),
    deleteSeenSite: compile('delete-seen-site', (db) =>
      db
        .deleteFrom('sites')
        .where('org', '=', slot<string>('org'))
        .where('site', '=', slot<string>('site'))
        .where('version', '=', slot<number>('seen')),
    ),
    putSecret: compile('put-secret', (db) =>
      db
        .insertInto('secrets')
        .values(SECRET_SLOTS)
        .onConflict((conflict) => conflict.columns(['org', 'site', 'name']).doUpdateSet(SECRET_SLOTS)),
    ),
    deleteSecret: compile('delete-secret', (db) =>
      db
        .deleteFrom('secrets')
        .where('org', '=', slot<string>('org'))
        .where('site', '=', slot<string>('site'))
        .where('name', '=', slot<string>('name')),
    ),
    deleteSecretsOfSite: compile('delete-secrets-of-site', (db) =>
      db.deleteFrom('secrets').where('org', '=', slot<string>('org')).where('site', '=', slot<string>('site')),
    ),
    addVersion: compile('add-version', (db) => db.insertInto('versions').values(VERSION_SLOTS)),
    addAudit: compile('add-audit', (db) => db.insertInto('audit').values(AUDIT_SLOTS)),
  };
}

export type WriteStatements = ReturnType<typeof writeStatements>;
