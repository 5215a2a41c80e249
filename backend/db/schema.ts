import type { Dialect } from './queries.ts';
import { triggers } from './triggers.ts';

/** The SQL statements of each change of the tables, by name; names start with a number. */
export type Migrations = Readonly<Record<string, readonly string[]>>;

/** All changes of the tables, in order. A released one is never edited. */
export function migrations(dialect: Dialect): Migrations {
  return {
    '0001-tables': [...tables(dialect), ...triggers(dialect)],
    '0002-commits': ['alter table code_branches add column commits text', 'alter table code_branches add column rolled_back text'],
    '0003-hosted': [hostedDocuments(dialect)],
  };
}

/** What the vendor's hosted service cannot store, if the service runs in front of it. */
function hostedDocuments(dialect: Dialect): string {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  return `create table hosted_documents (
  org ${text} not null, kind ${text} not null, id ${text} not null, value ${text} not null,
  primary key (org, kind, id)
)`;
}

/** Names are sorted by bytes on both engines, so that pages of a list are the same. */
function tables(dialect: Dialect): string[] {
  const isPostgres = dialect === 'postgres';
  const id = isPostgres ? 'bigint generated always as identity primary key' : 'integer primary key autoincrement';
  const created = `
create table orgs (
  org text not null primary key,
  config text not null, etag text not null, version integer not null
);
create table org_members (member text not null, org text not null, primary key (member, org));
create index org_members_org on org_members (org);

create table profiles (
  org text not null, profile text not null,
  config text not null, etag text not null, version integer not null,
  primary key (org, profile)
);

create table sites (
  org text not null, site text not null, version integer not null, etag text not null,
  profile text, content_root text, repository text, holds_secret integer not null,
  config text not null, aggregate text,
  public_json text, public_etag text, robots text,
  primary key (org, site)
);
create unique index sites_content_root on sites (content_root) where content_root is not null;
create unique index sites_secret_holder on sites (org, repository) where holds_secret = 1;
create index sites_holding_secret on sites (repository) where holds_secret = 1;
create index sites_of_profile on sites (org, profile, site) where profile is not null;
create index sites_of_org_repository on sites (org, repository) where repository is not null;
create index sites_repository_org on sites (repository, org) where repository is not null;
create index sites_repository_key on sites (lower(repository)) where repository is not null;
create index sites_repository_key_org on sites (${REPOSITORY_KEY}, org);
create index sites_org_repository_key on sites (org, ${REPOSITORY_KEY});

create table authoring_hosts (host text not null primary key, org text not null);

create table versions (
  org text not null, kind text not null, item text not null, version integer not null,
  created text not null, name text, changed_by text, data text, restored_from integer, removed integer not null,
  primary key (org, kind, item, version)
);

create table audit (
  id ${id},
  org text not null, site text, time text not null, changed_by text not null, action text not null, request_id text not null,
  from_version integer, to_version integer, seq bigint, previous text, hash text
);
create index audit_org on audit (org, id);
create index audit_org_time on audit (org, time);
create index audit_site on audit (org, site, id) where site is not null;
create unique index audit_chain on audit (org, seq);
create table audit_heads (org text not null primary key, entries bigint not null, hash text not null);

create table api_keys (
  id text not null primary key,
  org text not null, site text not null, description text, roles text not null,
  created text not null, created_by text not null, expires text not null
);
create index api_keys_of_site on api_keys (org, site, created, id);

create table secrets (
  org text not null, site text not null, name text not null, type text not null, sealed text not null,
  created text not null, last_modified text not null, expires text, expires_of text, description text,
  primary key (org, site, name)
);

create table org_usage (
  org text not null, shard integer not null,
  sites bigint not null, versions bigint not null, bytes bigint not null, secrets bigint not null, api_keys bigint not null,
  primary key (org, shard)
);

create table session_ends (person text not null primary key, ended bigint not null);
create table short_lived (kind text not null, key text not null, value text not null, expires text not null, primary key (kind, key));
create index short_lived_expires on short_lived (expires);

create table code_jobs (
  name text not null primary key,
  key text not null, ref text not null, state text not null, created text not null, origin text not null, record text not null,
  owner text not null, lease_until text not null, attempts integer not null, rerun integer not null,
  started_by text, joined integer not null default 0, requested_by text,
  ended text, failed integer not null default 0, outcome text not null default '', stopped text not null default '', problem text
);
create unique index code_jobs_open on code_jobs (key, ref) where state <> 'stopped';
create index code_jobs_idle on code_jobs (lease_until) where state <> 'stopped';
create index code_jobs_branch on code_jobs (key, ref, created);
create index code_jobs_ended on code_jobs (ended) where ended is not null;

create table code_branches (
  key text not null, ref text not null, branch text not null, sha text not null, manifest text not null, bytes bigint not null default 0,
  primary key (key, ref)
);
create table requested_branches (key text not null, ref text not null, org text not null, primary key (key, ref, org));
create index requested_branches_of_org on requested_branches (org, key, ref);
create table code_blobs (
  hash text not null, part integer not null, size bigint not null, bytes ${isPostgres ? 'bytea' : 'blob'} not null,
  primary key (hash, part)
);
create table code_condemned (hash text not null primary key, since text not null, taken text not null);

create table site_checks (
  org text not null, site text not null, revision integer not null, state text not null, version integer not null,
  checked_at text not null, service_at text, service_version integer,
  authoring_at text, authoring_by text, authoring_version integer, environment text, technical_account text,
  summary text not null, results text not null,
  primary key (org, site)
);
create index site_checks_environment on site_checks (org, environment, authoring_at);
create table check_rounds (
  org text not null primary key, due text not null, owner text not null, lease_until text not null,
  since text not null, complete integer not null, repeats integer not null, done integer not null, total integer not null
);

create table event_causes (
  kind text not null, cause text not null, org text not null, site text, repository text, ref text,
  open integer not null, changed text not null, about text, detail text,
  primary key (kind, cause, org)
);
create index event_causes_open on event_causes (org) where open = 1;
create index event_causes_given_way on event_causes (org) where open = 2;
create table events (
  id ${id},
  time text not null, org text not null, kind text not null, cause text not null, phase text not null,
  site text, repository text, ref text, about text, detail text
);
create index events_org on events (org, id);
create table event_reads (org text not null, person text not null, up_to bigint not null, primary key (org, person));
create table event_subscriptions (
  id text not null primary key,
  org text not null, kinds text not null, sites text not null, channel text not null, target text not null, rhythm text not null,
  sealed text, created text not null, created_by text not null, owner_names text
);
create index event_subscriptions_org on event_subscriptions (org, id);
create table event_deliveries (
  id text not null primary key,
  org text not null, subscription text not null, state text not null, created text not null, next_at text not null,
  attempts integer not null, status integer, problem text, ended text, owner text not null, lease_until text not null
);
create index event_deliveries_subscription on event_deliveries (subscription, created);
create index event_deliveries_waiting on event_deliveries (org, next_at) where state = 'waiting';
create index event_deliveries_waiting_of on event_deliveries (subscription) where state = 'waiting';
create table event_delivery_items (delivery text not null, event bigint not null, primary key (delivery, event));

create table rollouts (
  org text not null, id text not null, state text not null, started text not null, revision integer not null,
  document text not null, owner text not null default '', lease_until text not null default '',
  primary key (org, id)
);
create index rollouts_open on rollouts (lease_until) where state in ('running', 'undoing');
create table rollout_sites (
  org text not null, rollout text not null, site text not null, position integer not null, wave integer not null,
  state text not null, evaluated integer not null default 0, worse integer not null default 0, stuck integer not null default 0,
  document text not null default '{}',
  primary key (org, rollout, site)
);
create index rollout_sites_next on rollout_sites (org, rollout, state, position)`;
  const listeners = 'create table listeners (node text not null primary key, name text not null, listening_until timestamptz not null)';
  const statements = [...created.split(';'), ...(isPostgres ? [listeners] : [])];
  return isPostgres ? statements.map((statement) => statement.replaceAll(' text', ' text collate "C"')) : statements;
}

/**
 * The key by which a repository is found and counted, as `repositoryKey` computes it: queries must use this expression to use the index.
 */
export const REPOSITORY_KEY = `(case when substr(repository, 1, 7) = 'github:' then lower(repository) else repository end)`;
