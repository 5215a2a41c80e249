import type { Effects } from '../effects.ts';
import { storable } from '../statement.ts';
import type { SiteRow, Value } from '../tables.ts';
import type { AuditRow, VersionRow } from '../write-rows.ts';

/** The usual write: one site put, its version with the same document, and its audit row. */
export interface UsualWrite {
  readonly site: SiteRow;
  readonly version: VersionRow;
  readonly audit: AuditRow;
}

/** The effects as a usual write; undefined where they are anything else. */
export function usualWrite(effects: Effects): UsualWrite | undefined {
  const [change, ...sites] = effects.sites;
  const [version, ...versions] = effects.versions;
  const [audit, ...audits] = effects.audits;
  if (change?.kind !== 'put' || version === undefined || audit === undefined) return undefined;
  if (sites.length + versions.length + audits.length + effects.orgs.length + effects.secrets.length > 0) return undefined;
  const { row, seen } = change;
  // A creation whose number is not 1 follows a removal, or was overtaken: its site must not be replaced unseen.
  const follows = seen === row.version - 1;
  const belongs = version.org === row.org && version.site === row.site && version.version === row.version && version.data === row.config;
  return follows && belongs && audit.org === row.org && audit.site === row.site ? { site: row, version, audit } : undefined;
}

const COLUMNS = [
  ...['org', 'site', 'config', 'etag', 'content_root', 'repository', 'public_json', 'public_etag', 'robots'].map((name) => [name, 'text']),
  ...['created', 'name', 'changed_by', 'time', 'acted_by', 'action', 'request_id'].map((name) => [name, 'text']),
  ...['version', 'holds_secret', 'from_version', 'to_version'].map((name) => [name, 'int4']),
] as const;

const SITE_COLUMNS = 'org, site, config, etag, version, content_root, repository, holds_secret, public_json, public_etag, robots';

/**
 * Stores any number of usual writes of different sites in one round trip and one transaction, and tells the other nodes.
 * Answers the sites that it stored; one that is missing was changed by somebody else meanwhile.
 */
export const STORE_BATCH = `
with input as (
  select * from unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})
    as input(${COLUMNS.map(([name]) => name).join(', ')})
), stored as (
  insert into sites (${SITE_COLUMNS}) select ${SITE_COLUMNS} from input
  on conflict (org, site) do update set
    config = excluded.config, etag = excluded.etag, version = excluded.version, content_root = excluded.content_root,
    repository = excluded.repository, holds_secret = excluded.holds_secret, public_json = excluded.public_json,
    public_etag = excluded.public_etag, robots = excluded.robots
    where sites.version = excluded.version - 1
  returning org, site
), versioned as (
  insert into versions (org, site, version, created, name, changed_by, data)
  select org, site, version, created, name, changed_by, config from input join stored using (org, site)
), audited as (
  insert into audit (org, site, time, changed_by, action, request_id, from_version, to_version)
  select org, site, time, acted_by, action, request_id, from_version, to_version from input join stored using (org, site)
)
select org, site, pg_notify($${COLUMNS.length + 1}, $${COLUMNS.length + 2} || ' ' || org || ' ' || site) from stored`;

/** The values of STORE_BATCH: one array for each column. */
export function batchValues(batch: readonly UsualWrite[], channel: string, node: string): (Value[] | string)[] {
  const rows = batch.map(({ site, version, audit }): Readonly<Record<string, Value>> => {
    const { created, name, changed_by } = version;
    const { time, action, request_id, from_version, to_version } = audit;
    return { ...site, created, name, changed_by, time, action, request_id, from_version, to_version, acted_by: audit.changed_by };
  });
  return [...COLUMNS.map(([column = '']) => rows.map((row) => storable(row[column] ?? null))), channel, node];
}
