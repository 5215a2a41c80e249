import { sql } from 'kysely';
import type { EventKind } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Query, WriteQueries } from '../db/queries.ts';
import type { Writes } from '../domain/ports.ts';

/** Open (1), or displaced by other causes (2). Closed causes have 0. */
export const IS_WRONG = sql`(open = 1 or open = 2)`;
const MOST = sql.lit(LIMITS.openCauses);

/** Triggers create the events of causes that start and end; a change without effect creates none. */
export function causeWrites({ may }: WriteQueries): Pick<Writes, 'setCause'> {
  return {
    async setCause({ kind, cause, org, site, repository, ref, isOpen, time, about, detail }) {
      if (!isOpen)
        return await may(sql`update event_causes set open = 0, changed = ${time}, about = ${about}, detail = null
          where kind = ${kind} and cause = ${cause} and org = ${org} and ${IS_WRONG}`);
      const openOnes = sql`(select count(*) from event_causes as others where others.org = ${org} and others.open = 1)`;
      if (FOUND_ONCE.has(kind))
        await may(sql`update event_causes set open = 2 where org = ${org} and open = 1 and ${openOnes} >= ${MOST}
          and not exists (select 1 from event_causes as present where present.kind = ${kind} and present.cause = ${cause}
            and present.org = ${org} and present.open <> 0)
          and (kind, cause) in (select kind, cause from (
            select kind, cause, row_number() over (order by changed desc, kind, cause) as place from event_causes as others
            where others.org = ${org} and others.open = 1) as placed where place >= ${MOST})`);
      const texts = [kind, cause, org, site, repository, ref].map((value) => sql`cast(${value ?? null} as text)`);
      await may(sql`insert into event_causes (kind, cause, org, site, repository, ref, open, changed, about, detail)
        select ${sql.join(texts)}, 1, cast(${time} as text), cast(${about} as text), cast(${detail ?? null} as text)
        where ${openOnes} < ${MOST}
        on conflict (kind, cause, org) do update set open = 1, changed = excluded.changed, about = excluded.about, detail = excluded.detail
          where event_causes.open <> 1`);
    },
  };
}

/**
 * Found only when they start, so the oldest open causes are displaced by them. The others are searched for repeatedly, and recorded once
 * there is capacity.
 */
const FOUND_ONCE: ReadonlySet<EventKind> = new Set<EventKind>(['check-failed', 'drift', 'rollout-stopped']);

/** The value's expiry is part of it: another value, or another expiry, is another cause. */
const SECRET = sql`'secret:' || secrets.site || '/' || secrets.name || '@' || secrets.last_modified`;
const OPEN_OF = (table: string) =>
  sql`(select count(*) from event_causes as others where others.org = ${sql.ref(table)}.org and others.open = 1)`;
const REOPEN = sql`on conflict (kind, cause, org) do update
  set open = 1, changed = excluded.changed, about = excluded.about, detail = excluded.detail where event_causes.open <> 1`;

/**
 * Records what expires before `soon`, ends causes of what no longer exists, and removes what is older than `old`. Each is one statement:
 * one node does it for all.
 */
export async function tidyEvents(change: Query, times: { readonly now: Date; readonly soon: Date; readonly old: Date }): Promise<void> {
  const [now, soon, old] = [times.now.toISOString(), times.soon.toISOString(), times.old.toISOString()];
  await noteKeysThatEnd(change, now, soon);
  await noteSecretsThatEnd(change, now, soon);
  await endCausesOfRemoved(change, now);
  await remind(change, now, old);
  await removeOld(change, now, old);
}

async function noteKeysThatEnd(change: Query, now: string, soon: string): Promise<void> {
  await change(sql`insert into event_causes (kind, cause, org, site, open, changed, about, detail)
    select 'expires-soon', 'api-key:' || id, org, nullif(site, ''), 1, cast(${now} as text), id, expires from api_keys
    where expires > ${now} and expires <= ${soon}
      and not exists (select 1 from event_causes as noted
        where noted.kind = 'expires-soon' and noted.cause = 'api-key:' || api_keys.id and noted.org = api_keys.org and noted.open = 1)
      and ${OPEN_OF('api_keys')} < ${MOST}
    order by expires, id limit 500 ${REOPEN}`);
  await change(sql`update event_causes set open = 0, changed = ${now}, detail = null
    where kind = 'expires-soon' and ${IS_WRONG} and not exists (select 1 from api_keys where 'api-key:' || id = event_causes.cause)`);
}

