import { sql } from 'kysely';
import { EventKind } from '#contract/event.ts';
import { LIMITS } from '#contract/limits.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';

const ID = slot<string>('id');
const ORG = slot<string>('org');
const OWNER = slot<string>('owner');
const NOW = slot<string>('now');
const PERSON = slot<string>('person');
const WAITING = 'waiting';
/** A node of a later version may tell of more (decision 0115). */
const KNOWN = EventKind.options;
const SHOWN = ['id', 'time', 'org', 'kind', 'cause', 'phase', 'site', 'repository', 'ref', 'about', 'detail'] as const;

/** Whether the cause of an event is there still. */
const isOpen = sql<number>`case when exists (select 1 from event_causes where event_causes.kind = events.kind
  and event_causes.cause = events.cause and event_causes.org = events.org and event_causes.open = 1) then 1 else 0 end`;
/** Of a site: what is about itself, or about the repository that it uses. */
const ofSite = sql<boolean>`(${slot<string>('site')} = '' or site = ${slot<string>('site')} or exists (select 1 from sites
  where sites.org = events.org and sites.site = ${slot<string>('site')} and lower(sites.repository) = lower(events.repository)))`;

/** The end of a value: another value, or another end, is another cause. */
const SECRET = sql`'secret:' || secrets.site || '/' || secrets.name || '@' || secrets.last_modified`;

/** Whether no further message to the subscription may wait (decision 0134). */
const IS_FULL = sql<boolean>`(select count(*) from event_deliveries as others where others.subscription = ${slot<string>('subscription')}
  and others.state = 'waiting') >= ${sql.lit(LIMITS.deliveriesWaiting)}`;

/** What the node that asks is working on: it has no further one then. */
const UNDER_WAY = Array.from({ length: LIMITS.deliveriesOfOrg }, (_, index) => slot<string>(`running-${index}`));

const TEST = sql`insert into event_deliveries (id, org, subscription, state, created, next_at, attempts, owner, lease_until)
  select ${ID}, ${ORG}, ${slot<string>('subscription')}, 'waiting', ${NOW}, ${NOW}, 0, '', ''
  where not exists (select 1 from event_deliveries where subscription = ${slot<string>('subscription')} and state = 'waiting'
    and next_at <= ${NOW}) and not (${IS_FULL})
  returning *`;

const waitingOrgs = sql`with recursive waiting(org) as (select min(org) from event_deliveries where state = 'waiting' union all
    select (select min(next.org) from event_deliveries as next where next.state = 'waiting' and next.org > waiting.org)
    from waiting where waiting.org is not null),
  due(org) as (select org from waiting where org is not null and exists (select 1 from event_deliveries where event_deliveries.org = waiting.org
    and state = 'waiting' and next_at <= ${NOW} and lease_until <= ${slot<string>('leased')}))
  select org from due order by case when org > ${slot<string>('behind')} then 0 else 1 end, org limit ${slot<number>('limit')}`;

