import { hash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Site } from '@repoless/contract/site.ts';
import { printed } from '../domain/canonical.ts';
import { extendedProfile } from '../sites/aggregate-site.ts';
import type { AuditEntry } from '../history/audit/ports.ts';
import type {
  AggregateWrite,
  SiteKeys,
  SiteWrite,
  StoredApiKey,
  StoredOrg,
  StoredProfile,
  Subject,
  VersionWrite,
} from '../domain/ports.ts';
import type { StoredSecret } from '../secrets/stored-secret.ts';
import { entryHash } from '../history/audit/chain.ts';
import { storableText } from './statement.ts';
import type { ApiKeyRow, DerivedRow, ProfileRow, SecretRow, SiteRow, Tables, VersionRow } from './tables.ts';

export type OrgRow = Tables['orgs'];
export type AuditRow = Required<Omit<Insertable<Tables['audit']>, 'id' | 'seq' | 'previous' | 'hash'>>;
export interface ChainLink {
  readonly id: number;
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
}

export function orgRow({ org, config, etag, version }: StoredOrg): OrgRow {
  return { org, config: printed(config), etag, version };
}

export function profileRow({ org, profile, config, etag, version }: StoredProfile): ProfileRow {
  return { org, profile, config: printed(config), etag, version };
}

/** The row of a site with the bytes of its `/config.json` ready. */
export function siteRow(site: SiteWrite): SiteRow {
  const { config, aggregate, etag, version } = site;
  const row = derivedRow(site, aggregate ?? config, aggregate);
  return Object.assign(row, { config: printed(config), etag, version, profile: extendedProfile(config) ?? null });
}

export function aggregateRow(site: AggregateWrite): DerivedRow {
  return derivedRow(site, site.aggregate, site.alone ? undefined : site.aggregate);
}

/** What follows from all that holds for a site, which is stored beside its own configuration where that is another. */
function derivedRow(site: SiteKeys & { readonly org: string; readonly site: string }, holds: Site, stored: Site | undefined): DerivedRow {
  const published = publicBytes(holds);
  const robots = holds.robots?.txt === undefined ? null : storableText(holds.robots.txt);
  const aggregate = stored === undefined ? null : printed(stored);
  return {
    org: site.org,
    site: site.site,
    content_root: site.contentRoot ?? null,
    repository: site.repository ?? null,
    holds_secret: site.holdsSecret ? 1 : 0,
    public_json: published,
    public_etag: published === null ? null : publicEtag(published),
    robots,
    aggregate,
  };
}

/** Of the bytes of `/config.json`, strong, with its quotes. */
function publicEtag(json: string): string {
  return `"${hash('sha256', json, 'base64url')}"`;
}

/** The bytes of `/config.json`; null where there is no public part. */
export function publicBytes(holds: Site): string | null {
  return holds.public === undefined ? null : JSON.stringify({ public: holds.public }, null, 2);
}

export function secretRow(secret: StoredSecret): SecretRow {
  const { org, site, name, type, sealed, created, lastModified, expires, description } = secret;
  return {
    org,
    site,
    name,
    type,
    sealed,
    created: created.toISOString(),
    last_modified: lastModified.toISOString(),
    expires: expires?.toISOString() ?? null,
    expires_of: expires === undefined ? null : lastModified.toISOString(),
    description: description === undefined ? null : storableText(description),
  };
}

export function apiKeyRow(key: StoredApiKey): ApiKeyRow {
  return {
    id: key.id,
    org: key.org,
    site: key.site ?? '',
    description: key.description === undefined ? null : storableText(key.description),
    roles: JSON.stringify(key.roles),
    created: key.created.toISOString(),
    created_by: storableText(key.createdBy),
    expires: key.expires.toISOString(),
  };
}

export function versionRow(version: VersionWrite): VersionRow {
  const { org, kind, item } = subjectKey(version.subject);
  return {
    org,
    kind,
    item,
    version: version.version,
    created: version.created.toISOString(),
    name: version.name ?? null,
    changed_by: version.user ?? null,
    data: version.data === null ? null : printed(version.data),
    restored_from: version.restoredFrom ?? null,
    gone: 0,
  };
}

/** Where the versions of a subject are. */
export function subjectKey(subject: Subject): SubjectKey {
  switch (subject.kind) {
    case 'org':
      return { org: subject.org, kind: 'org', item: '' };
    case 'profile':
      return { org: subject.org, kind: 'profile', item: subject.profile };
    case 'site':
      return { org: subject.org, kind: 'site', item: subject.site };
    default:
      return subject satisfies never;
  }
}

export type SubjectKey = Pick<VersionRow, 'org' | 'kind' | 'item'>;

/** Texts are as they can be read again, for the hash of an entry is of what is read. */
export function auditRow(entry: AuditEntry): AuditRow {
  return {
    org: entry.org,
    site: entry.site ?? null,
    time: entry.time.toISOString(),
    changed_by: storableText(entry.user),
    action: storableText(entry.action),
    request_id: storableText(entry.requestId),
    from_version: entry.from ?? null,
    to_version: entry.to ?? null,
  };
}

/** The hash that belongs to a row of the audit trail. */
export function rowHash(row: AuditRow & Omit<ChainLink, 'hash'>): string {
  const { previous, id, org, seq, site, time, changed_by: user, action, request_id: requestId, from_version: from, to_version: to } = row;
  return entryHash({ previous, id, org, seq, site, time, user, action, requestId, from, to });
}
