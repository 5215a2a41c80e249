import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { REPOSITORY_KEY } from './repository-key.ts';
import { slot } from './statement.ts';
import type { Compile, Statement } from './statement.ts';
import type { Dialect } from './tables.ts';

const text = (name: string) => slot<string>(name);
const integer = (name: string) => slot<number>(name);

/** A site whose parts are such that the store finds it by them. */
const IS_COMPLETE = sql`case when s.content_root is not null and s.repository is not null then 1 else 0 end`;
/** Keys of the origins of a site: see `originOf`. */
const EXTERNAL = sql`'byogit:' || s.org || ':' || substr(s.repository, 8)`;
const IS_OF_ORIGIN = sql`(j.key = lower(s.repository)
  or (s.repository like 'byogit:%' and j.key >= ${EXTERNAL} || ':' and j.key < ${EXTERNAL} || ';'))`;
const IS_DUE = sql`(c.service_at is null or c.service_at < ${text('before')} or c.service_version <> s.version
  or exists (select 1 from code_jobs as j where j.ref = 'main' and j.ended > c.service_at and ${IS_OF_ORIGIN}))`;
const CHECKED = sql`sites as s left join site_checks as c on c.org = s.org and c.site = s.site`;
const IS_MINE = sql`org = ${text('org')} and owner = ${text('owner')}`;

/** Every query about stored checks and their rounds. What changes something answers a row for each that it changed. */
export function checkStatements(compile: Compile) {
  const raw = (name: string, query: RawBuilder<unknown>): Statement => compile(name, (db) => ({ compile: () => query.compile(db) }));
  return {
    list: raw(
      'checks-list',
      sql`select s.site, s.version as site_version, s.repository, ${IS_COMPLETE} as complete, c.state, c.summary, c.checked_at, c.version,
        c.authoring_at, c.authoring_by from ${CHECKED}
        where s.org = ${text('org')} and s.site > ${text('after')} order by s.site limit ${integer('limit')}`,
    ),
    states: raw(
      'checks-states',
      sql`select state, complete, count(*) as sites from (select c.state, ${IS_COMPLETE} as complete from ${CHECKED}
        where s.org = ${text('org')}) as stood group by state, complete`,
    ),
    repositories: raw(
      'checks-repositories',
      sql`select min(repository) as repository, count(*) as sites from sites where org = ${text('org')} and repository is not null
        group by ${REPOSITORY_KEY}`,
    ),
    openSyncs: raw(
      'checks-open-syncs',
      sql`select j.key from code_jobs as j where j.ref = ${text('ref')} and j.state <> 'stopped' and (
        j.key in (select lower(repository) from sites where org = ${text('org')} and repository is not null)
        or (j.key >= ${text('from')} and j.key < ${text('until')}))`,
    ),
    changes: raw(
      'checks-changes',
      sql`select day, count(*) as count from (select substr(time, 1, 10) as day from audit
        where org = ${text('org')} and time >= ${text('since')} and action not like 'start-sync/%' and action not like 'stop-sync/%'
        order by time desc limit ${integer('limit')}) as counted group by day`,
    ),
    syncs: raw(
      'checks-syncs',
      sql`select substr(j.ended, 1, 10) as day, count(*) as count, sum(j.failed) as failed from code_jobs as j
        where j.ended >= ${text('since')} and (
          j.key in (select lower(repository) from sites where org = ${text('org')} and repository is not null)
          or (j.key >= ${text('from')} and j.key < ${text('until')})) group by substr(j.ended, 1, 10)`,
    ),
    due: raw(
      'checks-due',
      sql`select s.site from ${CHECKED} where s.org = ${text('org')} and s.site > ${text('after')} and ${IS_DUE}
        order by s.site limit ${integer('limit')}`,
    ),
    countDue: raw('checks-count-due', sql`select count(*) as count from ${CHECKED} where s.org = ${text('org')} and ${IS_DUE}`),
    dueOrgs: raw(
      'checks-due-orgs',
      sql`select o.org from orgs as o left join check_rounds as r on r.org = o.org
        where coalesce(r.due, '') <= ${text('now')} and coalesce(r.lease_until, '') <= ${text('leased')}
        order by coalesce(r.due, ''), o.org limit ${integer('limit')}`,
    ),
    synced: raw(
      'checks-synced',
      sql`select distinct origin from code_jobs where ended >= ${text('since')} and ref = ${text('ref')} and origin > ${text('after')}
        order by origin limit ${integer('limit')}`,
    ),
    // One that was cut off is begun anew as what it was; behind those that wait longer, so that rounds which fail each time hold nobody up.
    claimRound: raw(
      'round-claim',
      sql`insert into check_rounds (org, due, owner, lease_until, since, whole, again, done, total)
        values (${text('org')}, ${text('now')}, ${text('owner')}, ${text('until')}, ${text('now')}, ${integer('whole')}, 0, 0, 0)
        on conflict (org) do update set owner = excluded.owner, lease_until = excluded.lease_until, since = excluded.since,
          whole = case when check_rounds.whole + check_rounds.again > 0 then 1 else excluded.whole end, again = 0, done = 0, total = 0,
          due = excluded.due
        where check_rounds.lease_until <= ${text('leased')} returning *`,
    ),
    joinRound: raw(
      'round-join',
      sql`update check_rounds set again = case when whole = 1 then again else 1 end
        where org = ${text('org')} and lease_until > ${text('leased')} returning *`,
    ),
    saveRound: raw(
      'round-save',
      sql`update check_rounds set done = ${integer('done')}, total = ${integer('total')}, lease_until = ${text('until')}
        where ${IS_MINE} returning org`,
    ),
    finishRound: raw(
      'round-finish',
      sql`update check_rounds set owner = '', lease_until = '', whole = 0, due = ${text('due')} where ${IS_MINE} and again = 0 returning org`,
    ),
    releaseRound: raw('round-release', sql`update check_rounds set owner = '', lease_until = '' where ${IS_MINE} returning org`),
    round: raw('round', sql`select * from check_rounds where org = ${text('org')} and lease_until > ${text('leased')}`),
  };
}

