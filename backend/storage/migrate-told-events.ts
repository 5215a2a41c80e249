import { sql } from 'kysely';
import { eventOfRenewedCause } from './event-triggers.ts';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * What stays wrong for longer than events are kept is told again: a trigger makes the event where an open cause gets a new time. Programs
 * of before never give it one. And the names of whoever subscribed with their own address; where a program of before left
 * none, the address alone is their name.
 */
export function toldEvents(dialect: Dialect): MarkedMigration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    mark: 'expand',
    async up(db) {
      for (const statement of eventOfRenewedCause(dialect)) await sql.raw(statement).execute(db);
      await sql`alter table event_subscriptions add column owner_names ${text}`.execute(db);
    },
  };
}
