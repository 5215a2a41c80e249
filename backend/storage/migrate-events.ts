import { sql } from 'kysely';
import type { Migration } from 'kysely';
import { postgresEventTriggers, sqliteEventTriggers } from './event-triggers.ts';
import type { Dialect } from './tables.ts';

/**
 * What is wrong now (`event_causes`), that it began and ended (`events`), who is told (`event_subscriptions`), and the messages
 * (`event_deliveries`). Triggers make the second of the first and the last of both, in the transaction that changes the first: nothing
 * is told that did not happen, and nothing that happened is not told.
 */
export function events(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  const serial = dialect === 'postgres' ? sql`bigint generated always as identity primary key` : sql`integer primary key autoincrement`;
  const number = dialect === 'postgres' ? sql`bigint` : sql`integer`;
  return {
    async up(db) {
      await sql`alter table code_jobs add column outcome ${text} not null default ''`.execute(db);
      await sql`alter table code_jobs add column stopped ${text} not null default ''`.execute(db);
      await sql`alter table code_jobs add column problem ${text}`.execute(db);
      await sql`create index sites_repository_key on sites (lower(repository)) where repository is not null`.execute(db);
      await sql`create table event_causes (kind ${text} not null, cause ${text} not null, org ${text} not null, site ${text},
        repository ${text}, ref ${text}, open integer not null, changed ${text} not null, about ${text}, detail ${text},
        primary key (kind, cause, org))`.execute(db);
      await sql`create index event_causes_open on event_causes (org) where open = 1`.execute(db);
      await sql`create table events (id ${serial}, time ${text} not null, org ${text} not null, kind ${text} not null, cause ${text} not null,
        phase ${text} not null, site ${text}, repository ${text}, ref ${text}, about ${text}, detail ${text})`.execute(db);
      await sql`create index events_org on events (org, id)`.execute(db);
      await sql`create table event_subscriptions (id ${text} primary key not null, org ${text} not null, kinds ${text} not null,
        sites ${text} not null, channel ${text} not null, target ${text} not null, rhythm ${text} not null, sealed ${text},
        created ${text} not null, created_by ${text} not null)`.execute(db);
      await sql`create index event_subscriptions_org on event_subscriptions (org, id)`.execute(db);
      await sql`create table event_deliveries (id ${text} primary key not null, org ${text} not null, subscription ${text} not null,
        state ${text} not null, created ${text} not null, next_at ${text} not null, attempts integer not null, status integer, problem ${text},
        ended ${text}, owner ${text} not null, lease_until ${text} not null)`.execute(db);
      await sql`create index event_deliveries_waiting on event_deliveries (org, next_at) where state = 'waiting'`.execute(db);
      await sql`create index event_deliveries_subscription on event_deliveries (subscription, created)`.execute(db);
      await sql`create table event_delivery_items (delivery ${text} not null, event ${number} not null, primary key (delivery, event))`.execute(
        db,
      );
      await sql`create table event_reads (org ${text} not null, person ${text} not null, up_to ${number} not null,
        primary key (org, person))`.execute(db);
      for (const statement of dialect === 'postgres' ? postgresEventTriggers() : sqliteEventTriggers())
        await sql.raw(statement).execute(db);
    },
  };
}
