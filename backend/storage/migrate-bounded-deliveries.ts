import { sql } from 'kysely';
import { boundedDeliveries } from './event-triggers.ts';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * No more messages of a subscription wait than LIMITS.deliveriesWaiting: the database counts them for each event, by an index of
 * those alone. What it makes of the others is a message that was given up, which programs of before know as well.
 */
export function boundedMessages(dialect: Dialect): MarkedMigration {
  const concurrently = dialect === 'postgres' ? sql`concurrently` : sql``;
  return {
    mark: 'expand',
    inPieces: true,
    async up(db) {
      await sql`drop index ${concurrently} if exists event_deliveries_waiting_of`.execute(db);
      await sql`create index ${concurrently} event_deliveries_waiting_of on event_deliveries (subscription) where state = 'waiting'`.execute(
        db,
      );
      for (const statement of boundedDeliveries(dialect)) await sql.raw(statement).execute(db);
    },
  };
}
