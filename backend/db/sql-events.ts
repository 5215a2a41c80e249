import { DeliveryState, EventKind, EventPhase, type OrgEvent } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { sql } from 'kysely';
import type { Attempted, EventStore, StoredDelivery } from '../events/rules/ports.ts';
import { dueTime } from '../events/rules/receiver.ts';
import { eventStatements, IS_WRONG } from './event-statements.ts';
import { integer, optionalInteger, optionalText, type Row, serial, text } from './row.ts';
import type { Query } from './sql-reads.ts';
import { type Compile, slot } from './statement.ts';

/** Events and messages on either engine. In: how to read, and how to execute a durable change. */
export function sqlEvents(compile: Compile, read: Query, change: Query): EventStore {
  const statements = eventStatements(compile);
  const looks = eventLookStatements(compile);
  const attempted = async (
    { id, owner, status, problem }: Attempted,
    { state, next, ended }: { state: DeliveryState; next: Date; ended: Date | undefined },
  ) => {
    const about = { id, owner, status: status ?? null, problem: problem ?? null };
    await change(statements.attempted, { ...about, state, next: next.toISOString(), ended: ended?.toISOString() ?? null });
  };
  return {
    async events(org, { site = '', open, before = Number.MAX_SAFE_INTEGER, limit }) {
      const rows = await read(statements.events, { org, site, open: open === undefined ? -1 : Number(open), before, limit });
      return rows.map(storedEvent);
    },
    async openCauses(org, kind) {
      return (await read(statements.openCauses, { org, kind })).map((row) => text(row, 'cause'));
    },
    async unread(org, person) {
      const [row = {}] = await read(statements.unread, { org, person });
      return serial(row, 'count');
    },
    async markRead(org, person, upTo) {
      await change(statements.markRead, { org, person, upTo });
    },
    async deliveries(subscription, limit) {
      return (await read(statements.deliveries, { subscription, limit })).map(storedDelivery);
    },
    async test(message, now) {
      return (await change(statements.test, { ...message, now: now.toISOString() })).map(storedDelivery)[0];
    },
    async again(subscription, id, now) {
      const [made] = await change(statements.again, { subscription, id, next: dueTime(id, now).toISOString() });
      if (made !== undefined) return storedDelivery(made);
      return (await read(statements.isDelivery, { subscription, id })).length > 0 ? 'full' : undefined;
    },
    async waitingOrgs(now, leased, turn) {
      const rows = await read(statements.waitingOrgs, { now: now.toISOString(), leased: leased.toISOString(), ...turn });
      return rows.map((row) => text(row, 'org'));
    },
    async claim(org, { owner, until, now, leased, running }) {
      const underWay = Array.from({ length: LIMITS.deliveriesOfOrg }, (_, index) => [`running-${index}`, running[index] ?? '']);
      const times = { until: until.toISOString(), now: now.toISOString(), leased: leased.toISOString() };
      return (await change(statements.claim, { org, owner, ...times, ...Object.fromEntries(underWay) })).map(storedDelivery)[0];
    },
    async eventsOf(delivery) {
      return (await read(statements.eventsOf, { delivery })).map(storedEvent);
    },
    sent: (attempt, now) => attempted(attempt, { state: 'sent', next: now, ended: now }),
    failed: (attempt, now, next) =>
      attempted(attempt, next === undefined ? { state: 'failed', next: now, ended: now } : { state: 'waiting', next, ended: undefined }),
    async release(id, owner) {
      await change(statements.release, { id, owner });
    },
    async waiting(now) {
      const [row = {}] = await read(statements.waiting, { now: now.toISOString() });
      const oldest = optionalText(row, 'oldest');
      return { count: serial(row, 'count'), oldest: oldest === undefined ? undefined : new Date(oldest) };
    },
    async givenWay() {
      const [row = {}] = await read(statements.givenWay, {});
      return serial(row, 'count');
    },
    async endSync(key, ref, now) {
      await change(statements.endSync, { cause: `${key}#${ref}`, now: now.toISOString() });
    },
    async look(now, soon, old) {
      const week = new Date(now.getTime() - WEEK).toISOString();
      const times = { now: now.toISOString(), soon: soon.toISOString(), old: old.toISOString(), week };
      for (const statement of looks) await change(statement, times);
    },
  };
}

const WEEK = 7 * 24 * 60 * 60 * 1000;

function storedEvent(row: Row): OrgEvent {
  const optional = (name: 'site' | 'repository' | 'ref' | 'about' | 'detail') => {
    const value = optionalText(row, name);
    return value === undefined ? {} : { [name]: value };
  };
  return {
    id: serial(row, 'id'),
    time: text(row, 'time'),
    org: text(row, 'org'),
    kind: EventKind.parse(row['kind']),
    cause: text(row, 'cause'),
    phase: EventPhase.parse(row['phase']),
    open: integer(row, 'open') === 1,
    ...optional('site'),
    ...optional('repository'),
    ...optional('ref'),
    ...optional('about'),
    ...optional('detail'),
  };
}

function storedDelivery(row: Row): StoredDelivery {
  const ended = optionalText(row, 'ended');
  return {
    id: text(row, 'id'),
    org: text(row, 'org'),
    subscription: text(row, 'subscription'),
    state: DeliveryState.parse(row['state']),
    created: new Date(text(row, 'created')),
    next: new Date(text(row, 'next_at')),
    attempts: integer(row, 'attempts'),
    status: optionalInteger(row, 'status'),
    problem: optionalText(row, 'problem'),
    ended: ended === undefined ? undefined : new Date(ended),
  };
}

const NOW = slot<string>('now');

/** The end of a value: another value, or another end, is another cause. */
const SECRET = sql`'secret:' || secrets.site || '/' || secrets.name || '@' || secrets.last_modified`;

/** What is looked for from time to time, in this order: each is one statement, and whoever does it first has done it for all. */
function eventLookStatements(compile: Compile) {
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
