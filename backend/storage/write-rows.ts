import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Site } from '#contract/site.ts';
import type {
  AggregateWrite,
  AuditEntry,
  SiteKeys,
  SiteWrite,
  StoredApiKey,
  StoredOrg,
  StoredProfile,
  Subject,
  VersionWrite,
} from '#backend/domain/ports.ts';
import type { StoredSecret } from '#backend/domain/secrets/stored-secret.ts';
import type { ApiKeyRow, DerivedRow, ProfileRow, SecretRow, SiteRow, Tables, VersionRow } from './tables.ts';

export type OrgRow = Tables['orgs'];
export type AuditRow = Required<Omit<Insertable<Tables['audit']>, 'id'>>;

export function orgRow({ org, config, etag, version }: StoredOrg): OrgRow {
  return { org, config: JSON.stringify(config), etag, version };
}

export function profileRow({ org, profile, config, etag, version }: StoredProfile): ProfileRow {
  return { org, profile, config: JSON.stringify(config), etag, version };
}

/** The row of a site with the bytes of its `/config.json` ready. */
export function siteRow(site: SiteWrite): SiteRow {
  const { config, aggregate } = site;
  return {
    config: JSON.stringify(config),
    etag: site.etag,
    version: site.version,
    profile: config.extends?.profile ?? null,
    ...derived(site, aggregate ?? config),
    aggregate: aggregate === undefined ? null : JSON.stringify(aggregate),
  };
}

export function aggregateRow(site: AggregateWrite): DerivedRow {
  return { ...derived(site, site.aggregate), aggregate: JSON.stringify(site.aggregate) };
}

function derived(site: SiteKeys & { readonly org: string; readonly site: string }, holds: Site): Omit<DerivedRow, 'aggregate'> {
  const published = holds.public === undefined ? null : JSON.stringify({ public: holds.public }, null, 2);
  return {
    org: site.org,
    site: site.site,
    content_root: site.contentRoot ?? null,
    repository: site.repository ?? null,
    holds_secret: site.holdsSecret ? 1 : 0,
    public_json: published,
    public_etag: published === null ? null : `"${createHash('sha256').update(published).digest('base64url')}"`,
    robots: holds.robots?.txt ?? null,
  };
}

export function secretRow({ org, site, name, type, sealed, created, lastModified }: StoredSecret): SecretRow {
  return { org, site, name, type, sealed, created: created.toISOString(), last_modified: lastModified.toISOString() };
}

export function apiKeyRow(key: StoredApiKey): ApiKeyRow {
  return {
    id: key.id,
    org: key.org,
    site: key.site ?? '',
    description: key.description ?? null,
    roles: JSON.stringify(key.roles),
    created: key.created.toISOString(),
    created_by: key.createdBy,
    expires: key.expires.toISOString(),
  };
}

export function versionRow(version: VersionWrite): VersionRow {
  return {
    ...subjectKey(version.subject),
    version: version.version,
    created: version.created.toISOString(),
    name: version.name ?? null,
    changed_by: version.user ?? null,
    data: version.data === null ? null : JSON.stringify(version.data),
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

export function auditRow(entry: AuditEntry): AuditRow {
  return {
    org: entry.org,
    site: entry.site ?? null,
    time: entry.time.toISOString(),
    changed_by: entry.user,
    action: entry.action,
    request_id: entry.requestId,
    from_version: entry.from ?? null,
    to_version: entry.to ?? null,
  };
}
