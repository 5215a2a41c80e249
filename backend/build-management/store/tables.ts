import type { Generated } from 'kysely';
import type { Migrations } from '../../db/schema.ts';
import type { Dialect } from '../../db/queries.ts';

/** Tables of build management only. Times are ISO 8601 texts in UTC, documents are JSON texts. */
export interface Tables {
  bm_repositories: RepositoryRow;
  bm_deliveries: DeliveryRow;
  /** Deliveries already received, by the vendor's name for them. */
  bm_seen: { repository: number; delivery_id: string; delivery: string; seen: string };
  /** Entries that the configuration service does not have yet. */
  bm_trail: TrailRow;
}

export interface TrailRow {
  seq: Generated<number>;
  id: string;
  org: string;
  time: string;
  actor: string;
  action: string;
  subject: string;
  site: string | null;
  request_id: string;
}

export interface RepositoryRow {
  id: Generated<number>;
  org: string;
  /** The number of the author's program. */
  program: string;
  name: string;
  clone_url: string;
  vendor: string;
  /** Identifies it in sealed texts and in the address of its webhook; unguessable. */
  key: string;
  access_token: string;
  state: string;
  problem: string | null;
  /** The token of the challenge while it is expected. */
  challenge: string | null;
  /** Counts the checks: the outcome of an overtaken one is dropped. */
  attempt: number;
  created: string;
  created_by: string;
  last_modified: string;
  commit_sha: string | null;
  fetched: string | null;
  warnings: string;
  link_site: string | null;
  linked: string | null;
  linked_by: string | null;
  secret_hash: string | null;
  api_key_hash: string | null;
  webhook_secret: string | null;
  webhook_created: string | null;
  webhook_created_by: string | null;
  previous_api_key_hash: string | null;
  previous_webhook_secret: string | null;
  previous_until: string | null;
}

export interface DeliveryRow {
  seq: Generated<number>;
  id: string;
  repository: number;
  delivery_id: string | null;
  event: string;
  received: string;
  finished: string | null;
  changes: string;
  outcome: string;
  detail: string | null;
  jobs: string;
  attempts: number;
  repeats: number;
  caller: string | null;
}

/** The table with the names of applied migrations: these tables may be next to those of the service. */
export const MIGRATED = 'bm_migrations';

/** All changes of the tables of build management, in order. A released one is never edited. */
export function migrations(dialect: Dialect): Migrations {
  const id = dialect === 'postgres' ? 'bigint generated always as identity primary key' : 'integer primary key autoincrement';
  const tables = `
create table bm_repositories (
  id ${id},
  org text not null, program text not null, name text not null, clone_url text not null, vendor text not null, key text not null,
  access_token text not null, state text not null, problem text, challenge text, attempt integer not null,
  created text not null, created_by text not null, last_modified text not null, commit_sha text, fetched text, warnings text not null,
  link_site text, linked text, linked_by text, secret_hash text, api_key_hash text,
  webhook_secret text, webhook_created text, webhook_created_by text,
  previous_api_key_hash text, previous_webhook_secret text, previous_until text
);
create unique index bm_repositories_address on bm_repositories (org, clone_url);
create unique index bm_repositories_key on bm_repositories (key);

create table bm_deliveries (
  seq ${id},
  id text not null, repository bigint not null, delivery_id text, event text not null, received text not null, finished text,
  changes text not null, outcome text not null, detail text, jobs text not null, attempts integer not null, repeats integer not null,
  caller text
);
create unique index bm_deliveries_id on bm_deliveries (id);
create index bm_deliveries_newest on bm_deliveries (repository, seq);
create table bm_seen (
  repository bigint not null, delivery_id text not null, delivery text not null, seen text not null,
  primary key (repository, delivery_id)
);

create table bm_trail (
  seq ${id},
  id text not null, org text not null, time text not null, actor text not null, action text not null, subject text not null, site text,
  request_id text not null
);
create index bm_trail_org on bm_trail (org, seq)`;
  return { '0001-tables': tables.split(';') };
}