/** Every query about events and the messages that tell of them. */
export function eventStatements(compile: Compile) {
  const taken = slot<string>('leased');
  return {
    openCauses: compile('open-causes', (db) =>
      db
        .selectFrom('event_causes')
        .select('cause')
        .where('org', '=', ORG)
        .where('kind', '=', slot<string>('kind'))
        .where('open', '=', 1)
        .orderBy('cause'),
    ),
    events: compile('events', (db) =>
      db
        .selectFrom('events')
        .select(SHOWN)
        .select(isOpen.as('open'))
        .where('org', '=', ORG)
        .where('kind', 'in', KNOWN)
        .where('id', '<', slot<number>('before'))
        .where(ofSite)
        .where(sql<boolean>`(${slot<number>('open')} = -1 or ${isOpen} = ${slot<number>('open')})`)
        .orderBy('id', 'desc')
        .limit(slot<number>('limit')),
    ),
    eventsOf: compile('events-of-delivery', (db) =>
      db
        .selectFrom('events')
        .innerJoin('event_delivery_items', 'event_delivery_items.event', 'events.id')
        .select(SHOWN)
        .select(isOpen.as('open'))
        .where('event_delivery_items.delivery', '=', slot<string>('delivery'))
        .where('kind', 'in', KNOWN)
        .orderBy('events.id'),
    ),
    unread: compile('unread-events', (db) =>
      db
        .selectFrom('events')
        .select(sql<number>`count(*)`.as('count'))
        .where('org', '=', ORG)
        .where('kind', 'in', KNOWN)
        .where(sql<boolean>`id > coalesce((select up_to from event_reads where event_reads.org = ${ORG} and person = ${PERSON}), 0)`),
    ),
    markRead: compile('mark-events-read', (db) =>
      db
        .insertInto('event_reads')
        .values({ org: ORG, person: PERSON, up_to: slot<number>('upTo') })
        .onConflict((conflict) =>
          conflict
            .columns(['org', 'person'])
            .doUpdateSet({ up_to: sql<number>`excluded.up_to` })
            .where('event_reads.up_to', '<', sql<number>`excluded.up_to`),
        ),
    ),
    deliveries: compile('event-deliveries', (db) =>
      db
        .selectFrom('event_deliveries')
        .selectAll()
        .where('subscription', '=', slot<string>('subscription'))
        .orderBy('created', 'desc')
        .orderBy('id', 'desc')
        .limit(slot<number>('limit')),
    ),
    test: compile('send-test-message', (db) => ({ compile: () => TEST.compile(db) })),
    again: compile('send-delivery-again', (db) =>
      db
        .updateTable('event_deliveries')
        .set({ state: WAITING, next_at: NOW, attempts: 0, ended: null, owner: '', lease_until: '' })
        .where('id', '=', ID)
        .where('subscription', '=', slot<string>('subscription'))
        .where(sql<boolean>`(state = 'waiting' or not (${IS_FULL}))`)
        .returningAll(),
    ),
    isDelivery: compile('is-delivery', (db) =>
      db.selectFrom('event_deliveries').select('id').where('id', '=', ID).where('subscription', '=', slot<string>('subscription')),
    ),
    // Asked for after each delivery: from organization to organization by the index, however many deliveries each of them has.
    waitingOrgs: compile('orgs-with-deliveries', (db) => ({ compile: () => waitingOrgs.compile(db) })),
    // Of two nodes that choose the same one, the second finds it leased.
    claim: compile('claim-delivery', (db) =>
      db
        .updateTable('event_deliveries')
        .set({ owner: OWNER, lease_until: slot<string>('until') })
        .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
        .where('id', '=', (oldest) =>
          oldest
            .selectFrom('event_deliveries')
            .select('id')
            .where('org', '=', ORG)
            .where('state', '=', WAITING)
            .where('next_at', '<=', NOW)
            .where('lease_until', '<=', taken)
            .where('id', 'not in', UNDER_WAY)
            .orderBy('next_at')
            .orderBy('id')
            .limit(1),
        )
        .where('state', '=', WAITING)
        .where('lease_until', '<=', taken)
        .returningAll(),
    ),
    attempted: compile('attempted-delivery', (db) =>
      db
        .updateTable('event_deliveries')
        .set({
          state: slot<string>('state'),
          next_at: slot<string>('next'),
          status: slot<number | null>('status'),
          problem: slot<string | null>('problem'),
          ended: slot<string | null>('ended'),
          owner: '',
          lease_until: '',
        })
        .where('id', '=', ID)
        .where('owner', '=', OWNER),
    ),
    release: compile('release-delivery', (db) =>
      db
        .updateTable('event_deliveries')
        .set({ owner: '', lease_until: '' })
        .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
        .where('id', '=', ID)
        .where('owner', '=', OWNER),
    ),
    waiting: compile('waiting-deliveries', (db) =>
      db
        .selectFrom('event_deliveries')
        .select([sql<number>`count(*)`.as('count'), sql<string | null>`min(next_at)`.as('oldest')])
        .where('state', '=', WAITING)
        .where('next_at', '<=', NOW),
    ),
  };
}

