import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { slot } from './statement.ts';
import type { Compile, Statement } from './statement.ts';
import type { Dialect } from './tables.ts';

const text = (name: string) => slot<string>(name);
const integer = (name: string) => slot<number>(name);
const OF_ONE = sql`org = ${text('org')} and rollout = ${text('rollout')}`;
// A program of before leaves the mark where it gives a site back what it had.
const STUCK = sql`case when state in ('staged', 'changed') then stuck else 0 end`;
const SITE = sql`org, rollout, site, wave, state, judged, ${STUCK} as stuck, document`;
const IS_OPEN = sql`state in ('running', 'undoing')`;
const IS_ENDED = sql`state in ('done', 'undone')`;

/** What a write changes of rollouts. */
export function rolloutWriteStatements(compile: Compile, dialect: Dialect) {
  const raw = rawBy(compile);
  const listed =
    dialect === 'postgres'
      ? sql`select (value ->> 0) as site, (place - 1)::int as position, (value ->> 1)::int as wave
          from json_array_elements(${text('sites')}::text::json) with ordinality as listed(value, place)`
      : sql`select value ->> 0 as site, key as position, value ->> 1 as wave from json_each(${text('sites')})`;
  return {
    openRollouts: raw('open-rollouts', sql`select id from rollouts where org = ${text('org')} and not ${IS_ENDED}`),
    insertRollout: raw(
      'insert-rollout',
      sql`insert into rollouts (org, id, state, started, revision, document)
        values (${text('org')}, ${text('id')}, ${text('state')}, ${text('started')}, 1, ${text('document')})`,
    ),
    insertRolloutSites: raw(
      'insert-rollout-sites',
      sql`insert into rollout_sites (org, rollout, site, position, wave, state)
        select cast(${text('org')} as text), cast(${text('id')} as text), site, position, wave, 'waiting' from (${listed}) as given`,
    ),
    putRollout: raw(
      'put-rollout',
      sql`update rollouts set state = ${text('state')}, revision = revision + 1, document = ${text('document')}
        where org = ${text('org')} and id = ${text('id')} and revision = ${integer('seen')}`,
    ),
    putRolloutSite: raw(
      'put-rollout-site',
      sql`update rollout_sites set state = ${text('state')}, judged = ${integer('judged')}, worse = ${integer('worse')},
        stuck = ${integer('stuck')}, document = ${text('document')}
        where ${OF_ONE} and site = ${text('site')} and state = ${text('seen')} and exists (select 1 from rollouts as r
          where r.org = ${text('org')} and r.id = ${text('rollout')} and r.state = ${text('during')})`,
    ),
    putRolloutSites: raw(
      'put-rollout-sites',
      sql`update rollout_sites set state = ${text('to')} where ${OF_ONE} and state = ${text('from')}
        and (cast(${text('extending')} as text) = '' or exists (select 1 from sites as s
          where s.org = rollout_sites.org and s.site = rollout_sites.site and s.profile = ${text('extending')}))`,
    ),
    unstickRolloutSites: raw('unstick-rollout-sites', sql`update rollout_sites set stuck = 0 where ${OF_ONE} and stuck = 1`),
  };
}

/** Every other query about rollouts. What changes something answers a row for each that it changed. */
export function rolloutStatements(compile: Compile) {
  const raw = rawBy(compile);
  return {
    list: raw(
      'rollouts-list',
      sql`select org, id, state, revision, document from rollouts where org = ${text('org')} order by started desc, id`,
    ),
    counts: raw(
      'rollouts-counts',
      sql`select state, count(*) as sites, sum(worse) as worse, sum(${STUCK}) as stuck from rollout_sites
        where ${OF_ONE} and (${integer('wave')} = 0 or wave = ${integer('wave')}) group by state`,
    ),
    sites: raw(
      'rollouts-sites',
      sql`select ${SITE} from rollout_sites where ${OF_ONE} and site > ${text('after')}
        and (cast(${text('state')} as text) = '' or state = ${text('state')})
        and (cast(${integer('worse')} as integer) = -1 or worse = ${integer('worse')})
        and (cast(${integer('stuck')} as integer) = -1 or ${STUCK} = ${integer('stuck')}) order by site limit ${integer('limit')}`,
    ),
    next: raw(
      'rollouts-next',
      sql`select ${SITE} from rollout_sites where ${OF_ONE} and state = ${text('state')} and wave <= ${integer('wave')}
        and stuck = 0 order by position limit ${integer('limit')}`,
    ),
    // Within a text of the document the quotes of such a name would be escaped.
    unnoted: raw(
      'rollouts-unnoted',
      sql`select ${SITE} from rollout_sites where ${OF_ONE} and state = 'waiting' and document not like '%"wrong":%'
        order by position limit ${integer('limit')}`,
    ),
    unjudged: raw(
      'rollouts-unjudged',
      sql`select ${SITE} from rollout_sites where ${OF_ONE} and state in ('changed', 'staged') and judged = 0
        order by position limit ${integer('limit')}`,
    ),
    open: raw(
      'rollouts-open',
      sql`select org, id from rollouts where ${IS_OPEN} and lease_until <= ${text('leased')} order by lease_until, started
        limit ${integer('limit')}`,
    ),
    claim: raw(
      'rollouts-claim',
      sql`update rollouts set owner = ${text('owner')}, lease_until = ${text('until')} where org = ${text('org')} and id = ${text('id')}
        and ${IS_OPEN} and (owner = ${text('owner')} or lease_until <= ${text('leased')}) returning id`,
    ),
    // What it says of one that nobody works on is when it had its turn: see the order of those that are open.
    release: raw(
      'rollouts-release',
      sql`update rollouts set lease_until = ${text('now')} where org = ${text('org')} and id = ${text('id')} and owner = ${text('owner')}
        returning id`,
    ),
    forgetSites: raw(
      'rollouts-forget-sites',
      sql`delete from rollout_sites where org = ${text('org')} and rollout in (select id from rollouts where org = ${text('org')} and ${IS_ENDED}
        and id not in (select id from rollouts where org = ${text('org')} order by started desc, id limit ${integer('kept')})) returning site`,
    ),
    forget: raw(
      'rollouts-forget',
      sql`delete from rollouts where org = ${text('org')} and ${IS_ENDED}
        and id not in (select id from rollouts where org = ${text('org')} order by started desc, id limit ${integer('kept')}) returning id`,
    ),
  };
}

/** Of one, as a write reads it. */
export function rolloutReadStatements(compile: Compile) {
  const raw = rawBy(compile);
  return {
    rollout: raw('rollout', sql`select org, id, state, revision, document from rollouts where org = ${text('org')} and id = ${text('id')}`),
    rolloutSite: raw(
      'rollout-site',
      sql`select s.org, s.rollout, s.site, s.wave, s.state, s.judged, s.stuck, s.document, r.state as during from rollout_sites as s
        join rollouts as r on r.org = s.org and r.id = s.rollout
        where s.org = ${text('org')} and s.rollout = ${text('id')} and s.site = ${text('site')}`,
    ),
  };
}

function rawBy(compile: Compile) {
  return (name: string, query: RawBuilder<unknown>): Statement => compile(name, (db) => ({ compile: () => query.compile(db) }));
}