/** How the check of a site is read and stored. A site that is gone keeps nothing. */
export function siteCheckStatements(compile: Compile, dialect: Dialect) {
  const raw = (name: string, query: RawBuilder<unknown>): Statement => compile(name, (db) => ({ compile: () => query.compile(db) }));
  // Who removes the site at the same moment waits, and then removes this with it.
  const held = dialect === 'postgres' ? sql`for key share` : sql``;
  const value = (name: string) => sql`cast(${text(name)} as text)`;
  const number = (name: string) => sql`cast(${integer(name)} as integer)`;
  return {
    // A site that a profile made another keeps its version.
    ageSiteCheck: raw(
      'site-check-age',
      sql`update site_checks set service_version = 0 where org = ${text('org')} and site = ${text('site')}`,
    ),
    insertSiteCheck: raw(
      'site-check-insert',
      sql`insert into site_checks (org, site, revision, state, version, checked_at, service_at, service_version, authoring_at, authoring_by,
          summary, looks)
        select org, site, 1, ${value('state')}, ${number('version')}, ${value('checked_at')}, ${value('service_at')},
          ${number('service_version')}, ${value('authoring_at')}, ${value('authoring_by')}, ${value('summary')}, ${value('looks')}
        from sites where org = ${text('org')} and site = ${text('site')} ${held} on conflict do nothing`,
    ),
    updateSiteCheck: raw(
      'site-check-update',
      sql`update site_checks set revision = ${integer('seen')} + 1, state = ${text('state')}, version = ${integer('version')},
          checked_at = ${text('checked_at')}, service_at = ${text('service_at')}, service_version = ${integer('service_version')},
          authoring_at = ${text('authoring_at')}, authoring_by = ${text('authoring_by')}, summary = ${text('summary')},
          looks = ${text('looks')}
        where org = ${text('org')} and site = ${text('site')} and revision = ${integer('seen')}`,
    ),
  };
}