/** What begins and ends within a write; what is so already changes nothing, and so tells nothing. */
export function causeStatements(compile: Compile) {
  const value = (name: 'kind' | 'cause' | 'org' | 'site' | 'repository' | 'ref' | 'time' | 'about' | 'detail') =>
    sql`cast(${slot<string>(name)} as text)`;
  const begin = sql`insert into event_causes (kind, cause, org, site, repository, ref, open, changed, about, detail)
    select ${value('kind')}, ${value('cause')}, ${value('org')}, ${value('site')}, ${value('repository')}, ${value('ref')}, 1, ${value('time')}, ${value('about')},
      ${value('detail')}
    where (select count(*) from event_causes as others where others.org = ${ORG} and others.open = 1) < ${sql.lit(LIMITS.openCauses)}
    on conflict (kind, cause, org) do update set open = 1, changed = excluded.changed, about = excluded.about, detail = excluded.detail
      where event_causes.open = 0`;
  return {
    beginCause: compile('begin-cause', (db) => ({ compile: () => begin.compile(db) })),
    endCause: compile('end-cause', (db) =>
      db
        .updateTable('event_causes')
        .set({ open: 0, changed: slot<string>('time'), about: slot<string>('about'), detail: null })
        .where('kind', '=', slot<string>('kind'))
        .where('cause', '=', slot<string>('cause'))
        .where('org', '=', ORG)
        .where('open', '=', 1),
    ),
  };
}

/** What is looked for from time to time, in this order: each is one statement, and whoever does it first has done it for all. */
export function eventLookStatements(compile: Compile) {
  const now = sql`cast(${NOW} as text)`;
  const old = slot<string>('old');
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
          where event_causes.open = 0`,
    ),
    query(
      'end-keys-that-went',
      sql`update event_causes set open = 0, changed = ${NOW}, detail = null
        where kind = 'expires-soon' and open = 1 and not exists (select 1 from api_keys where 'api-key:' || id = event_causes.cause)`,
    ),
    query(
      'note-secrets-that-end',
      sql`insert into event_causes (kind, cause, org, site, open, changed, about, detail)
        select 'secret-ends', ${SECRET}, org, case when site = '*' or site like 'profiles/%' then null else site end, 1, ${now},
          case when site like 'profiles/%' then site || '/' || name else name end, expires from secrets
        where expires <= ${slot<string>('soon')} and expires_of = last_modified
          and not exists (select 1 from event_causes as noted where noted.kind = 'secret-ends' and noted.open = 1
            and noted.cause = ${SECRET} and noted.org = secrets.org)
          and (select count(*) from event_causes as others where others.org = secrets.org and others.open = 1) < ${begun}
        order by expires, org, site, name limit 500
        on conflict (kind, cause, org) do update set open = 1, changed = excluded.changed, about = excluded.about, detail = excluded.detail
          where event_causes.open = 0`,
    ),
    query(
      'end-secrets-that-were-replaced',
      sql`update event_causes set open = 0, changed = ${NOW}, detail = null
        where kind = 'secret-ends' and open = 1 and not exists (select 1 from secrets
          where secrets.org = event_causes.org and expires_of = last_modified and ${SECRET} = event_causes.cause)`,
    ),
    query(
      'end-syncs-nobody-has',
      sql`update event_causes set open = 0, changed = ${NOW}, detail = null
        where kind in ('sync-failed', 'sync-silent') and open = 1 and not exists (select 1 from sites
          where sites.org = event_causes.org and lower(sites.repository) = lower(event_causes.repository))`,
    ),
    query(
      'end-checks-of-removed-sites',
      sql`update event_causes set open = 0, changed = ${NOW}, detail = null
        where kind in ('check-failed', 'drift') and open = 1 and not exists (select 1 from sites
          where sites.org = event_causes.org and sites.site = event_causes.site)`,
    ),
    query('forget-causes', sql`delete from event_causes where changed < ${old}`),
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
