import type { Kysely, Migration } from 'kysely';

/** A version says which version was brought back with it; those from before say nothing. */
export function restoredVersions(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('versions').addColumn('restored_from', 'integer').execute();
    },
  };
}
