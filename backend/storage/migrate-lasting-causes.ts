import { sql } from 'kysely';
import { eventOfRenewedCause } from './event-triggers.ts';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * What stays wrong for longer than events are kept is told again (decision 0184): a trigger makes the event where an open cause gets a new time. Programs
 * of before never give it one.
 */
export function lastingCauses(dialect: Dialect): MarkedMigration {
  return {
    mark: 'expand',
    async up(db) {
      for (const statement of eventOfRenewedCause(dialect)) await sql.raw(statement).execute(db);
    },
  };
}
