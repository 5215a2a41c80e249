import { sql } from 'kysely';
import { authoringHostReadStatements } from './authoring-host-statements.ts';
import { historyStatements } from './history-statements.ts';
import { ON_REPOSITORY, REPOSITORY_KEY } from './repository-key.ts';
import { rolloutReadStatements } from './rollout-statements.ts';
import { type Compile, slot, type Statement } from './statement.ts';

const ORG = slot<string>('org');
const SITE = slot<string>('site');

const NAMES_LENGTH = sql`length(org) + length(site)`;

/** Places for the entries that mean one person: three names, and the domains of three addresses. */
const NAMING_SLOTS = ['entry_0', 'entry_1', 'entry_2', 'entry_3', 'entry_4', 'entry_5'] as const;
const NAMING = NAMING_SLOTS.map((name) => slot<string>(name));

/** The values of these places; an empty text names nobody. */
export function namingArgs(entries: readonly string[]): Record<string, string> {
  if (entries.length > NAMING_SLOTS.length) throw new Error(`An identity has ${entries.length} names.`);
  return Object.fromEntries(NAMING_SLOTS.map((name, index) => [name, entries[index] ?? '']));
}

const WHOLE = ['org', 'site', 'config', 'aggregate', 'etag', 'version', 'content_root'] as const;

