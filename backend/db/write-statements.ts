import { sql } from 'kysely';
import { LIMITS } from '@repoless/contract/limits.ts';
import { authoringHostWriteStatements } from './authoring-host-statements.ts';
import { causeStatements } from './event-statements.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import { rolloutWriteStatements } from './rollout-statements.ts';
import { siteCheckStatements } from './check-statements.ts';
import { orgMemberStatements } from './org-members.ts';
import {
  API_KEY_SLOTS,
  AUDIT_SLOTS,
  CHAINED_AUDIT_SLOTS,
  DERIVED_SLOTS,
  HEAD_SLOTS,
  ORG_SLOTS,
  PROFILE_SLOTS,
  SECRET_SLOTS,
  SITE_CONTENT_SLOTS,
  SITE_KEYS,
  SITE_SLOTS,
  SUBSCRIPTION_SLOTS,
  VERSION_SLOTS,
} from './row-slots.ts';
import type { Dialect } from './tables.ts';

const ORG = slot<string>('org');
const SITE = slot<string>('site');
const BEFORE = sql<number>`excluded.version - 1`;

/** Every query of a write. What stores a version reaches a row only if that has the version before. */
export function writeStatements(compile: Compile, dialect: Dialect) {
  const columns = Object.keys(SUBSCRIPTION_SLOTS);
  const addSubscription = sql`insert into event_subscriptions (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(Object.values(SUBSCRIPTION_SLOTS).map((value) => sql`cast(${value} as text)`))}
    where (select count(*) from event_subscriptions as others where others.org = ${SUBSCRIPTION_SLOTS.org}) < ${sql.lit(LIMITS.subscriptions)}`;
  return {
    ...credentialStatements(compile),
    ...versionStatements(compile),
    ...orgMemberStatements(compile, dialect),
    ...siteCheckStatements(compile, dialect),
    ...rolloutWriteStatements(compile, dialect),
    ...authoringHostWriteStatements(compile, dialect),
    ...causeStatements(compile),
    putOrg: compile('put-org', (db) =>
      db
        .insertInto('orgs')
        .values(ORG_SLOTS)
        .onConflict((conflict) => conflict.column('org').doUpdateSet(ORG_SLOTS).where('orgs.version', '=', BEFORE)),
    ),
    putProfile: compile('put-profile', (db) =>
      db
        .insertInto('profiles')
        .values(PROFILE_SLOTS)
        .onConflict((conflict) => conflict.columns(['org', 'profile']).doUpdateSet(PROFILE_SLOTS).where('profiles.version', '=', BEFORE)),
    ),
    deleteProfile: compile('delete-profile', (db) =>
      db.deleteFrom('profiles').where('org', '=', ORG).where('profile', '=', slot<string>('profile')),
    ),
    putSite: compile('put-site', (db) =>
      db
        .insertInto('sites')
        .values(SITE_SLOTS)
        .onConflict((conflict) => conflict.columns(['org', 'site']).doUpdateSet(SITE_SLOTS).where('sites.version', '=', BEFORE)),
    ),
    /** Does the same to a site whose keys stay as they are, and reaches none else. */
    putSiteInPlace: compile('put-site-in-place', (db) => {
      const ofSite = db.updateTable('sites').set(SITE_CONTENT_SLOTS).where('org', '=', ORG).where('site', '=', SITE);
      const asBefore = ofSite.where('version', '=', sql<number>`${slot<number>('version')} - 1`);
      return SITE_KEYS.reduce((update, key) => update.where(key, 'is not distinct from', SITE_SLOTS[key]), asBefore);
    }),
    /** What follows from a changed profile; the site itself, and its version, stay as they are. */
    putAggregate: compile('put-aggregate', (db) =>
      db.updateTable('sites').set(DERIVED_SLOTS).where('org', '=', ORG).where('site', '=', SITE),
    ),
    deleteSite: compile('delete-site', (db) => db.deleteFrom('sites').where('org', '=', ORG).where('site', '=', SITE)),
    // A new one only beside fewer than may be.
    addSubscription: compile('add-subscription', (db) => ({ compile: () => addSubscription.compile(db) })),
    replaceSubscription: compile('replace-subscription', (db) =>
      db.updateTable('event_subscriptions').set(SUBSCRIPTION_SLOTS).where('id', '=', SUBSCRIPTION_SLOTS.id),
    ),
    deleteSubscription: compile('delete-subscription', (db) => db.deleteFrom('event_subscriptions').where('id', '=', slot<string>('id'))),
    resealSubscription: compile('reseal-subscription', (db) =>
      db
        .updateTable('event_subscriptions')
        .set({ sealed: slot<string>('sealed') })
        .where('id', '=', slot<string>('id'))
        .where('sealed', '=', slot<string>('before')),
    ),
    deleteDeliveriesOf: compile('delete-deliveries', (db) =>
      db.deleteFrom('event_deliveries').where('subscription', '=', slot<string>('id')),
    ),
    // A trigger of PostgreSQL chains the entries, for it alone sees those of all nodes in their order.
    addAudit: compile('add-audit', (db) => db.insertInto('audit').values(dialect === 'postgres' ? AUDIT_SLOTS : CHAINED_AUDIT_SLOTS)),
    auditEnd: compile('audit-end', (db) => ({ compile: () => AUDIT_END.compile(db) })),
    putAuditHead: compile('put-audit-head', (db) =>
      db
        .insertInto('audit_heads')
        .values(HEAD_SLOTS)
        .onConflict((conflict) => conflict.column('org').doUpdateSet(HEAD_SLOTS)),
    ),
  };
}

