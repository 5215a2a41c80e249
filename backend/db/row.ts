import type { Org } from '@repoless/contract/org.ts';
import type { Profile, Site } from '@repoless/contract/site.ts';
import { JobState } from '@repoless/contract/job.ts';
import type { JobDetails } from '@repoless/contract/job.ts';
import type { CodeOrigin } from '../code/rules/code-origin.ts';
import type { StoredBranch, StoredJob } from '../code/rules/ports.ts';
import type { RoleName } from '@repoless/contract/access.ts';
import type { OrgUsage, StoredApiKey, StoredOrg, StoredProfile, StoredSite } from '../domain/ports.ts';
import type { StoredSecret } from '../secrets/stored-secret.ts';

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

export function binary(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw new Error(`Column "${column}" holds no bytes.`);
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new Error(`Column "${column}" holds no number.`);
}

export function optionalInteger(row: Row, column: string): number | undefined {
  return row[column] === null || row[column] === undefined ? undefined : integer(row, column);
}

/** A row's number in a table that only grows; PostgreSQL answers such numbers as texts. */
export function serial(row: Row, column: string): number {
  const value = row[column];
  return typeof value === 'string' ? Number(value) : integer(row, column);
}

export function storedOrg(row: Row): StoredOrg {
  return { org: text(row, 'org'), config: document<Org>(text(row, 'config')), etag: text(row, 'etag'), version: integer(row, 'version') };
}

export function storedSite(row: Row): StoredSite {
  const config = document<Site>(text(row, 'config'));
  const aggregate = optionalText(row, 'aggregate');
  const contentRoot = optionalText(row, 'content_root');
  return {
    org: text(row, 'org'),
    site: text(row, 'site'),
    config,
    aggregate: aggregate === undefined ? config : document<Site>(aggregate),
    etag: text(row, 'etag'),
    version: integer(row, 'version'),
    ...(contentRoot === undefined ? {} : { contentRoot }),
  };
}

export function storedUsage(row: Row): OrgUsage {
  return {
    sites: serial(row, 'sites'),
    versions: serial(row, 'versions'),
    bytes: serial(row, 'bytes'),
    secrets: serial(row, 'secrets'),
    apiKeys: serial(row, 'api_keys'),
  };
}

export function storedProfile(row: Row): StoredProfile {
  return {
    org: text(row, 'org'),
    profile: text(row, 'profile'),
    config: document<Profile>(text(row, 'config')),
    etag: text(row, 'etag'),
    version: integer(row, 'version'),
  };
}

export function storedApiKey(row: Row): StoredApiKey {
  const [id, org, site] = [text(row, 'id'), text(row, 'org'), text(row, 'site')];
  const description = optionalText(row, 'description');
  const [roles, created, expires] = [text(row, 'roles'), text(row, 'created'), text(row, 'expires')];
  const createdBy = text(row, 'created_by');
  return {
    id,
    org,
    ...(site === '' ? {} : { site }),
    ...(description === undefined ? {} : { description }),
    roles: document<RoleName[]>(roles),
    created: new Date(created),
    createdBy,
    expires: new Date(expires),
  };
}

export function storedSecret(row: Row): StoredSecret {
  const [org, site, name] = [text(row, 'org'), text(row, 'site'), text(row, 'name')];
  const [type, sealed] = [text(row, 'type'), text(row, 'sealed')];
  const [expires, modified] = [optionalText(row, 'expires'), text(row, 'last_modified')];
  const description = optionalText(row, 'description');
  return {
    org,
    site,
    name,
    type: type === 'hashed' ? 'hashed' : 'key',
    sealed,
    created: new Date(text(row, 'created')),
    lastModified: new Date(modified),
    ...(expires !== undefined && optionalText(row, 'expires_of') === modified ? { expires: new Date(expires) } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

export function storedJob(row: Row): StoredJob {
  const [begunBy, askedBy] = [optionalText(row, 'begun_by'), optionalText(row, 'asked_by')];
  return {
    name: text(row, 'name'),
    key: text(row, 'key'),
    ref: text(row, 'ref'),
    origin: document<CodeOrigin>(text(row, 'origin')),
    // The state is the row's: whoever takes or stops a job changes it there.
    record: { ...document<JobDetails>(text(row, 'record')), state: JobState.parse(text(row, 'state')) },
    attempts: integer(row, 'attempts'),
    again: integer(row, 'again') === 1,
    ...(begunBy !== undefined && { begunBy }),
    isJoined: integer(row, 'joined') === 1,
    ...(askedBy !== undefined && { askedBy }),
  };
}

export function storedBranch(row: Row): StoredBranch {
  return {
    key: text(row, 'key'),
    ref: text(row, 'ref'),
    branch: text(row, 'branch'),
    sha: text(row, 'sha'),
    manifest: text(row, 'manifest'),
    bytes: serial(row, 'bytes'),
  };
}

// Safe: only documents that passed their schema are stored.
export function document<T>(json: string): T {
  return JSON.parse(json) as T;
}
