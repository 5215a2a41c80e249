import { sql } from 'kysely';
import { EVERYBODY } from '#backend/domain/code/asked-branches.ts';
import { causesOfAskedJobs } from './event-triggers.ts';
import type { MarkedMigration } from './marked-migration.ts';
import type { Dialect } from './tables.ts';

/**
 * Which organizations asked for a branch of a repository of the code host, beside `main`. Triggers write it with the job, so that it
 * is whole whatever ends in between; of a program that does not know it they take whoever began a job, and everybody for a branch that nobody began.
 */
export function askedBranches(dialect: Dialect): MarkedMigration {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;
  return {
    mark: 'expand',
    async up(db) {
      await sql`create table asked_branches (key ${text} not null, ref ${text} not null, org ${text} not null, primary key (key, ref, org))`.execute(
        db,
      );
      await sql`create index asked_branches_of_org on asked_branches (org, key, ref)`.execute(db);
      await sql`alter table code_jobs add column asked_by ${text}`.execute(db);
      const statements = [...(dialect === 'postgres' ? postgresTriggers() : sqliteTriggers()), ...causesOfAskedJobs(dialect)];
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}

/** What was stored before counts for everybody as it did. */
export function branchesBeforeAsked(): MarkedMigration {
  return {
    mark: 'expand',
    inPieces: true,
    async up(db) {
      for (;;) {
        const { rows } = await sql`insert into asked_branches (key, ref, org) select key, ref, ${EVERYBODY} from code_branches as b
          where key like 'github:%' and ref <> 'main'
            and not exists (select 1 from asked_branches as a where a.key = b.key and a.ref = b.ref and a.org = ${EVERYBODY})
          limit ${ROWS} on conflict do nothing returning key`.execute(db);
        if (rows.length === 0) return;
      }
    },
  };
}

/** External code belongs to one organization, and `main` to all that use a repository. */
const IS_ASKED_FOR = `new.key like 'github:%' and new.ref <> 'main'`;
const ASKED_BY = 'coalesce(new.asked_by, new.begun_by)';

/** Each is an event, what is required of the row, and what is done then. */
const TRIGGERS = [
  {
    name: 'asked_by_job',
    event: 'insert on code_jobs',
    when: `${IS_ASKED_FOR} and ${ASKED_BY} is not null`,
    work: `insert into asked_branches (key, ref, org) values (new.key, new.ref, ${ASKED_BY}) on conflict do nothing`,
  },
  {
    name: 'asked_by_joining',
    event: 'update of asked_by on code_jobs',
    when: `${IS_ASKED_FOR} and new.asked_by is not null`,
    work: `insert into asked_branches (key, ref, org) values (new.key, new.ref, new.asked_by) on conflict do nothing`,
  },
  {
    name: 'asked_by_somebody',
    event: 'insert on code_branches',
    when: IS_ASKED_FOR,
    work: `insert into asked_branches (key, ref, org)
      select new.key, new.ref, coalesce((select coalesce(asked_by, begun_by) from code_jobs
        where key = new.key and ref = new.ref and state <> 'stopped'), '${EVERYBODY}')
      where not exists (select 1 from asked_branches where key = new.key and ref = new.ref) on conflict do nothing`,
  },
  {
    name: 'asked_no_longer',
    event: 'delete on code_branches',
    when: `old.key like 'github:%'`,
    work: `delete from asked_branches where key = old.key and ref = old.ref`,
  },
] as const;

function sqliteTriggers(): string[] {
  return TRIGGERS.map(({ name, event, when, work }) => `create trigger ${name} after ${event} when ${when} begin ${work}; end`);
}

function postgresTriggers(): string[] {
  return TRIGGERS.flatMap(({ name, event, when, work }) => [
    `create function ${name}() returns trigger language plpgsql as $$ begin ${work}; return null; end $$`,
    `create trigger ${name} after ${event} for each row when (${when}) execute function ${name}()`,
  ]);
}

const ROWS = 500;
