import { sql } from 'kysely';
import { causesThatGiveWay } from './event-triggers.ts';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * What is open and gave way to something newer is kept apart (`open` is 2), so that its end is told; and a failed sync makes room for itself (decision
 * 0210). Programs of before delete what gives way, and leave alone what gave way.
 */
export function givenWay(dialect: Dialect): MarkedMigration {
  return {
    mark: 'expand',
    async up(db) {
      for (const statement of causesThatGiveWay(dialect)) await sql.raw(statement).execute(db);
      await sql`create index event_causes_given_way on event_causes (org) where open = 2`.execute(db);
    },
  };
}