/** Every query that reads. */
export function readStatements(compile: Compile) {
  return {
    ...historyStatements(compile),
    ...rolloutReadStatements(compile),
    ...authoringHostReadStatements(compile),
    orgsNaming: compile('orgs-naming', (db) =>
      db
        .selectFrom('org_members')
        .select('org')
        .distinct()
        .where('member', 'in', NAMING)
        .where('org', '>', slot<string>('after'))
        .orderBy('org')
        .limit(slot<number>('limit')),
    ),
    org: compile('org', (db) => db.selectFrom('orgs').select(['org', 'config', 'etag', 'version']).where('org', '=', ORG)),
    site: compile('site', (db) => db.selectFrom('sites').select(WHOLE).where('org', '=', ORG).where('site', '=', SITE)),
    orgAndSite: compile('org-and-site', (db) =>
      db
        .selectFrom('orgs')
        .leftJoin('sites', (join) => join.onRef('sites.org', '=', 'orgs.org').on('sites.site', '=', SITE))
        .select(['orgs.org', 'orgs.config as org_config', 'orgs.etag as org_etag', 'orgs.version as org_version'])
        .select(['sites.site', 'sites.config', 'sites.aggregate', 'sites.etag', 'sites.version'])
        .select('sites.content_root')
        .where('orgs.org', '=', ORG),
    ),
    listSites: compile('list-sites', (db) =>
      db
        .selectFrom('sites')
        .select(WHOLE)
        .where('org', '=', ORG)
        .where('site', '>', slot<string>('after'))
        .orderBy('site')
        .limit(slot<number>('limit')),
    ),
    // The size of a column is read without the column.
    siteSizes: compile('site-sizes', (db) =>
      db
        .selectFrom('sites')
        .select(sql<number>`octet_length(config) + coalesce(octet_length(aggregate), 0)`.as('bytes'))
        .where('org', '=', ORG)
        .where('site', '>', slot<string>('after'))
        .orderBy('site')
        .limit(slot<number>('limit')),
    ),
    listSiteNames: compile('list-site-names', (db) =>
      db
        .selectFrom('sites')
        .select('site')
        .where('org', '=', ORG)
        .where('site', '>', slot<string>('after'))
        .orderBy('site')
        .limit(slot<number>('limit')),
    ),
    siteWithContentRoot: compile('content-root', (db) =>
      db.selectFrom('sites').select(['org', 'site']).where('content_root', '=', slot<string>('root')),
    ),
    secretHolder: compile('secret-holder', (db) =>
      db
        .selectFrom('sites')
        .select(['org', 'site'])
        .where('org', '=', ORG)
        .where('repository', '=', slot<string>('repository'))
        .where('holds_secret', '=', 1),
    ),
    usage: usageStatement(compile),
    // From each repository to the next by the index, past all sites on it.
    repositories: compile('repositories', (db) => ({
      compile: () =>
        sql`with recursive used (repository) as (
          select min(${REPOSITORY_KEY}) from sites where org = ${ORG}
          union all select (select min(${REPOSITORY_KEY}) from sites where org = ${ORG} and ${REPOSITORY_KEY} > used.repository)
            from used where used.repository is not null
        ) select repository from used where repository is not null`.compile(db),
    })),
    usesRepository: compile('uses-repository', (db) =>
      db.selectFrom('sites').select('org').where('org', '=', ORG).where(ON_REPOSITORY).limit(sql.lit(1)),
    ),
    // Likewise from each organization to the next.
    orgsOfRepository: compile('orgs-of-repository', (db) => ({
      compile: () =>
        sql`with recursive used (org) as (
          select min(org) from sites where ${ON_REPOSITORY} and org > ${slot<string>('after')}
          union all select (select min(org) from sites where ${ON_REPOSITORY} and org > used.org) from used where org is not null
        ) select org from used where org is not null limit ${slot<number>('limit')}`.compile(db),
    })),
    profile: compile('profile', (db) =>
      db.selectFrom('profiles').selectAll().where('org', '=', ORG).where('profile', '=', slot<string>('profile')),
    ),
    listProfileNames: compile('list-profile-names', (db) =>
      db.selectFrom('profiles').select('profile').where('org', '=', ORG).orderBy('profile'),
    ),
    sitesOfProfile: compile('sites-of-profile', (db) =>
      db
        .selectFrom('sites')
        .select(WHOLE)
        .where('org', '=', ORG)
        .where('profile', '=', slot<string>('profile'))
        .where('site', '>', slot<string>('after'))
        .orderBy('site')
        .limit(slot<number>('limit')),
    ),
    apiKeys: compile('api-keys', (db) =>
      db.selectFrom('api_keys').selectAll().where('org', '=', ORG).where('site', '=', SITE).orderBy('created').orderBy('id'),
    ),
    apiKey: compile('api-key', (db) => db.selectFrom('api_keys').selectAll().where('id', '=', slot<string>('id'))),
    subscriptions: compile('subscriptions', (db) =>
      db.selectFrom('event_subscriptions').selectAll().where('org', '=', ORG).orderBy('created').orderBy('id'),
    ),
    webhookSubscriptions: compile('webhook-subscriptions', (db) =>
      db.selectFrom('event_subscriptions').selectAll().where('channel', '=', 'webhook'),
    ),
    publicConfig: compile('public-config', (db) =>
      db
        .selectFrom('sites')
        .select(['public_json', 'public_etag'])
        .where('org', '=', ORG)
        .where('site', '=', SITE)
        .where('public_json', 'is not', null),
    ),
    secrets: compile('secrets', (db) =>
      db.selectFrom('secrets').selectAll().where('org', '=', ORG).where('site', '=', SITE).orderBy('name'),
    ),
    secret: compile('secret', (db) =>
      db.selectFrom('secrets').selectAll().where('org', '=', ORG).where('site', '=', SITE).where('name', '=', slot<string>('name')),
    ),
    keySecrets: compile('key-secrets', (db) => db.selectFrom('secrets').selectAll().where('type', '=', 'key')),
    secretHolders: compile('secret-holders', (db) =>
      db.selectFrom('sites').select(WHOLE).where('repository', '=', slot<string>('repository')).where('holds_secret', '=', 1),
    ),
    secretHoldersOfOrg: compile('secret-holders-of-org', (db) =>
      db
        .selectFrom('sites')
        .select(WHOLE)
        .where('org', '=', ORG)
        .where('repository', '=', slot<string>('repository'))
        .where('holds_secret', '=', 1),
    ),
    anySiteOfRepository: compile('any-site-of-repository', (db) => db.selectFrom('sites').select(WHOLE).where(ON_REPOSITORY).limit(1)),
    anySiteOfOrgOnRepository: compile('any-site-of-org-on-repository', (db) =>
      db.selectFrom('sites').select(WHOLE).where('org', '=', ORG).where(ON_REPOSITORY).limit(1),
    ),
    sitesOfOrgOnRepository: compile('sites-of-org-on-repository', (db) =>
      db
        .selectFrom('sites')
        .select(WHOLE)
        .where('org', '=', ORG)
        .where(ON_REPOSITORY)
        .where('site', '>', slot<string>('after'))
        .orderBy('site')
        .limit(slot<number>('limit')),
    ),
    shortestSiteOfRepository: compile('shortest-site', (db) =>
      db.selectFrom('sites').select(['org', 'site']).where(ON_REPOSITORY).orderBy(NAMES_LENGTH).limit(1),
    ),
    shortestSiteOfOrg: compile('shortest-site-of-org', (db) =>
      db.selectFrom('sites').select(['org', 'site']).where('org', '=', ORG).where(ON_REPOSITORY).orderBy(NAMES_LENGTH).limit(1),
    ),
    siteCheck: compile('site-check', (db) =>
      db
        .selectFrom('site_checks')
        .select(['org', 'site', 'revision', 'state', 'summary', 'looks'])
        .where('org', '=', ORG)
        .where('site', '=', SITE),
    ),
    robots: compile('robots', (db) => db.selectFrom('sites').select('robots').where('org', '=', ORG).where('site', '=', SITE)),
  };
}

export type ReadStatements = ReturnType<typeof readStatements>;

/** What an organization has, of few rows that the database counts by itself; see `storedUsage`. */
function usageStatement(compile: Compile): Statement {
  return compile('usage', (db) =>
    db
      .selectFrom('org_usage')
      .select(COUNTED.map((name) => sql<number>`coalesce(sum(${sql.ref(name)}), 0)`.as(name)))
      .where('org', '=', slot<string>('org')),
  );
}

const COUNTED = ['sites', 'versions', 'bytes', 'secrets', 'api_keys'] as const;
