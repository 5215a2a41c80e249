import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { LIMITS } from '@repoless/contract/limits.ts';
import { authoringHostWriteStatements } from './authoring-host-statements.ts';
import { causeStatements } from './event-statements.ts';
import { holderStatements } from './seen-holders.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import { rolloutWriteStatements } from './rollout-statements.ts';
import { siteCheckStatements } from './check-statements.ts';
import { orgMemberStatements } from './org-members.ts';
import { profileStatements } from './profile-statements.ts';
import {
  AUDIT_SLOTS,
  CHAINED_AUDIT_SLOTS,
  HEAD_SLOTS,
  ORG_SLOTS,
  SITE_CONTENT_SLOTS,
  SITE_KEYS,
  SITE_SLOTS,
  SUBSCRIPTION_SLOTS,
  VERSION_SLOTS,
} from './row-slots.ts';
import type { Dialect, Tables } from './tables.ts';
import { secretStatements } from './secret-steps.ts';
import { usageStatement } from './usage-statement.ts';

/** Every query that changes something. `seen` is the version that the change builds upon. */
export function writeStatements(compile: Compile, dialect: Dialect) {
  const ofSite = (db: Kysely<Tables>) =>
    db.updateTable('sites').set(SITE_SLOTS).where('org', '=', slot<string>('org')).where('site', '=', slot<string>('site'));
  const columns = Object.keys(SUBSCRIPTION_SLOTS);
  const addSubscription = sql`insert into event_subscriptions (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(Object.values(SUBSCRIPTION_SLOTS).map((value) => sql`cast(${value} as text)`))}
    where (select count(*) from event_subscriptions as others where others.org = ${SUBSCRIPTION_SLOTS.org}) < ${sql.lit(LIMITS.subscriptions)}`;
  return {
    ...profileStatements(compile, dialect),
    ...versionStatements(compile, dialect),
    ...holderStatements(compile),
    usage: usageStatement(compile),
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
    ...orgMemberStatements(compile, dialect),
    ...siteCheckStatements(compile, dialect),
    ...rolloutWriteStatements(compile, dialect),
    ...authoringHostWriteStatements(compile, dialect),
    insertSite: compile('insert-site', (db) => db.insertInto('sites').values(SITE_SLOTS)),
    updateSite: compile('update-site', (db) => ofSite(db).where('version', '=', slot<number>('seen'))),
    updateSiteInPlace: compile('update-site-in-place', (db) => {
      const { org, site } = SITE_SLOTS;
      const ofSeen = db.updateTable('sites').set(SITE_CONTENT_SLOTS).where('org', '=', org).where('site', '=', site);
      const asSeen = ofSeen.where('version', '=', slot<number>('seen'));
      return SITE_KEYS.reduce((update, key) => update.where(key, 'is not distinct from', SITE_SLOTS[key]), asSeen);
    }),
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
    ...secretStatements(compile),
    ...causeStatements(compile),
    // A new one only beside fewer than may be.
    addSubscription: compile('add-subscription', (db) => ({ compile: () => addSubscription.compile(db) })),
    // One that was removed or changed meanwhile, or sealed anew, is decided again.
    replaceSubscription: compile('replace-subscription', (db) =>
      asBefore(db.updateTable('event_subscriptions').set(SUBSCRIPTION_SLOTS).where('id', '=', SUBSCRIPTION_SLOTS.id)),
    ),
    deleteSubscription: compile('delete-subscription', (db) => db.deleteFrom('event_subscriptions').where('id', '=', slot<string>('id'))),
    deleteSeenSubscription: compile('delete-seen-subscription', (db) =>
      asBefore(db.deleteFrom('event_subscriptions').where('id', '=', slot<string>('id'))),
    ),
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

/** What of a subscription its replacement changes. */
export const SUBSCRIPTION_CHANGES = ['kinds', 'sites', 'channel', 'target', 'rhythm', 'sealed', 'owner_names'] as const;

/** Only where it is as it was read. */
function asBefore<W extends { where(column: (typeof SUBSCRIPTION_CHANGES)[number], is: 'is not distinct from', value: unknown): W }>(
  change: W,
): W {
  return SUBSCRIPTION_CHANGES.reduce(
    (some, name) => some.where(name, 'is not distinct from', slot<string | null>(`before_${name}`)),
    change,
  );
}

const ORG = slot<string>('org');
const KIND = slot<string>('kind');
const ITEM = slot<string>('item');
const VERSION = slot<number>('version');

/** Every query that changes versions. */
function versionStatements(compile: Compile, dialect: Dialect) {
  return {
    holdVersionName: compile('hold-version-name', (db) =>
      db
        .selectFrom('versions')
        .select('name')
        .where('org', '=', ORG)
        .where('kind', '=', KIND)
        .where('item', '=', ITEM)
        .where('version', '=', VERSION)
        .where('gone', '=', 0)
        .$if(dialect === 'postgres', (row) => row.forUpdate()),
    ),
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
