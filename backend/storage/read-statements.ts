import { historyStatements } from './history-statements.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';

const ORG = slot<string>('org');
const SITE = slot<string>('site');

const WHOLE = ['org', 'site', 'config', 'aggregate', 'etag', 'version'] as const;

/** Every query that reads. */
export function readStatements(compile: Compile) {
  return {
    ...historyStatements(compile),
    org: compile('org', (db) => db.selectFrom('orgs').select(['org', 'config', 'etag', 'version']).where('org', '=', ORG)),
    site: compile('site', (db) => db.selectFrom('sites').select(WHOLE).where('org', '=', ORG).where('site', '=', SITE)),
    orgAndSite: compile('org-and-site', (db) =>
      db
        .selectFrom('orgs')
        .leftJoin('sites', (join) => join.onRef('sites.org', '=', 'orgs.org').on('sites.site', '=', SITE))
        .select(['orgs.org', 'orgs.config as org_config', 'orgs.etag as org_etag', 'orgs.version as org_version'])
        .select(['sites.site', 'sites.config', 'sites.aggregate', 'sites.etag', 'sites.version'])
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
    profile: compile('profile', (db) =>
      db.selectFrom('profiles').selectAll().where('org', '=', ORG).where('profile', '=', slot<string>('profile')),
    ),
    listProfileNames: compile('list-profile-names', (db) =>
      db.selectFrom('profiles').select('profile').where('org', '=', ORG).orderBy('profile'),
    ),
    sitesOfProfile: compile('sites-of-profile', (db) =>
      db.selectFrom('sites').select(WHOLE).where('org', '=', ORG).where('profile', '=', slot<string>('profile')).orderBy('site'),
    ),
    apiKeys: compile('api-keys', (db) =>
      db.selectFrom('api_keys').selectAll().where('org', '=', ORG).where('site', '=', SITE).orderBy('created').orderBy('id'),
    ),
    apiKey: compile('api-key', (db) => db.selectFrom('api_keys').selectAll().where('id', '=', slot<string>('id'))),
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
    anySiteOfRepository: compile('any-site-of-repository', (db) =>
      db.selectFrom('sites').select(WHOLE).where('repository', '=', slot<string>('repository')).limit(1),
    ),
    robots: compile('robots', (db) => db.selectFrom('sites').select('robots').where('org', '=', ORG).where('site', '=', SITE)),
  };
}

export type ReadStatements = ReturnType<typeof readStatements>;