export type WriteStatements = ReturnType<typeof writeStatements>;

/** Where SQLite chains the next entry: the last number of the table, and the end of the organization's chain. */
const AUDIT_END = sql`select (select seq from sqlite_sequence where name = 'audit') as last_id, heads.entries, heads.hash
  from (select 1) left join audit_heads as heads on heads.org = ${slot<string>('org')}`;

const KIND = slot<string>('kind');
const ITEM = slot<string>('item');
const VERSION = slot<number>('version');

/** Every query that changes versions. */
function versionStatements(compile: Compile) {
  return {
    addVersion: compile('add-version', (db) => db.insertInto('versions').values(VERSION_SLOTS)),
    forgetVersions: compile('forget-versions', (db) =>
      db
        .deleteFrom('versions')
        .where('org', '=', ORG)
        .where('kind', '=', KIND)
        .where('item', '=', ITEM)
        .where('version', '<=', slot<number>('forget'))
        .where('name', 'is', null),
    ),
    nameVersion: compile('name-version', (db) =>
      db
        .updateTable('versions')
        .set({ name: slot<string>('name') })
        .where('org', '=', ORG)
        .where('kind', '=', KIND)
        .where('item', '=', ITEM)
        .where('version', '=', VERSION)
        .where('gone', '=', 0),
    ),
    // Its number stays, so that it is never given again; the row goes when versions up to it are forgotten.
    deleteVersion: compile('delete-version', (db) =>
      db
        .updateTable('versions')
        .set({ gone: 1, name: null, changed_by: null, data: null, restored_from: null })
        .where('org', '=', ORG)
        .where('kind', '=', KIND)
        .where('item', '=', ITEM)
        .where('version', '=', VERSION)
        .where('gone', '=', 0),
    ),
  };
}

/** API keys and secrets. */
function credentialStatements(compile: Compile) {
  const { org, site, name } = SECRET_SLOTS;
  return {
    putApiKey: compile('put-api-key', (db) =>
      db
        .insertInto('api_keys')
        .values(API_KEY_SLOTS)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(API_KEY_SLOTS)),
    ),
    deleteApiKey: compile('delete-api-key', (db) => db.deleteFrom('api_keys').where('id', '=', slot<string>('id'))),
    deleteApiKeysOfSite: compile('delete-api-keys-of-site', (db) =>
      db.deleteFrom('api_keys').where('org', '=', ORG).where('site', '=', SITE),
    ),
    putSecret: compile('put-secret', (db) =>
      db
        .insertInto('secrets')
        .values(SECRET_SLOTS)
        .onConflict((conflict) => conflict.columns(['org', 'site', 'name']).doUpdateSet(SECRET_SLOTS)),
    ),
    deleteSecret: compile('delete-secret', (db) =>
      db.deleteFrom('secrets').where('org', '=', org).where('site', '=', site).where('name', '=', name),
    ),
    resealSecret: compile('reseal-secret', (db) =>
      db
        .updateTable('secrets')
        .set({ sealed: SECRET_SLOTS.sealed })
        .where('org', '=', org)
        .where('site', '=', site)
        .where('name', '=', name)
        .where('last_modified', '=', SECRET_SLOTS.last_modified)
        .where('sealed', '=', slot<string>('before')),
    ),
    deleteSecretsOfSite: compile('delete-secrets-of-site', (db) =>
      db.deleteFrom('secrets').where('org', '=', ORG).where('site', '=', SITE),
    ),
  };
}
