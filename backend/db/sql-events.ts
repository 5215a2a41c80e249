import { DeliveryState, EventKind, EventPhase } from '@repoless/contract/event.ts';
import type { OrgEvent } from '@repoless/contract/event.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { dueTime } from '../events/rules/message-of-day.ts';
import type { Attempted, EventStore, StoredDelivery } from '../events/rules/ports.ts';
import { eventLookStatements } from './event-look-statements.ts';
import { eventStatements } from './event-statements.ts';
import { integer, optionalInteger, optionalText, serial, text } from './row.ts';
import type { Row } from './row.ts';
import type { Query } from './sql-reads.ts';
import type { Compile } from './statement.ts';

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
