import { sql } from 'kysely';
import type { MarkedMigration } from './marked-migration.ts';

/** Sites of a rollout that could not be given back what they had. A program of before tries them again and again, and ends the undo without them. */
export function stuckSites(): MarkedMigration {
  return {
    mark: 'expand',
    async up(db) {
      await sql`alter table rollout_sites add column stuck integer not null default 0`.execute(db);
    },
  };
}
