import { sql } from 'kysely';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * Where the copy of the public configurations lies (`publishing`, one row, none where nothing is published), and the sites whose copy is to
 * be written. Triggers queue a site in the transaction that changes it (decision 0114). Before anything is published they cost a look
 * into an empty table.
 */
export function publishing(dialect: Dialect): MarkedMigration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  const number = dialect === 'postgres' ? sql`bigint` : sql`integer`;
  return {
    mark: 'expand',
    async up(db) {
      await sql`create table publishing (id integer primary key not null, place ${text} not null, phase ${text} not null,
        after_key ${text} not null, due ${text} not null, owner ${text} not null default '', lease_until ${text} not null default '')`.execute(
        db,
      );
      await sql`create table publish_queue (org ${text} not null, site ${text} not null, revision ${number} not null,
        taken ${number} not null default 0, since ${text} not null, next_at ${text} not null default '', attempts integer not null default 0,
        problem ${text}, owner ${text} not null default '', lease_until ${text} not null default '', primary key (org, site))`.execute(db);
      await sql`create index publish_queue_since on publish_queue (since)`.execute(db);
      await sql`create index publish_queue_owner on publish_queue (owner) where owner <> ''`.execute(db);
      for (const statement of dialect === 'postgres' ? POSTGRES : SQLITE) await sql.raw(statement).execute(db);
    },
  };
}

/** In what order the sites of each organization are claimed, so that a claim reads no more of them than it takes. */
export function publishTurns(dialect: Dialect): MarkedMigration {
  const concurrently = dialect === 'postgres' ? sql`concurrently` : sql``;
  return {
    mark: 'expand',
    inPieces: true,
    async up(db) {
      await sql`drop index ${concurrently} if exists publish_queue_turns`.execute(db);
      await sql`create index ${concurrently} publish_queue_turns on publish_queue (org, next_at, since)`.execute(db);
    },
  };
}

/** Now, as a text of the form of all times. */
const SQLITE_NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
const POSTGRES_NOW = `to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function queue(row: 'new' | 'old', now: string): string {
  return `insert into publish_queue (org, site, revision, since) values (${row}.org, ${row}.site, 1, ${now})
    on conflict (org, site) do update set revision = publish_queue.revision + 1, next_at = ''`;
}

const EVENTS = [
  ['insert', 'new'],
  ['update', 'new'],
  ['delete', 'old'],
] as const;

const SQLITE = EVENTS.map(
  ([event, row]) => `create trigger publish_${event} after ${event} on sites when exists (select 1 from publishing) begin
    ${queue(row, SQLITE_NOW)}; end`,
);

/**
 * A place is named while nobody writes sites: a transaction that began before may have found no place, and end after the sites
 * were looked through. It is tried again where writes do not end soon: whoever waits for a lock holds up all behind it.
 */
const POSTGRES = [
  `create function publish_site() returns trigger language plpgsql as $$ begin
    if not exists (select 1 from publishing) then return null; end if;
    if tg_op = 'DELETE' then ${queue('old', POSTGRES_NOW)}; else ${queue('new', POSTGRES_NOW)}; end if;
    return null; end $$`,
  `create trigger publish_site after insert or update or delete on sites for each row execute function publish_site()`,
  `create function repoless_publish_to(to_place text) returns void language plpgsql as $$ begin
    if exists (select 1 from publishing where place = to_place) then return; end if;
    perform set_config('lock_timeout', '500ms', true);
    lock table sites in share mode;
    insert into publishing (id, place, phase, after_key, due) values (1, to_place, 'sites', '', '')
      on conflict (id) do update set place = excluded.place, phase = 'sites', after_key = '', due = '', owner = '', lease_until = ''
      where publishing.place <> excluded.place;
    end $$`,
];