async function noteSecretsThatEnd(change: Query, now: string, soon: string): Promise<void> {
  await change(sql`insert into event_causes (kind, cause, org, site, open, changed, about, detail)
    select 'secret-ends', ${SECRET}, org, case when site = '*' or site like 'profiles/%' then null else site end, 1, cast(${now} as text),
      case when site like 'profiles/%' then site || '/' || name else name end, expires from secrets
    where expires <= ${soon} and expires_of = last_modified and name not like 'token/%'
      and not exists (select 1 from event_causes as noted where noted.kind = 'secret-ends' and noted.open = 1
        and noted.cause = ${SECRET} and noted.org = secrets.org)
      and ${OPEN_OF('secrets')} < ${MOST}
    order by expires, org, site, name limit 500 ${REOPEN}`);
  await change(sql`update event_causes set open = 0, changed = ${now}, detail = null
    where kind = 'secret-ends' and ${IS_WRONG} and not exists (select 1 from secrets
      where secrets.org = event_causes.org and expires_of = last_modified and ${SECRET} = event_causes.cause)`);
}

async function endCausesOfRemoved(change: Query, now: string): Promise<void> {
  await change(sql`update event_causes set open = 0, changed = ${now}, detail = null
    where kind in ('sync-failed', 'sync-silent') and ${IS_WRONG} and not exists (select 1 from sites
      where sites.org = event_causes.org and lower(sites.repository) = lower(event_causes.repository))`);
  await change(sql`update event_causes set open = 0, changed = ${now}, detail = null
    where kind in ('check-failed', 'drift') and ${IS_WRONG} and not exists (select 1 from sites
      where sites.org = event_causes.org and sites.site = event_causes.site)`);
}

/** No one can use it any longer, and its owner was notified: its end needs no event. */
const hasExpired = (now: string) => sql`(kind = 'expires-soon' and detail <= ${now})`;

/** A trigger creates an event for each renewed cause. */
async function remind(change: Query, now: string, old: string): Promise<void> {
  // A cause that lasts longer than its event is retained gets another one.
  await change(sql`update event_causes set changed = ${now} where open = 1 and changed < ${old} and (kind, cause, org) in (
    select kind, cause, org from event_causes where open = 1 and changed < ${old} and not ${hasExpired(now)}
    order by changed, org, kind, cause limit 500)`);
  // An expired secret is still in use: notified when it expires, and every week while it exists.
  const week = new Date(Date.parse(now) - WEEK).toISOString();
  const isDue = sql`kind = 'secret-ends' and open = 1 and detail <= ${now} and (changed < detail or changed <= ${week})`;
  await change(sql`update event_causes set changed = ${now} where ${isDue} and (kind, cause, org) in (
    select kind, cause, org from event_causes where ${isDue} order by changed, org, cause limit 500)`);
}

async function removeOld(change: Query, now: string, old: string): Promise<void> {
  await change(sql`delete from event_causes where open = 2 and (kind, cause, org) in (select kind, cause, org from (
    select kind, cause, org, row_number() over (partition by org order by changed desc, kind, cause) as place from event_causes where open = 2)
    as placed where place > ${MOST})`);
  await change(sql`delete from event_causes where changed < ${old} and (open <> 1 or ${hasExpired(now)})`);
  await change(sql`delete from events where (time < ${old} or id in (select id from (
      select id, row_number() over (partition by org order by id desc) as place from events) as placed where place > ${sql.lit(LIMITS.storedEvents)}))
    and not exists (select 1 from event_delivery_items join event_deliveries on event_deliveries.id = event_delivery_items.delivery
      where event_delivery_items.event = events.id and event_deliveries.state = 'waiting')`);
  await change(sql`delete from event_deliveries
    where not exists (select 1 from event_subscriptions where event_subscriptions.id = subscription)
      or (state <> 'waiting' and (created < ${old} or id in (select id from (
        select id, row_number() over (partition by subscription order by created desc, id desc) as place from event_deliveries) as placed
        where place > ${sql.lit(LIMITS.storedDeliveries)})))`);
}

const WEEK = 7 * 24 * 60 * 60 * 1000;
