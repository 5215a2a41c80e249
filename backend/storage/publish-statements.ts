import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { slot } from './statement.ts';
import type { Compile, Statement } from './statement.ts';
import type { Dialect } from './tables.ts';

const text = (name: string) => slot<string>(name);
const value = (name: string) => sql`cast(${text(name)} as text)`;
const OF_OWNER = sql`org = ${text('org')} and site = ${text('site')} and owner = ${text('owner')}`;
const FREE = sql`owner = '', lease_until = ''`;
const IS_PLACE = sql`exists (select 1 from publishing where place = ${text('place')})`;
const IS_DUE = sql`next_at <= ${text('now')} and lease_until <= ${text('leased')}`;

/** Every query about the copy of the public configurations. */
export function publishStatements(compile: Compile, dialect: Dialect) {
  const raw = rawBy(compile);
  const listed =
    dialect === 'sqlite'
      ? sql`select value ->> 0 as org, value ->> 1 as site from json_each(${text('sites')})`
      : sql`select value ->> 0 as org, value ->> 1 as site from json_array_elements(${text('sites')}::text::json) as listed(value)`;
  // Who holds rows and waits for others would keep a write waiting that holds those: here nobody waits.
  const unlocked = dialect === 'sqlite' ? sql`` : sql`for update skip locked`;
  const begin =
    dialect === 'sqlite'
      ? sql`insert into publishing (id, place, phase, after_key, due) values (1, ${text('place')}, 'sites', '', '')
          on conflict (id) do update set place = excluded.place, phase = 'sites', after_key = '', due = '', owner = '', lease_until = ''
          where publishing.place <> excluded.place`
      : sql`select repoless_publish_to(${text('place')})`;
  return {
    begin: raw('publish-to', begin),
    stop: [raw('publish-nowhere', sql`delete from publishing`), raw('forget-publish-queue', sql`delete from publish_queue`)],
    claim: raw(
      'claim-publish-queue',
      sql`update publish_queue set owner = ${text('owner')}, lease_until = ${text('until')}, taken = revision, attempts = attempts + 1
        where ${claimed(dialect)} returning org, site, attempts`,
    ),
    document: compile('published-document', (db) =>
      db
        .selectFrom('sites')
        .select(['org', 'site', 'config', 'aggregate', 'etag', 'version', 'digest', 'aggregate_digest', 'public_json', 'public_etag'])
        .where('org', '=', text('org'))
        .where('site', '=', text('site')),
    ),
    finish: raw(
      'finish-publish-queue',
      sql`delete from publish_queue where (org, site) in (
          select org, site from publish_queue where owner = ${text('owner')} and owner <> '' and revision = taken ${unlocked})
        returning org, site`,
    ),
    written: raw(
      'publish-written',
      sql`update publish_queue set owner = ${text('as')}, lease_until = '', problem = ${text('problem')},
          next_at = case when revision = taken then ${value('next')} else '' end
        where (org, site) in (select org, site from publish_queue
          where owner = ${text('owner')} and owner <> '' and (org, site) in (select org, site from (${listed}) as given) ${unlocked})
        returning org, site`,
    ),
    again: raw(
      'publish-again',
      sql`update publish_queue set ${FREE}, attempts = 0, next_at = '', since = ${text('since')}, problem = null where ${OF_OWNER} returning org`,
    ),
    failed: raw(
      'publish-failed',
      sql`update publish_queue set ${FREE}, next_at = case when revision = taken then ${value('next')} else '' end,
        problem = ${text('problem')} where ${OF_OWNER}`,
    ),
    release: raw('release-publish-queue', sql`update publish_queue set ${FREE}, attempts = attempts - 1 where ${OF_OWNER}`),
    queue: raw(
      'queue-publish',
      sql`insert into publish_queue (org, site, revision, since) select org, site, 1, ${value('now')} from (${listed}) as given where true
        on conflict (org, site) do update set revision = publish_queue.revision + 1, next_at = ''`,
    ),
    unknown: raw(
      'unknown-published',
      sql`select org, site from (${listed}) as given where not exists (
        select 1 from sites where sites.org = given.org and sites.site = given.site)`,
    ),
    isWaiting: raw(
      'is-publish-queue-as-long',
      sql`select count(*) as count from (select 1 from publish_queue limit ${slot<number>('count')}) as counted`,
    ),
    waiting: raw('waiting-publish-queue', sql`select count(*) as count, min(since) as oldest from publish_queue`),
    sites: raw(
      'published-sites',
      sql`select org, site from sites where (org, site) > (${text('org')}, ${text('site')}) order by org, site limit ${slot<number>('limit')}`,
    ),
    claimLook: raw(
      'claim-publish-look',
      sql`update publishing set owner = ${text('owner')}, lease_until = ${text('until')},
          phase = case when phase = 'done' then 'sites' else phase end, after_key = case when phase = 'done' then '' else after_key end
        where place = ${text('place')} and due <= ${text('now')} and lease_until <= ${text('leased')}
        returning phase, after_key`,
    ),
    looked: raw(
      'published-look',
      sql`update publishing set ${FREE}, phase = ${text('phase')}, after_key = ${text('after')}, due = ${text('due')}
        where owner = ${text('owner')}`,
    ),
  };
}

