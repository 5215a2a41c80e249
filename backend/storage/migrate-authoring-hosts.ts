import { sql } from 'kysely';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * Whose an authoring host is, where the operator said so. Triggers refuse a root on it to the sites of all others, as the unique
 * index refuses one that another site holds: for two writes at the same moment, and for programs that do not know the table. They look
 * where a site comes to hold a root alone.
 */
export function authoringHosts(dialect: Dialect): MarkedMigration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    mark: 'expand',
    async up(db) {
      await sql`create table authoring_hosts (host ${text} primary key not null, org ${text} not null)`.execute(db);
      for (const statement of dialect === 'postgres' ? POSTGRES : SQLITE) await sql.raw(statement).execute(db);
    },
  };
}

const IS_CLAIMED = 'new.content_root is not null';
const IS_REFUSED = (host: string) => `exists (select 1 from authoring_hosts where host = ${host} and org <> new.org)`;
const SENTENCE = 'The authoring host is of another organization: sites.content_root';

const SQLITE_REFUSED = IS_REFUSED(`substr(new.content_root, 1, instr(new.content_root, '/') - 1)`);
const SQLITE = [
  `create trigger root_of_new_site after insert on sites when ${IS_CLAIMED} and ${SQLITE_REFUSED}
    begin select raise(abort, '${SENTENCE}'); end`,
  `create trigger root_of_site after update of content_root on sites
    when ${IS_CLAIMED} and new.content_root is not old.content_root and ${SQLITE_REFUSED}
    begin select raise(abort, '${SENTENCE}'); end`,
];

/** Whoever assigns a host waits for those who claim roots at this moment; who claims one later sees it. Older programs know the constraint. */
const POSTGRES = [
  `create function root_of_site() returns trigger language plpgsql as $$ begin
    lock table authoring_hosts in row share mode;
    if ${IS_REFUSED(`split_part(new.content_root, '/', 1)`)} then
      raise exception using errcode = 'unique_violation', constraint = 'sites_content_root', message = '${SENTENCE}';
    end if;
    return null; end $$`,
  `create trigger root_of_new_site after insert on sites for each row when (${IS_CLAIMED}) execute function root_of_site()`,
  `create trigger root_of_site after update of content_root on sites for each row
    when (${IS_CLAIMED} and new.content_root is distinct from old.content_root) execute function root_of_site()`,
];
