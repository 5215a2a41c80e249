import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { AuditEntry, SiteWrite, StoredOrg, VersionWrite } from '#backend/domain/ports.ts';
import type { StoredSecret } from '#backend/domain/secrets/stored-secret.ts';
import type { SecretRow, SiteRow, Tables } from './tables.ts';

export type OrgRow = Tables['orgs'];
export type VersionRow = Tables['versions'];
export type AuditRow = Required<Omit<Insertable<Tables['audit']>, 'id'>>;

export function orgRow({ org, config, etag, version }: StoredOrg): OrgRow {
  return { org, config: JSON.stringify(config), etag, version };
}

/** The row of a site with the bytes of its `/config.json` ready. */
export function siteRow(site: SiteWrite): SiteRow {
  const { config } = site;
  const published = config.public === undefined ? null : JSON.stringify({ public: config.public }, null, 2);
  return {
    org: site.org,
    site: site.site,
    config: JSON.stringify(config),
    etag: site.etag,
    version: site.version,
    content_root: site.contentRoot ?? null,
    repository: site.repository ?? null,
    holds_secret: site.holdsSecret ? 1 : 0,
    public_json: published,
    public_etag: published === null ? null : `"${createHash('sha256').update(published).digest('base64url')}"`,
    robots: config.robots?.txt ?? null,
  };
}

export function secretRow({ org, site, name, type, sealed, created, lastModified }: StoredSecret): SecretRow {
  return { org, site, name, type, sealed, created: created.toISOString(), last_modified: lastModified.toISOString() };
}

export function versionRow(version: VersionWrite): VersionRow {
  return {
    org: version.org,
    site: version.site,
    version: version.version,
    created: version.created.toISOString(),
    name: version.name ?? null,
    changed_by: version.user ?? null,
    data: version.data === null ? null : JSON.stringify(version.data),
  };
}

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
