import { sql } from 'kysely';
import { EventKind } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';

const ID = slot<string>('id');
const ORG = slot<string>('org');
const OWNER = slot<string>('owner');
const NOW = slot<string>('now');
const PERSON = slot<string>('person');
const WAITING = 'waiting';
/** A node of a later version may tell of more. */
const KNOWN = EventKind.options;
const SHOWN = ['id', 'time', 'org', 'kind', 'cause', 'phase', 'site', 'repository', 'ref', 'about', 'detail'] as const;

/** Of causes: open, or one that gave way to others. */
export const IS_WRONG = sql<boolean>`(open = 1 or open = 2)`;
/** Whether the cause of an event is there still. */
const isOpen = sql<number>`case when exists (select 1 from event_causes where event_causes.kind = events.kind
  and event_causes.cause = events.cause and event_causes.org = events.org and event_causes.open = 1) then 1 else 0 end`;
/** Of a site: what is about itself, or about the repository that it uses. */
const ofSite = sql<boolean>`(${slot<string>('site')} = '' or site = ${slot<string>('site')} or exists (select 1 from sites
  where sites.org = events.org and sites.site = ${slot<string>('site')} and lower(sites.repository) = lower(events.repository)))`;

/** Whether no further message to the subscription may wait. */
const IS_FULL = sql<boolean>`(select count(*) from event_deliveries as others where others.subscription = ${slot<string>('subscription')}
  and others.state = 'waiting') >= ${sql.lit(LIMITS.deliveriesWaiting)}`;

/** What the node that asks is working on: it has no further one then. */
const UNDER_WAY = Array.from({ length: LIMITS.deliveriesOfOrg }, (_, index) => slot<string>(`running-${index}`));

/** A first attempt that waits for nothing is due, whatever the clock of the node was that made it; the others by the clock that all nodes share. */
const IS_DUE = sql<boolean>`(next_at <= ${NOW} or (attempts = 0 and next_at = created))`;

/** The id of a message ends with the number of its event: of two within one millisecond, the longer one is the later one. */
const ID_LENGTH = sql<number>`length(id)`;

const TEST = sql`insert into event_deliveries (id, org, subscription, state, created, next_at, attempts, owner, lease_until)
  select ${ID}, ${ORG}, ${slot<string>('subscription')}, 'waiting', ${NOW}, ${NOW}, 0, '', ''
  where not exists (select 1 from event_deliveries where subscription = ${slot<string>('subscription')} and state = 'waiting'
    and next_at <= ${NOW}) and not (${IS_FULL})
  returning *`;

const waitingOrgs = sql`with recursive waiting(org) as (select min(org) from event_deliveries where state = 'waiting' union all
    select (select min(next.org) from event_deliveries as next where next.state = 'waiting' and next.org > waiting.org)
    from waiting where waiting.org is not null),
  due(org) as (select org from waiting where org is not null and exists (select 1 from event_deliveries where event_deliveries.org = waiting.org
    and state = 'waiting' and ${IS_DUE} and lease_until <= ${slot<string>('leased')}))
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
        .orderBy(ID_LENGTH, 'desc')
        .orderBy('id', 'desc')
        .limit(slot<number>('limit')),
    ),
    test: compile('send-test-message', (db) => ({ compile: () => TEST.compile(db) })),
    again: compile('send-delivery-again', (db) =>
      db
        .updateTable('event_deliveries')
        .set({ state: WAITING, next_at: slot<string>('next'), attempts: 0, ended: null, owner: '', lease_until: '' })
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
            .where(IS_DUE)
            .where('lease_until', '<=', taken)
            .where('id', 'not in', UNDER_WAY)
            .orderBy('next_at')
            .orderBy(ID_LENGTH)
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
    endSync: compile('end-sync-of-gone-branch', (db) =>
      db
        .updateTable('event_causes')
        .set({ open: 0, changed: NOW, detail: null })
        .where('kind', '=', 'sync-failed')
        .where('cause', '=', slot<string>('cause'))
        .where(IS_WRONG),
    ),
    givenWay: compile('given-way', (db) =>
      db
        .selectFrom('event_causes')
        .select(sql<number>`count(*)`.as('count'))
        .where(sql<boolean>`open = 2`),
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
      where event_causes.open <> 1`;
  const isNew = sql`not exists (select 1 from event_causes as present where present.kind = ${slot<string>('kind')}
    and present.cause = ${slot<string>('cause')} and present.org = ${ORG} and present.open <> 0)`;
  const giveWay = sql`update event_causes set open = 2 where org = ${ORG} and open = 1 and ${isNew}
    and (select count(*) from event_causes as others where others.org = ${ORG} and others.open = 1) >= ${sql.lit(LIMITS.openCauses)}
    and (kind, cause) in (select kind, cause from (
      select kind, cause, row_number() over (order by changed desc, kind, cause) as place from event_causes as others
      where others.org = ${ORG} and others.open = 1) as placed where place >= ${sql.lit(LIMITS.openCauses)})`;
  return {
    /** Before `beginCause`: the oldest that are open give way to a new one where there are as many as may be. */
    giveWay: compile('give-way', (db) => ({ compile: () => giveWay.compile(db) })),
    beginCause: compile('begin-cause', (db) => ({ compile: () => begin.compile(db) })),
    endCause: compile('end-cause', (db) =>
      db
        .updateTable('event_causes')
        .set({ open: 0, changed: slot<string>('time'), about: slot<string>('about'), detail: null })
        .where('kind', '=', slot<string>('kind'))
        .where('cause', '=', slot<string>('cause'))
        .where('org', '=', ORG)
        .where(IS_WRONG),
    ),
    // Certificates are of hosts, which other sites may name as well: the look at these ends them.
    endCausesOfSite: compile('end-causes-of-site', (db) =>
      db
        .updateTable('event_causes')
        .set({ open: 0, changed: slot<string>('time'), detail: null })
        .where('org', '=', ORG)
        .where('site', '=', slot<string>('site'))
        .where('kind', 'in', ['check-failed', 'drift', 'expires-soon', 'secret-ends'])
        .where(IS_WRONG),
    ),
  };
}
