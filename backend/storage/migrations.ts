import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';
import { allStopped } from './marked-migration.ts';
import type { MarkedMigrations } from './marked-migration.ts';
import { askedBranches, branchesBeforeAsked } from './migrate-asked-branches.ts';
import { auditChain } from './migrate-audit-chain.ts';
import { authoringHosts } from './migrate-authoring-hosts.ts';
import { beginnersOfJobs } from './migrate-beginners-of-jobs.ts';
import { boundedMessages } from './migrate-bounded-deliveries.ts';
import { codeBlobs } from './migrate-code-blobs.ts';
import { contentRoots } from './migrate-content-roots.ts';
import { codeAndSecrets } from './migrate-code.ts';
import { events } from './migrate-events.ts';
import { listeners } from './migrate-listeners.ts';
import { orgMembers } from './migrate-org-members.ts';
import { orgsOfRepositories } from './migrate-orgs-of-repositories.ts';
import { repositoryKeys } from './migrate-repository-keys.ts';
import { defaultProfile } from './migrate-default-profile.ts';
import { digests, furtherDigests } from './migrate-digests.ts';
import { givenWay } from './migrate-given-way.ts';
import { profilesAndHistory } from './migrate-subjects.ts';
import { toldEvents } from './migrate-told-events.ts';
import { usage } from './migrate-usage.ts';
import { sessionEnds } from './migrate-session-ends.ts';
import { rollouts } from './migrate-rollouts.ts';
import { restoredVersions } from './migrate-restored.ts';
import { secretDescriptions } from './migrate-secret-descriptions.ts';
import { secretEnds } from './migrate-secret-ends.ts';
import { siteChecks } from './migrate-site-checks.ts';
import { stuckSites } from './migrate-stuck-sites.ts';
import type { Dialect } from './tables.ts';

/**
 * Every change of the tables, in order. A migration that was released is never edited. A new one has its mark beside it.
 */
export function migrations(dialect: Dialect): MarkedMigrations {
  return {
    ...beforeMarks(dialect),
    '0021-secret-ends': secretEnds(dialect),
    '0024-organizations-of-repositories': orgsOfRepositories(dialect),
    '0025-bounded-messages': boundedMessages(dialect),
    '0026-repository-keys': repositoryKeys(dialect),
    '0027-beginners-of-jobs': beginnersOfJobs(dialect),
    '0028-asked-branches': askedBranches(dialect),
    '0029-branches-before-asked': branchesBeforeAsked(),
    '0030-authoring-hosts': authoringHosts(dialect),
    '0031-stuck-sites-of-rollouts': stuckSites(),
    '0032-told-events': toldEvents(dialect),
    '0033-given-way': givenWay(dialect),
    '0034-descriptions-of-secrets': secretDescriptions(),
  };
}

function beforeMarks(dialect: Dialect): MarkedMigrations {
  return allStopped({
    '0001-begin': begin(dialect),
    '0002-code-and-secrets': codeAndSecrets(dialect),
    '0003-profiles-and-history': profilesAndHistory(dialect),
    '0004-restored-versions': restoredVersions(),
    '0005-content-roots': contentRoots,
    '0007-usage': usage(dialect),
    '0008-organization-members': orgMembers(dialect),
    '0009-digests': digests(dialect),
    '0010-audit-chain': auditChain(dialect),
    '0011-listeners': listeners(dialect),
    '0013-further-digests': furtherDigests(dialect),
    '0014-session-ends': sessionEnds(dialect),
    '0015-default-profile': defaultProfile(dialect),
    '0016-code-blobs': codeBlobs(dialect),
    '0017-site-checks': siteChecks(dialect),
    '0018-events': events(dialect),
    '0019-rollouts': rollouts(dialect),
  });
}

function begin(dialect: Dialect): Migration {
  // Names are ordered by their bytes on both engines, so that pages of a list are the same.
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  const id = dialect === 'postgres' ? sql`bigint generated always as identity primary key` : sql`integer primary key autoincrement`;
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('orgs')
        .addColumn('org', text, (column) => column.primaryKey().notNull())
        .addColumn('config', text, (column) => column.notNull())
        .addColumn('etag', text, (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('sites')
        .addColumn('org', text, (column) => column.notNull())
        .addColumn('site', text, (column) => column.notNull())
        .addColumn('config', text, (column) => column.notNull())
        .addColumn('etag', text, (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('content_root', text)
        .addColumn('repository', text)
        .addColumn('holds_secret', 'integer', (column) => column.notNull())
        .addColumn('public_json', text)
        .addColumn('public_etag', text)
        .addColumn('robots', text)
        .addPrimaryKeyConstraint('sites_key', ['org', 'site'])
        .execute();
      await sql`create unique index sites_content_root on sites (content_root) where content_root is not null`.execute(db);
      await sql`create index sites_repository on sites (repository) where repository is not null`.execute(db);
      await sql`create unique index sites_secret_holder on sites (org, repository) where holds_secret = 1`.execute(db);
      await db.schema
        .createTable('versions')
        .addColumn('org', text, (column) => column.notNull())
        .addColumn('site', text, (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('created', text, (column) => column.notNull())
        .addColumn('name', text)
        .addColumn('changed_by', text)
        .addColumn('data', text)
        .addPrimaryKeyConstraint('versions_key', ['org', 'site', 'version'])
        .execute();
      await db.schema
        .createTable('audit')
        .addColumn('id', id)
        .addColumn('org', text, (column) => column.notNull())
        .addColumn('site', text)
        .addColumn('time', text, (column) => column.notNull())
        .addColumn('changed_by', text, (column) => column.notNull())
        .addColumn('action', text, (column) => column.notNull())
        .addColumn('request_id', text, (column) => column.notNull())
        .addColumn('from_version', 'integer')
        .addColumn('to_version', 'integer')
        .execute();
      await db.schema.createIndex('audit_org_time').on('audit').columns(['org', 'time']).execute();
      await db.schema
        .createTable('short_lived')
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('key', text, (column) => column.notNull())
        .addColumn('value', text, (column) => column.notNull())
        .addColumn('expires', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('short_lived_key', ['kind', 'key'])
        .execute();
      await db.schema.createIndex('short_lived_expires').on('short_lived').column('expires').execute();
    },
  };
}
