import { type DeliveryState, EventKind, type EventPhase, type OrgEvent } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { sql } from 'kysely';
import { type Database, assignments, type Query, type WriteQueries } from '../db/queries.ts';
import { IS_WRONG, tidyEvents } from './cause-queries.ts';
import type { Attempted, EventStore, StoredDelivery, StoredSubscription } from './rules/ports.ts';
import { dueTime } from './rules/subscription-operations.ts';
import type { Reads, Writes } from '../domain/ports.ts';

interface EventRow {
  readonly id: number;
  readonly time: string;
  readonly org: string;
  readonly kind: EventKind;
  readonly cause: string;
  readonly phase: EventPhase;
  readonly site: string | null;
  readonly repository: string | null;
  readonly ref: string | null;
  readonly about: string | null;
  readonly detail: string | null;
  readonly open: number;
}

interface DeliveryRow {
  readonly id: string;
  readonly org: string;
  readonly subscription: string;
  readonly state: DeliveryState;
  readonly created: string;
  readonly next_at: string;
  readonly attempts: number;
  readonly status: number | null;
  readonly problem: string | null;
  readonly ended: string | null;
}

/** A node of a later version may know more kinds. */
const IS_KNOWN = sql`kind in (${sql.join(EventKind.options.map((kind) => sql.lit(kind)))})`;
/** Whether the cause of an event is still open. */
const IS_OPEN = sql`case when exists (select 1 from event_causes where event_causes.kind = events.kind
  and event_causes.cause = events.cause and event_causes.org = events.org and event_causes.open = 1) then 1 else 0 end`;
const EVENT = sql`id, time, org, kind, cause, phase, site, repository, ref, about, detail, ${IS_OPEN} as open`;
/** Events about a site, or about the repository that it uses. */
const isOfSite = (site: string) => sql`(site = ${site} or exists (select 1 from sites
  where sites.org = events.org and sites.site = ${site} and lower(sites.repository) = lower(events.repository)))`;
/** Whether no further message to the subscription may wait. */
const isFull = (subscription: string) => sql`(select count(*) from event_deliveries as others where others.subscription = ${subscription}
  and others.state = 'waiting') >= ${sql.lit(LIMITS.deliveriesWaiting)}`;
/** A first attempt is due immediately, whatever the clock of the node that created it; others by the clock that all nodes share. */
const isDue = (now: string) => sql`(next_at <= ${now} or (attempts = 0 and next_at = created))`;

