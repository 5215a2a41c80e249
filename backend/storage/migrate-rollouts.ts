import { sql } from 'kysely';
import type { Migration } from 'kysely';
import type { Dialect } from './tables.ts';

/** Changes of many sites: each with its document, its sites, and who works on it. */
export function rollouts(dialect: Dialect): Migration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    async up(db) {
      await sql`create table rollouts (org ${text} not null, id ${text} not null, state ${text} not null, started ${text} not null,
        revision integer not null, document ${text} not null, digest ${text} not null, owner ${text} not null default '',
        lease_until ${text} not null default '', primary key (org, id))`.execute(db);
      await sql`create index rollouts_open on rollouts (lease_until) where state in ('running', 'undoing')`.execute(db);
      await sql`create table rollout_sites (org ${text} not null, rollout ${text} not null, site ${text} not null, position integer not null,
        wave integer not null, state ${text} not null, judged integer not null default 0, worse integer not null default 0,
        document ${text} not null default '{}', primary key (org, rollout, site))`.execute(db);
      await sql`create index rollout_sites_next on rollout_sites (org, rollout, state, position)`.execute(db);
    },
  };
}
