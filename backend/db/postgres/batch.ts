import { DEFAULT_PROFILE } from '../../sites/aggregate-site.ts';
import type { WriteSet, SeenProfile } from '../write-set.ts';
import { isNoDefault } from '../write-set-steps.ts';
import { storable } from '../statement.ts';
import type { SiteRow, Value, VersionRow } from '../tables.ts';
import type { AuditRow } from '../write-rows.ts';

/** The usual write: one site put, its version with the same document, and its audit row. */
export interface UsualWrite {
  readonly site: SiteRow;
  readonly version: VersionRow;
  /** Versions without a name go up to this number. */
  readonly forget: number;
  readonly audit: AuditRow;
  /** What must be held first, and still be so: see `holdProfiles`. */
  readonly profiles: readonly SeenProfile[];
  /** The most sites of its organization, with this one; undefined where it adds none, or may add any number: see `holdSiteQuota`. */
  readonly siteLimit: number | undefined;
}

/** The effects as a usual write; undefined where they are anything else. */
export function usualWrite(writeSet: WriteSet): UsualWrite | undefined {
  const [change, ...sites] = writeSet.sites;
  const [added, ...versions] = writeSet.versions;
  const [audit, ...audits] = writeSet.audits;
  const [bound, ...bounds] = writeSet.bounds;
  if (change?.kind !== 'put' || added === undefined || audit === undefined) return undefined;
  if (sites.length + versions.length + audits.length + bounds.length > 0 || doesMore(writeSet)) return undefined;
  const { row, seen } = change;
  const { row: version, forget } = added;
  // A creation whose number is not 1 follows a removal, or was overtaken: its site must not be replaced unseen.
  const follows = seen === row.version - 1;
  const ofSite = version.org === row.org && version.kind === 'site' && version.item === row.site;
  const belongs = ofSite && version.version === row.version && version.data === row.config;
  if (!follows || !belongs || audit.org !== row.org || audit.site !== row.site) return undefined;
  if (bound !== undefined && (bound.counted !== 'sites' || bound.org !== row.org)) return undefined;
  // That there is no default profile is looked at where the site is stored.
  const profiles = [...writeSet.seenProfiles.values()].filter((seen) => !isNoDefault(seen));
  return { site: row, version, forget, audit, profiles, siteLimit: bound?.limit };
}

function doesMore({
  orgs,
  profiles,
  aggregates,
  secrets,
  apiKeys,
  subscriptions,
  versionChanges,
  siteChecks,
  causes,
  rollouts,
  contentRoots,
  seenHolders,
  seenUsers,
}: WriteSet): boolean {
  const documents = orgs.length + profiles.length + aggregates.length + siteChecks.length + causes.length + rollouts.length;
  if (seenHolders.size + seenUsers.size > 0) return true;
  return documents + contentRoots.length + secrets.length + apiKeys.length + subscriptions.length + versionChanges.length > 0;
}

const COLUMNS = [
  ...['org', 'site', 'config', 'etag', 'content_root', 'repository', 'public_json', 'public_etag', 'robots'].map((name) => [name, 'text']),
  ...[
    'profile',
    'aggregate',
    'digest',
    'aggregate_digest',
    'robots_digest',
    'version_digest',
    'created',
    'name',
    'changed_by',
    'time',
    'acted_by',
    'action',
    'request_id',
  ].map((name) => [name, 'text']),
  ...['version', 'holds_secret', 'from_version', 'to_version', 'forget'].map((name) => [name, 'int4']),
] as const;

const SITE_COLUMNS =
  'org, site, config, etag, version, content_root, repository, holds_secret, public_json, public_etag, robots, profile, aggregate, digest, aggregate_digest, robots_digest';

/**
 * Stores any number of usual writes of different sites in one round trip and one transaction, and tells the other nodes, with a mark behind the last of them.
 * Answers the sites that it stored; one that is missing was changed by somebody else meanwhile, or is to stand on a default profile that it did not see.
 */
export function storeBatch(batch: readonly UsualWrite[]): { name: string; text: string } {
  return batch.some(({ forget }) => forget > 0) ? STORE_AND_FORGET : STORE;
}

const STORE = { name: 'store-batch', text: storeStatement('') };
const STORE_AND_FORGET = {
  name: 'store-and-forget-batch',
  text: storeStatement(`, forgotten as (
  delete from versions using input join stored using (org, site)
  where versions.org = input.org and versions.kind = 'site' and versions.item = input.site
    and versions.version <= input.forget and versions.name is null
)`),
};

function storeStatement(further: string): string {
  return `
with input as (
  select * from unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})
    as input(${COLUMNS.map(([name]) => name).join(', ')})
), held as materialized (
  -- Chains are held in the same order by everybody, so that no two batches wait for each other, and before the sites.
  select json_object_agg(org, repoless_default_profile(org)) as profiles from (select distinct org from input order by org) as orgs
), stored as (
  insert into sites (${SITE_COLUMNS}) select ${SITE_COLUMNS} from input cross join held
  where held.profiles ->> org is null or input.profile is distinct from '${DEFAULT_PROFILE}' or input.aggregate is not null
  on conflict (org, site) do update set
    config = excluded.config, etag = excluded.etag, version = excluded.version, content_root = excluded.content_root,
    repository = excluded.repository, holds_secret = excluded.holds_secret, public_json = excluded.public_json,
    public_etag = excluded.public_etag, robots = excluded.robots, profile = excluded.profile, aggregate = excluded.aggregate,
    digest = excluded.digest, aggregate_digest = excluded.aggregate_digest, robots_digest = excluded.robots_digest
    where sites.version = excluded.version - 1
  returning org, site
), versioned as (
  insert into versions (org, kind, item, version, created, name, changed_by, data, gone, digest)
  select org, 'site', site, version, created, name, changed_by, config, 0, version_digest from input join stored using (org, site)
), audited as (
  insert into audit (org, site, time, changed_by, action, request_id, from_version, to_version)
  select org, site, time, acted_by, action, request_id, from_version, to_version from input join stored using (org, site)
  order by org, site
)${further}, told as materialized (
  select org, site, pg_notify($${COLUMNS.length + 1}, 'site ' || org || ' ' || site) from stored
), marked as materialized (
  -- The mark is told last: it needs the number of all the others.
  select pg_notify($${COLUMNS.length + 1}, $${COLUMNS.length + 2}) from (select count(*) as sites from told) as counted where sites > 0
)
select org, site from told cross join marked`;
}

export interface Telling {
  readonly channel: string;
  /** What is told last. */
  readonly mark: string;
}

/** The values of `storeBatch`: one array for each column. */
export function batchValues(batch: readonly UsualWrite[], { channel, mark }: Telling): (Value[] | string)[] {
  const rows = batch.map(({ site, version, forget, audit }): Readonly<Record<string, Value>> => {
    const { created, name, changed_by, digest: version_digest } = version;
    const { time, action, request_id, from_version, to_version } = audit;
    return {
      ...site,
      version_digest,
      created,
      name,
      changed_by,
      time,
      action,
      request_id,
      from_version,
      to_version,
      forget,
      acted_by: audit.changed_by,
    };
  });
  return [...COLUMNS.map(([column = '']) => rows.map((row) => storable(row[column] ?? null))), channel, mark];
}
