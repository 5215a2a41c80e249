import { sql } from 'kysely';
import { LIMITS } from '@repoless/contract/limits.ts';
import { IS_WRONG } from './event-statements.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';

const NOW = slot<string>('now');

/** The end of a value: another value, or another end, is another cause. */
const SECRET = sql`'secret:' || secrets.site || '/' || secrets.name || '@' || secrets.last_modified`;

/** What is looked for from time to time, in this order: each is one statement, and whoever does it first has done it for all. */
export function eventLookStatements(compile: Compile) {
  const now = sql`cast(${NOW} as text)`;
  const old = slot<string>('old');
  // Nobody can use it any longer, and whoever had it was told: its end needs nothing.
  const isOver = sql`kind = 'expires-soon' and detail <= ${NOW}`;
  const query = (name: string, text: ReturnType<typeof sql>) => compile(name, (db) => ({ compile: () => text.compile(db) }));
  const [begun, ended] = [sql.lit(LIMITS.openCauses), sql.lit(LIMITS.eventsKept)];
  return [
    query(
      'note-keys-that-end',
      sql`insert into event_causes (kind, cause, org, site, open, changed, about, detail)
        select 'expires-soon', 'api-key:' || id, org, nullif(site, ''), 1, ${now}, id, expires from api_keys
        where expires > ${NOW} and expires <= ${slot<string>('soon')}
          and not exists (select 1 from event_causes as noted
            where noted.kind = 'expires-soon' and noted.cause = 'api-key:' || api_keys.id and noted.org = api_keys.org and noted.open = 1)
          and (select count(*) from event_causes as others where others.org = api_keys.org and others.open = 1) < ${begun}
        order by expires, id limit 500
        on conflict (kind, cause, org) do update set open = 1, changed = excluded.changed, about = excluded.about, detail = excluded.detail
          where event_causes.open <> 1`,
    ),
    query(
      'end-keys-that-went',
      sql`update event_causes set open = 0, changed = ${NOW}, detail = null
        where kind = 'expires-soon' and ${IS_WRONG} and not exists (select 1 from api_keys where 'api-key:' || id = event_causes.cause)`,
    ),
    query(
      'note-secrets-that-end',
      sql`insert into event_causes (kind, cause, org, site, open, changed, about, detail)
        select 'secret-ends', ${SECRET}, org, case when site = '*' or site like 'profiles/%' then null else site end, 1, ${now},
          case when site like 'profiles/%' then site || '/' || name else name end, expires from secrets
        where expires <= ${slot<string>('soon')} and expires_of = last_modified and name not like 'token/%'
          and not exists (select 1 from event_causes as noted where noted.kind = 'secret-ends' and noted.open = 1
            and noted.cause = ${SECRET} and noted.org = secrets.org)
          and (select count(*) from event_causes as others where others.org = secrets.org and others.open = 1) < ${begun}
        order by expires, org, site, name limit 500
        on conflict (kind, cause, org) do update set open = 1, changed = excluded.changed, about = excluded.about, detail = excluded.detail
          where event_causes.open <> 1`,
    ),
    query(
      'end-secrets-that-were-replaced',
      sql`update event_causes set open = 0, changed = ${NOW}, detail = null
        where kind = 'secret-ends' and ${IS_WRONG} and not exists (select 1 from secrets
          where secrets.org = event_causes.org and expires_of = last_modified and ${SECRET} = event_causes.cause)`,
    ),
    query(
      'end-syncs-nobody-has',
      sql`update event_causes set open = 0, changed = ${NOW}, detail = null
        where kind in ('sync-failed', 'sync-silent') and ${IS_WRONG} and not exists (select 1 from sites
          where sites.org = event_causes.org and lower(sites.repository) = lower(event_causes.repository))`,
    ),
    query(
      'end-checks-of-removed-sites',
      sql`update event_causes set open = 0, changed = ${NOW}, detail = null
        where kind in ('check-failed', 'drift') and ${IS_WRONG} and not exists (select 1 from sites
          where sites.org = event_causes.org and sites.site = event_causes.site)`,
    ),
    // What lasts longer than its event is kept is told again by a trigger: so it has an event as long as it is there.
    query(
      'renew-causes',
      sql`update event_causes set changed = ${NOW} where open = 1 and changed < ${old} and (kind, cause, org) in (
        select kind, cause, org from event_causes where open = 1 and changed < ${old} and not (${isOver}) order by changed, org, kind, cause limit 500)`,
    ),
    // A value that is over is in use still: told when it ends, and each week that it stays.
    query(
      'remind-of-secrets',
      sql`update event_causes set changed = ${NOW} where kind = 'secret-ends' and open = 1 and detail <= ${NOW}
        and (changed < detail or changed <= ${slot<string>('week')}) and (kind, cause, org) in (
          select kind, cause, org from event_causes where kind = 'secret-ends' and open = 1 and detail <= ${NOW}
            and (changed < detail or changed <= ${slot<string>('week')}) order by changed, org, cause limit 500)`,
    ),
    query(
      'forget-given-way',
      sql`delete from event_causes where open = 2 and (kind, cause, org) in (select kind, cause, org from (
          select kind, cause, org, row_number() over (partition by org order by changed desc, kind, cause) as place from event_causes where open = 2)
        as placed where place > ${begun})`,
    ),
    query('forget-causes', sql`delete from event_causes where changed < ${old} and (open <> 1 or (${isOver}))`),
    query(
      'forget-events',
      sql`delete from events where (time < ${old} or id in (select id from (
          select id, row_number() over (partition by org order by id desc) as place from events) as placed where place > ${ended}))
        and not exists (select 1 from event_delivery_items join event_deliveries on event_deliveries.id = event_delivery_items.delivery
          where event_delivery_items.event = events.id and event_deliveries.state = 'waiting')`,
    ),
    query(
      'forget-deliveries',
      sql`delete from event_deliveries where not exists (select 1 from event_subscriptions where event_subscriptions.id = subscription)
        or (state <> 'waiting' and (created < ${old} or id in (select id from (
          select id, row_number() over (partition by subscription order by created desc, id desc) as place from event_deliveries) as placed
          where place > ${sql.lit(LIMITS.deliveriesKept)})))`,
    ),
  ];
}
