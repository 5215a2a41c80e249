import type { Org } from '#contract/org.ts';
import type { Profile, Site } from '#contract/site.ts';
import { JobState } from '#contract/job.ts';
import type { JobDetails } from '#contract/job.ts';
import type { CodeOrigin } from '#backend/domain/code/code-origin.ts';
import type { StoredBranch, StoredJob } from '#backend/domain/code/ports.ts';
import type { RoleName } from '#contract/access.ts';
import type { StoredApiKey, StoredOrg, StoredProfile, StoredSite } from '#backend/domain/ports.ts';
import type { StoredSecret } from '#backend/domain/secrets/stored-secret.ts';

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

export function optionalInteger(row: Row, column: string): number | undefined {
  return row[column] === null || row[column] === undefined ? undefined : integer(row, column);
}

/** A row's number in a table that only grows; PostgreSQL answers such numbers as texts. */
export function serial(row: Row, column: string): number {
  const value = row[column];
  return typeof value === 'string' ? Number(value) : integer(row, column);
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
  const config = document<Site>(text(row, 'config'));
  const aggregate = optionalText(row, 'aggregate');
  return {
    org: text(row, 'org'),
    site: text(row, 'site'),
    config,
    aggregate: aggregate === undefined ? config : document<Site>(aggregate),
    etag: text(row, 'etag'),
    version: integer(row, 'version'),
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
  const site = text(row, 'site');
  const description = optionalText(row, 'description');
  return {
    id: text(row, 'id'),
    org: text(row, 'org'),
    ...(site === '' ? {} : { site }),
    ...(description === undefined ? {} : { description }),
    roles: document<RoleName[]>(text(row, 'roles')),
    created: new Date(text(row, 'created')),
    createdBy: text(row, 'created_by'),
    expires: new Date(text(row, 'expires')),
  };
}

export function storedSecret(row: Row): StoredSecret {
  return {
    org: text(row, 'org'),
    site: text(row, 'site'),
    name: text(row, 'name'),
    type: text(row, 'type') === 'hashed' ? 'hashed' : 'key',
    sealed: text(row, 'sealed'),
    created: new Date(text(row, 'created')),
    lastModified: new Date(text(row, 'last_modified')),
  };
}

export function storedJob(row: Row): StoredJob {
  return {
    name: text(row, 'name'),
    key: text(row, 'key'),
    ref: text(row, 'ref'),
    origin: document<CodeOrigin>(text(row, 'origin')),
    // The state is the row's: whoever takes or stops a job changes it there.
    record: { ...document<JobDetails>(text(row, 'record')), state: JobState.parse(text(row, 'state')) },
    attempts: integer(row, 'attempts'),
    again: integer(row, 'again') === 1,
  };
}

export function storedBranch(row: Row): StoredBranch {
  return {
    key: text(row, 'key'),
    ref: text(row, 'ref'),
    branch: text(row, 'branch'),
    sha: text(row, 'sha'),
    manifest: text(row, 'manifest'),
  };
}

// Safe: only documents that passed their schema are ever stored, and nobody else writes to the tables.
export function document<T>(json: string): T {
  return JSON.parse(json) as T;
}