export function eventStore({ read, change }: Database): EventStore {
  const attempted = async (
    { id, owner, status, problem }: Attempted,
    { state, next, ended }: { state: DeliveryState; next: Date; ended: Date | undefined },
  ) => {
    await change(sql`update event_deliveries set state = ${state}, next_at = ${next.toISOString()}, status = ${status ?? null},
      problem = ${problem ?? null}, ended = ${ended?.toISOString() ?? null}, owner = '', lease_until = '' where id = ${id} and owner = ${owner}`);
  };
  return {
    async events(org, { site, open, before = Number.MAX_SAFE_INTEGER, limit }) {
      const conditions = [
        sql`org = ${org} and ${IS_KNOWN} and id < ${before}`,
        ...(site === undefined ? [] : [isOfSite(site)]),
        ...(open === undefined ? [] : [sql`${IS_OPEN} = ${Number(open)}`]),
      ];
      const rows = await read(sql<EventRow>`select ${EVENT} from events where ${sql.join(conditions, sql` and `)}
        order by id desc limit ${limit}`);
      return rows.map(storedEvent);
    },
    async openCauses(org, kind) {
      const rows = await read(sql<{ cause: string }>`select cause from event_causes where org = ${org} and kind = ${kind} and open = 1
        order by cause`);
      return rows.map(({ cause }) => cause);
    },
    async unread(org, person) {
      const [row] = await read(sql<{ count: number }>`select count(*) as count from events where org = ${org} and ${IS_KNOWN}
        and id > coalesce((select up_to from event_reads where event_reads.org = ${org} and person = ${person}), 0)`);
      return row?.count ?? 0;
    },
    async markRead(org, person, upTo) {
      await change(sql`insert into event_reads (org, person, up_to) values (${org}, ${person}, ${upTo})
        on conflict (org, person) do update set up_to = excluded.up_to where event_reads.up_to < excluded.up_to`);
    },
    // The id of a message ends with the number of its event: of two within one millisecond, the longer one is later.
    async deliveries(subscription, limit) {
      const rows = await read(sql<DeliveryRow>`select * from event_deliveries where subscription = ${subscription}
        order by created desc, length(id) desc, id desc limit ${limit}`);
      return rows.map(storedDelivery);
    },
    async test({ id, org, subscription }, date) {
      const now = date.toISOString();
      const rows = await change(sql<DeliveryRow>`
        insert into event_deliveries (id, org, subscription, state, created, next_at, attempts, owner, lease_until)
        select ${id}, ${org}, ${subscription}, 'waiting', ${now}, ${now}, 0, '', ''
        where not exists (select 1 from event_deliveries where subscription = ${subscription} and state = 'waiting' and next_at <= ${now})
          and not (${isFull(subscription)})
        returning *`);
      return rows.map(storedDelivery)[0];
    },
    async resend(subscription, id, now) {
      const [row] =
        await change(sql<DeliveryRow>`update event_deliveries set state = 'waiting', next_at = ${dueTime(id, now).toISOString()},
          attempts = 0, ended = null, owner = '', lease_until = ''
        where id = ${id} and subscription = ${subscription} and (state = 'waiting' or not (${isFull(subscription)})) returning *`);
      if (row !== undefined) return storedDelivery(row);
      const known = await read(sql`select id from event_deliveries where id = ${id} and subscription = ${subscription}`);
      return known.length > 0 ? 'full' : undefined;
    },
    // Runs after each delivery: goes from organization to organization by the index, however many deliveries each of them has.
    async waitingOrgs(now, leased, { behind, limit }) {
      const rows = await read(sql<{ org: string }>`
        with recursive waiting(org) as (select min(org) from event_deliveries where state = 'waiting' union all
          select (select min(next.org) from event_deliveries as next where next.state = 'waiting' and next.org > waiting.org)
          from waiting where waiting.org is not null),
        due(org) as (select org from waiting where org is not null and exists (select 1 from event_deliveries
          where event_deliveries.org = waiting.org and state = 'waiting' and ${isDue(now.toISOString())} and lease_until <= ${leased.toISOString()}))
        select org from due order by case when org > ${behind} then 0 else 1 end, org limit ${limit}`);
      return rows.map(({ org }) => org);
    },
    // If two nodes choose the same one, the second finds it leased.
    async claim(org, { owner, until, now, leased, running }) {
      const isFree = sql`state = 'waiting' and lease_until <= ${leased.toISOString()}`;
      const isOther = running.length === 0 ? sql`true` : sql`id not in (${sql.join(running)})`;
      const rows = await change(sql<DeliveryRow>`update event_deliveries
        set owner = ${owner}, lease_until = ${until.toISOString()}, attempts = attempts + 1
        where id = (select id from event_deliveries where org = ${org} and ${isFree} and ${isDue(now.toISOString())} and ${isOther}
          order by next_at, length(id), id limit 1) and ${isFree} returning *`);
      return rows.map(storedDelivery)[0];
    },
    async eventsOf(delivery) {
      const rows = await read(sql<EventRow>`select ${EVENT} from events
        join event_delivery_items on event_delivery_items.event = events.id
        where event_delivery_items.delivery = ${delivery} and ${IS_KNOWN} order by events.id`);
      return rows.map(storedEvent);
    },
    sent: (attempt, now) => attempted(attempt, { state: 'sent', next: now, ended: now }),
    failed: (attempt, now, next) =>
      attempted(attempt, next === undefined ? { state: 'failed', next: now, ended: now } : { state: 'waiting', next, ended: undefined }),
    async release(id, owner) {
      await change(sql`update event_deliveries set owner = '', lease_until = '', attempts = attempts - 1
        where id = ${id} and owner = ${owner}`);
    },
    async waiting(now) {
      const [row] = await read(sql<{ count: number; oldest: string | null }>`select count(*) as count, min(next_at) as oldest
        from event_deliveries where state = 'waiting' and next_at <= ${now.toISOString()}`);
      return { count: row?.count ?? 0, oldest: dateOf(row?.oldest) };
    },
    async displaced() {
      const [row] = await read(sql<{ count: number }>`select count(*) as count from event_causes where open = 2`);
      return row?.count ?? 0;
    },
    async endSync(key, ref, now) {
      await change(sql`update event_causes set open = 0, changed = ${now.toISOString()}, detail = null
        where kind = 'sync-failed' and cause = ${`${key}#${ref}`} and ${IS_WRONG}`);
    },
    tidy: (now, soon, old) => tidyEvents(change, { now, soon, old }),
  };
}

function storedEvent({ open, site, repository, ref, about, detail, ...row }: EventRow): OrgEvent {
  return {
    ...row,
    open: open === 1,
    ...(site !== null && { site }),
    ...(repository !== null && { repository }),
    ...(ref !== null && { ref }),
    ...(about !== null && { about }),
    ...(detail !== null && { detail }),
  };
}

function storedDelivery({ id, org, subscription, state, created, next_at: next, attempts, ...row }: DeliveryRow): StoredDelivery {
  return {
    id,
    org,
    subscription,
    state,
    created: new Date(created),
    next: new Date(next),
    attempts,
    status: row.status ?? undefined,
    problem: row.problem ?? undefined,
    ended: dateOf(row.ended),
  };
}

function dateOf(time: string | null | undefined): Date | undefined {
  return time === null || time === undefined ? undefined : new Date(time);
}

/** `kinds` and `sites` are names between commas, one at each end; empty for all. `owner_names` is a JSON list. */
interface SubscriptionRow {
  readonly id: string;
  readonly org: string;
  readonly kinds: string;
  readonly sites: string;
  readonly channel: StoredSubscription['channel']['type'];
  readonly target: string;
  readonly rhythm: string;
  readonly sealed: string | null;
  readonly created: string;
  readonly created_by: string;
  readonly owner_names: string | null;
}

export function subscriptionReads(query: Query): Pick<Reads, 'subscriptions' | 'webhookSubscriptions'> {
  return {
    async subscriptions(org) {
      const rows = await query(sql<SubscriptionRow>`select * from event_subscriptions where org = ${org} order by created, id`);
      return rows.map(storedSubscription);
    },
    async webhookSubscriptions() {
      return (await query(sql<SubscriptionRow>`select * from event_subscriptions where channel = 'webhook'`)).map(storedSubscription);
    },
  };
}

export function subscriptionWrites({ must, may }: WriteQueries): Pick<Writes, 'putSubscription' | 'deleteSubscription'> {
  return {
    async putSubscription(subscription, before) {
      const row = subscriptionRow(subscription);
      if (before !== undefined) return await must(sql`update event_subscriptions set ${assignments(row)} where id = ${row.id}`);
      const values = Object.values(row).map((value) => sql`cast(${value} as text)`);
      await must(sql`insert into event_subscriptions (${sql.raw(Object.keys(row).join(', '))}) select ${sql.join(values)}
        where (select count(*) from event_subscriptions as others where others.org = ${row.org}) < ${sql.lit(LIMITS.subscriptions)}`);
    },
    async deleteSubscription(id) {
      await must(sql`delete from event_subscriptions where id = ${id}`);
      await may(sql`delete from event_deliveries where subscription = ${id}`);
    },
  };
}

function subscriptionRow({ id, org, kinds, sites, channel, created, createdBy, ownerNames }: StoredSubscription): SubscriptionRow {
  const isWebhook = channel.type === 'webhook';
  return {
    id,
    org,
    kinds: joined(kinds),
    sites: joined(sites),
    channel: channel.type,
    target: isWebhook ? channel.url : channel.to,
    rhythm: isWebhook ? 'each' : channel.digest,
    sealed: isWebhook ? channel.sealed : null,
    created: created.toISOString(),
    created_by: createdBy,
    owner_names: ownerNames === undefined ? null : JSON.stringify(ownerNames),
  };
}

function storedSubscription(row: SubscriptionRow): StoredSubscription {
  const { id, org, kinds, sites, channel, target, rhythm, sealed, created, created_by: createdBy, owner_names: ownerNames } = row;
  return {
    id,
    org,
    kinds: names(kinds)?.flatMap((kind) => EventKind.safeParse(kind).data ?? []),
    sites: names(sites),
    channel:
      channel === 'webhook'
        ? { type: 'webhook', url: target, sealed: sealed ?? '' }
        : { type: 'email', to: target, digest: rhythm === 'daily' ? 'daily' : 'each' },
    created: new Date(created),
    createdBy,
    ...(ownerNames !== null && { ownerNames: JSON.parse(ownerNames) as readonly string[] }),
  };
}

function joined(items: readonly string[] | undefined): string {
  return items === undefined ? '' : `,${items.join(',')},`;
}

function names(value: string): string[] | undefined {
  return value === '' ? undefined : value.slice(1, -1).split(',');
}
