import { hash } from 'node:crypto';
import { linked } from '../history/audit/chain.ts';
import { Refusal } from '../domain/errors.ts';
import type { OrgRow } from './write-rows.ts';
import type { ApiKeyRow, DerivedRow, ProfileRow, SecretRow, SiteRow, VersionRow } from './tables.ts';

// What a digest covers says where the document belongs as well: one row put in the place of another is damage, too.

export function orgDigest({ org, config, etag, version }: Omit<OrgRow, 'digest'>): string {
  return linked([org, config, etag, version]);
}

export function profileDigest({ org, profile, config, etag, version }: Omit<ProfileRow, 'digest'>): string {
  return linked([org, profile, config, etag, version]);
}

export function siteDigest({ org, site, config, etag, version }: Pick<SiteRow, 'org' | 'site' | 'config' | 'etag' | 'version'>): string {
  return linked([org, site, config, etag, version]);
}

export function aggregateDigest({ org, site, aggregate }: Pick<DerivedRow, 'org' | 'site' | 'aggregate'>): string | null {
  return aggregate === null ? null : linked([org, site, aggregate]);
}

export function robotsDigest({ org, site, robots }: Pick<DerivedRow, 'org' | 'site' | 'robots'>): string | null {
  return robots === null ? null : linked([org, site, robots]);
}

export function apiKeyDigest({ id, org, site, description, roles, created, created_by, expires }: Omit<ApiKeyRow, 'digest'>): string {
  return linked([id, org, site, description, roles, created, created_by, expires]);
}

export function secretDigest({ org, site, name, type, sealed }: Pick<SecretRow, 'org' | 'site' | 'name' | 'type' | 'sealed'>): string {
  return linked([org, site, name, type, sealed]);
}

export function versionDigest({
  org,
  kind,
  item,
  version,
  data,
}: Pick<VersionRow, 'org' | 'kind' | 'item' | 'version' | 'data'>): string | null {
  return data === null ? null : linked([org, kind, item, version, data]);
}

/** Of the bytes of `/config.json`, strong, with its quotes. */
export function publicEtag(json: string): string {
  return `"${hash('sha256', json, 'base64url')}"`;
}

/** The row itself, with its digest. */
export function withDigest<Row extends object, Digest>(digest: (row: Row) => Digest, row: Row): Row & { digest: Digest } {
  return Object.assign(row, { digest: digest(row) });
}

/** Refuses what is not as it was stored; `what` as it ends a sentence, e.g. `site "wknd/de"`. */
export function requireIntact(found: string | null | undefined, expected: string | null, what: string): void {
  if ((found ?? null) === expected) return;
  throw new Refusal('STORAGE_DAMAGED', `The stored data of ${what} is damaged. Ask the operator to restore it from a backup.`);
}
