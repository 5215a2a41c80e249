import type { Org } from '#contract/org.ts';
import type { Site } from '#contract/site.ts';
import type { StoredOrg, StoredSite, VersionWrite } from '#backend/domain/ports.ts';

/** A row as an engine answers it. */
export type Row = Readonly<Record<string, unknown>>;

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new Error(`Column "${column}" holds no text.`);
}

export function optionalText(row: Row, column: string): string | undefined {
  return row[column] === null || row[column] === undefined ? undefined : text(row, column);
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new Error(`Column "${column}" holds no number.`);
}

export function storedOrg(row: Row, prefix = ''): StoredOrg {
  return {
    org: text(row, 'org'),
    config: document<Org>(text(row, `${prefix}config`)),
    etag: text(row, `${prefix}etag`),
    version: integer(row, `${prefix}version`),
  };
}

export function storedSite(row: Row): StoredSite {
  return {
    org: text(row, 'org'),
    site: text(row, 'site'),
    config: document<Site>(text(row, 'config')),
    etag: text(row, 'etag'),
    version: integer(row, 'version'),
  };
}

export function versionEntry(row: Row): Omit<VersionWrite, 'data'> {
  const name = optionalText(row, 'name');
  const user = optionalText(row, 'changed_by');
  return {
    org: text(row, 'org'),
    site: text(row, 'site'),
    version: integer(row, 'version'),
    created: new Date(text(row, 'created')),
    ...(name === undefined ? {} : { name }),
    ...(user === undefined ? {} : { user }),
  };
}

export function storedVersion(row: Row): VersionWrite {
  const data = optionalText(row, 'data');
  return { ...versionEntry(row), data: data === undefined ? null : document<Site>(data) };
}

// Safe: only documents that passed their schema are ever stored, and nobody else writes to the tables.
function document<T>(json: string): T {
  return JSON.parse(json) as T;
}
