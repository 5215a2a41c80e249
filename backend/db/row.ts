import type { Org } from '@repoless/contract/org.ts';
import type { Profile, Site } from '@repoless/contract/site.ts';
import { JobState } from '@repoless/contract/job.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { JobDetails } from '@repoless/contract/job.ts';
import type { CodeOrigin } from '../code/rules/code-origin.ts';
import type { StoredBranch, StoredJob } from '../code/rules/ports.ts';
import type { RoleName } from '@repoless/contract/access.ts';
import type { OrgUsage, StoredApiKey, StoredOrg, StoredProfile, StoredSite } from '../domain/ports.ts';
import {
  aggregateDigest,
  apiKeyDigest,
  orgDigest,
  profileDigest,
  requireIntact,
  robotsDigest,
  secretDigest,
  siteDigest,
} from './digest.ts';
import { knownRows } from './known-rows.ts';
import { createRowBudget } from './row-budget.ts';
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

const budget = createRowBudget(LIMITS.knownBytes);

const readOrg = (prefix: string) =>
  knownRows(
    (row): StoredOrg => {
      const [org, config] = [text(row, 'org'), text(row, `${prefix}config`)];
      const [etag, version] = [text(row, `${prefix}etag`), integer(row, `${prefix}version`)];
      requireIntact(optionalText(row, `${prefix}digest`), orgDigest({ org, config, etag, version }), `organization "${org}"`);
      return { org, config: document<Org>(config), etag, version };
    },
    { columns: ['org', ...['config', 'etag', 'version', 'digest'].map((column) => `${prefix}${column}`)], key: 1, budget },
  );
export const storedOrg = readOrg('').document;
/** From a row of a site with its organization. */
export const storedOrgOfSite = readOrg('org_').document;

const SITE = ['org', 'site', 'config', 'etag', 'version', 'digest', 'aggregate', 'aggregate_digest', 'content_root'];
export const { document: storedSite, listed: listedSite } = knownRows(readSite, { columns: SITE, key: 2, budget });

function readSite(row: Row): StoredSite {
  const [org, site, json] = [text(row, 'org'), text(row, 'site'), text(row, 'config')];
  const [etag, version] = [text(row, 'etag'), integer(row, 'version')];
  const aggregate = optionalText(row, 'aggregate') ?? null;
  const what = `site "${org}/${site}"`;
  requireIntact(optionalText(row, 'digest'), siteDigest({ org, site, config: json, etag, version }), what);
  requireIntact(optionalText(row, 'aggregate_digest'), aggregateDigest({ org, site, aggregate }), what);
  const config = document<Site>(json);
  const contentRoot = optionalText(row, 'content_root');
  const held = contentRoot === undefined ? {} : { contentRoot };
  return { org, site, config, aggregate: aggregate === null ? config : document<Site>(aggregate), etag, version, ...held };
}

/** The text of robots.txt; undefined where there is none. */
export function storedRobots(row: Row): string | undefined {
  const [org, site, robots] = [text(row, 'org'), text(row, 'site'), optionalText(row, 'robots') ?? null];
  requireIntact(optionalText(row, 'robots_digest'), robotsDigest({ org, site, robots }), `robots.txt of site "${org}/${site}"`);
  return robots ?? undefined;
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
  const [org, profile, config] = [text(row, 'org'), text(row, 'profile'), text(row, 'config')];
  const [etag, version] = [text(row, 'etag'), integer(row, 'version')];
  requireIntact(optionalText(row, 'digest'), profileDigest({ org, profile, config, etag, version }), `profile "${org}/${profile}"`);
  return { org, profile, config: document<Profile>(config), etag, version };
}

export function storedApiKey(row: Row): StoredApiKey {
  const [id, org, site] = [text(row, 'id'), text(row, 'org'), text(row, 'site')];
  const description = optionalText(row, 'description');
  const [roles, created, expires] = [text(row, 'roles'), text(row, 'created'), text(row, 'expires')];
  const createdBy = text(row, 'created_by');
  const expected = apiKeyDigest({ id, org, site, description: description ?? null, roles, created, created_by: createdBy, expires });
  requireIntact(optionalText(row, 'digest'), expected, `API key "${id}"`);
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
  requireIntact(optionalText(row, 'digest'), secretDigest({ org, site, name, type, sealed }), `secret "${name}" of site "${org}/${site}"`);
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

// Safe: only documents that passed their schema are ever stored, and what somebody else wrote does not fit its digest.
export function document<T>(json: string): T {
  return JSON.parse(json) as T;
}
