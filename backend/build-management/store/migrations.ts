import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';
import { allStopped } from '#backend/storage/marked-migration.ts';
import type { MarkedMigrations } from '#backend/storage/marked-migration.ts';
import { runMigrations } from '#backend/storage/run-migrations.ts';

export type Engine = 'sqlite' | 'postgres';

/** Brings the tables up to date; they keep a record of their own, for they may lie beside those of another program. */
export async function migrate(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await runMigrations(db, { dialect: engine, table: 'bm_migrations', migrations: migrations(engine) });
}

/** A new one has its mark beside it: the program of before runs on its tables. */
function migrations(engine: Engine): MarkedMigrations {
  return {
    ...allStopped({ '0001-begin': begin(engine), '0002-program': PROGRAM, '0003-hosting': HOSTING }),
    '0004-trail': { mark: 'expand', up: (db) => addTrail(db, engine) },
  };
}

function key(engine: Engine) {
  return engine === 'postgres' ? sql`bigint generated always as identity primary key` : sql`integer primary key autoincrement`;
}

async function addTrail(db: Kysely<unknown>, engine: Engine): Promise<void> {
  let trail = db.schema.createTable('bm_trail').addColumn('seq', key(engine));
  for (const name of ['id', 'org', 'time', 'actor', 'action', 'subject', 'request_id'])
    trail = trail.addColumn(name, 'text', (column) => column.notNull());
  await trail.addColumn('site', 'text').execute();
  await db.schema.createIndex('bm_trail_org').on('bm_trail').columns(['org', 'seq']).execute();
}

function begin(engine: Engine): Migration {
  const id = key(engine);
  const number = engine === 'postgres' ? sql`bigint` : sql`integer`;
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('bm_programs')
        .addColumn('id', id)
        .addColumn('org', 'text', (column) => column.notNull().unique())
        .execute();
      let repositories = db.schema.createTable('bm_repositories').addColumn('id', id);
      for (const name of ['org', 'name', 'clone_url', 'vendor', 'key', 'access_token', 'state', 'created', 'created_by', 'last_modified'])
        repositories = repositories.addColumn(name, 'text', (column) => column.notNull());
      repositories = repositories.addColumn('attempt', 'integer', (column) => column.notNull());
      repositories = repositories.addColumn('warnings', 'text', (column) => column.notNull());
      for (const name of OPTIONAL) repositories = repositories.addColumn(name, 'text');
      await repositories.execute();
      await db.schema.createIndex('bm_repositories_address').on('bm_repositories').columns(['org', 'clone_url']).unique().execute();
      await db.schema.createIndex('bm_repositories_key').on('bm_repositories').column('key').unique().execute();
      let deliveries = db.schema
        .createTable('bm_deliveries')
        .addColumn('seq', id)
        .addColumn('repository', number, (column) => column.notNull());
      for (const name of ['id', 'event', 'received', 'changes', 'outcome', 'jobs'])
        deliveries = deliveries.addColumn(name, 'text', (column) => column.notNull());
      for (const name of ['delivery_id', 'finished', 'detail', 'caller']) deliveries = deliveries.addColumn(name, 'text');
      for (const name of ['attempts', 'repeats']) deliveries = deliveries.addColumn(name, 'integer', (column) => column.notNull());
      await deliveries.execute();
      await db.schema.createIndex('bm_deliveries_id').on('bm_deliveries').column('id').unique().execute();
      await db.schema.createIndex('bm_deliveries_newest').on('bm_deliveries').columns(['repository', 'seq']).execute();
      await db.schema
        .createTable('bm_seen')
        .addColumn('repository', number, (column) => column.notNull())
        .addColumn('delivery_id', 'text', (column) => column.notNull())
        .addColumn('delivery', 'text', (column) => column.notNull())
        .addColumn('seen', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('bm_seen_key', ['repository', 'delivery_id'])
        .execute();
    },
  };
}

/**
 * A program had a number of our own, counted from 100001; it is the author's now. Repositories that are there keep theirs:
 * sites name it as the owner of their code.
 */
const PROGRAM: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('bm_repositories')
      .addColumn('program', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await sql`update bm_repositories set program =
      (select cast(100000 + bm_programs.id as text) from bm_programs where bm_programs.org = bm_repositories.org)`.execute(db);
    await db.schema.dropTable('bm_programs').execute();
  },
};

const HOSTING: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('bm_repositories').addColumn('git_token_hash', 'text').execute();
  },
};

const OPTIONAL = [
  'problem',
  'challenge',
  'commit_sha',
  'fetched',
  'link_site',
  'linked',
  'linked_by',
  'secret_hash',
  'api_key_hash',
  'webhook_secret',
  'webhook_created',
  'webhook_created_by',
  'previous_api_key_hash',
  'previous_webhook_secret',
  'previous_until',
];
