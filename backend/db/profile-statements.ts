import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { DEFAULT_PROFILE } from '../sites/aggregate-site.ts';
import { API_KEY_SLOTS, PROFILE_SLOTS } from './row-slots.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import type { DerivedRow, Dialect, Tables } from './tables.ts';

const ORG = slot<string>('org');
const SITE = slot<string>('site');
const PROFILE = slot<string>('profile');
const SEEN = slot<number>('seen');

/** Every query that changes profiles, what sites make of them, and API keys; and the looks that go before. */
export function profileStatements(compile: Compile, dialect: Dialect) {
  // SQLite has one writer, so that nothing has to be held there.
  const locks = dialect === 'postgres';
  const profile = (db: Kysely<Tables>, name: string = PROFILE) =>
    db.selectFrom('profiles').select('version').where('org', '=', ORG).where('profile', '=', name);
  return {
    shareProfile: compile('share-profile', (db) => profile(db).$if(locks, (row) => row.forShare())),
    holdProfile: compile('hold-profile', (db) => profile(db).$if(locks, (row) => row.forUpdate())),
    /**
     * The version of the default profile, where there is one. With PostgreSQL whoever writes sites or the profile holds the end of the
     * organization's audit trail first, for a profile that is not there yet cannot be held.
     */
    defaultProfile: compile('default-profile', (db) => {
      const held = sql<number | null>`select repoless_default_profile(${ORG}) as version`;
      return locks ? { compile: () => held.compile(db) } : profile(db, DEFAULT_PROFILE);
    }),
    versionsOfSites: compile('versions-of-sites', (db) =>
      db.selectFrom('sites').select(['site', 'version']).where('org', '=', ORG).where('profile', '=', PROFILE),
    ),
    insertProfile: compile('insert-profile', (db) => db.insertInto('profiles').values(PROFILE_SLOTS)),
    updateProfile: compile('update-profile', (db) =>
      db.updateTable('profiles').set(PROFILE_SLOTS).where('org', '=', ORG).where('profile', '=', PROFILE).where('version', '=', SEEN),
    ),
    upsertProfile: compile('upsert-profile', (db) =>
      db
        .insertInto('profiles')
        .values(PROFILE_SLOTS)
        .onConflict((conflict) => conflict.columns(['org', 'profile']).doUpdateSet(PROFILE_SLOTS)),
    ),
    deleteProfile: compile('delete-profile', (db) => db.deleteFrom('profiles').where('org', '=', ORG).where('profile', '=', PROFILE)),
    deleteSeenProfile: compile('delete-seen-profile', (db) =>
      db.deleteFrom('profiles').where('org', '=', ORG).where('profile', '=', PROFILE).where('version', '=', SEEN),
    ),
    putAggregates: compile('put-aggregates', (db) => ({ compile: () => putAggregates(dialect).compile(db) })),
    siteIsThere: compile('site-is-there', (db) =>
      db
        .selectFrom('sites')
        .select('version')
        .where('org', '=', ORG)
        .where('site', '=', SITE)
        .$if(locks, (row) => row.forKeyShare()),
    ),
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
  };
}

/** Any number of sites at once, each only where it is as it was seen: `rows` is a JSON list of rows with `seen`. */
function putAggregates(dialect: Dialect) {
  const rows = slot<string>('rows');
  const names = sql.raw([...COLUMNS.keys()].join(', '));
  const typed = sql.raw([...COLUMNS].map(([name, type]) => `${name} ${type}`).join(', '));
  const picked = sql.raw([...COLUMNS.keys()].map((name) => `value ->> '$.${name}' as ${name}`).join(', '));
  const input =
    dialect === 'postgres'
      ? sql`json_to_recordset(${rows}::json) as input(${typed})`
      : sql`(select ${picked} from json_each(${rows})) as input`;
  const set = sql.raw(DERIVED.map((name) => `${name} = input.${name}`).join(', '));
  return sql`with input as (select ${names} from ${input})
    update sites set ${set} from input
    where sites.org = input.org and sites.site = input.site and (input.seen is null or sites.version = input.seen)`;
}

const DERIVED = [
  'aggregate',
  'aggregate_digest',
  'content_root',
  'repository',
  'holds_secret',
  'public_json',
  'public_etag',
  'robots',
  'robots_digest',
] as const satisfies readonly (keyof DerivedRow)[];
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ...['org', 'site', ...DERIVED].map((name) => [name, name === 'holds_secret' ? 'int4' : 'text'] as const),
  ['seen', 'int4'] as const,
]);