/**
 * The first that are due of each organization, in turns of the organizations, which begin behind one and go around: a batch holds no more
 * organizations than sites, and each of them comes before any has its next batch. However many wait, no more is read than what one batch could
 * hold of as many organizations: the queue of a large change is worked off in thousands of batches. PostgreSQL reads rows by their place
 * only where it is given a list of places: joined with these, it would read the whole queue.
 */
function claimed(dialect: Dialect): RawBuilder<unknown> {
  const limit = slot<number>('limit');
  const due = sql`from publish_queue where org = orgs.org and ${IS_DUE} order by next_at, since limit ${limit}`;
  const behind = text('behind');
  // The organizations come in their order. PostgreSQL looks for no further one than is asked for, SQLite must be told: beside
  // them there are the end of the first lap, and whoever is the first behind the second.
  const most = dialect === 'sqlite' ? sql`limit ${limit} + 2` : sql``;
  const inTurn = (place: RawBuilder<unknown>, first: RawBuilder<unknown>) =>
    sql`with recursive waiting(org, lap) as (select min(org), 0 from publish_queue where org > ${behind} and ${IS_DUE} union all
        select (select min(next.org) from publish_queue as next where next.org > coalesce(waiting.org, '') and ${IS_DUE}),
          case when waiting.org is null then 1 else waiting.lap end
        from waiting where waiting.lap = 0 or waiting.org <= ${behind} ${most}),
      orgs(org, lap) as (select org, lap from waiting where org is not null and (lap = 0 or org <= ${behind}) limit ${limit})
      select place from (select first.${place} as place, first.org, orgs.lap,
          row_number() over (partition by first.org order by first.next_at, first.since) as turn from ${first}) as ranked
      order by turn, lap, org limit ${limit}`;
  if (dialect === 'sqlite') {
    const first = sql`orgs join publish_queue as first on first.rowid in (select rowid ${due})`;
    return sql`rowid in (${inTurn(sql`rowid`, first)}) and ${IS_DUE} and ${IS_PLACE}`;
  }
  const first = sql`orgs cross join lateral (select ctid, org, next_at, since ${due}) as first`;
  return sql`ctid = any(array(select ctid from publish_queue where ctid = any(array(${inTurn(sql`ctid`, first)}))
    and ${IS_DUE} and ${IS_PLACE} for update skip locked))`;
}

function rawBy(compile: Compile): (name: string, query: RawBuilder<unknown>) => Statement {
  return (name, query) => compile(name, (db) => ({ compile: () => query.compile(db) }));
}
