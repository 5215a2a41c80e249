import { inAnyOrder, sameValue } from '@repoless/contract/json.ts';
import { Site } from '@repoless/contract/site.ts';
import { type JobRow, storedJob } from '../code/job-queries.ts';
import { storableText } from '../db/queries.ts';
import { etagOf } from '../domain/documents.ts';
import { verifyChain } from '../history/audit/chain.ts';
import type { AuditHeadRow, VersionRow } from '../history/history-queries.ts';
import { type OrgRow, storedOrg, type ProfileRow, storedProfile } from '../orgs/org-queries.ts';
import { ORG_OWNER, profileOwner } from '../owners/owner.ts';
import { type SecretRow, type ApiKeyRow, storedApiKey } from '../secrets/secret-queries.ts';
import { aggregateSite, extendedProfile } from '@repoless/contract/aggregate-site.ts';
import { publicBytes, type SiteRow, storedSite } from '../sites/site-queries.ts';
import { type DatabaseCopy, openCopy } from './database-copy.ts';
import { UsageError } from './database-state.ts';
import type { StoredProfile } from '../sites/ports.ts';

/**
 * `verify-backup <file>`: whether a copy of the database is complete. Exit status 0: it is; 1: it is not, with a message for each fault.
 */
export async function verify([location, ...more]: readonly string[]): Promise<number> {
  if (location === undefined || more.length > 0) throw new UsageError('Specify one copy: verify-backup <file, or postgres:// address>.');
  const { counts, problems } = await verifyDatabase(location);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const last = problems.length === 0 ? 'everything is intact' : `${problems.length} ${problems.length === 1 ? 'fault' : 'faults'}`;
  process.stdout.write(`${counted(counts)}: ${last}.\n`);
  return problems.length === 0 ? 0 : 1;
}

/** Verifies a file of SQLite or a database at a postgres:// address. Rejects with a message if it is not a copy of this version. */
export async function verifyDatabase(location: string): Promise<Verification> {
  const copy = await openCopy(location);
  return verifyCopy(copy).finally(() => copy.close());
}

/** The counts of a copy, e.g. `Organizations 1, sites 2, …`. */
export function counted(counts: Verification['counts']): string {
  const { orgs = 0, sites = 0, profiles = 0, versions = 0, api_keys: keys = 0, secrets = 0, audit = 0 } = counts;
  return `Organizations ${orgs}, sites ${sites}, profiles ${profiles}, versions ${versions}, API keys ${keys}, secrets ${secrets}, audit entries ${audit}`;
}

export interface Verification {
  readonly counts: Readonly<Partial<Record<keyof typeof KEYS | 'audit', number>>>;
  readonly problems: readonly string[];
}

const KEYS = {
  orgs: ['org'],
  profiles: ['org', 'profile'],
  sites: ['org', 'site'],
  versions: ['org', 'kind', 'item', 'version'],
  api_keys: ['id'],
  secrets: ['org', 'site', 'name'],
  code_jobs: ['name'],
  code_branches: ['key', 'ref'],
  audit_heads: ['org'],
} as const;

/** The current document of a subject, or its newest version. */
interface Known {
  readonly version: number;
  readonly data: string | null;
}

/** Reads the pages, every document and version, all references, and the audit trails. */
async function verifyCopy(copy: DatabaseCopy): Promise<Verification> {
  const problems: string[] = (await copy.pageProblems()).map((line) => `The pages of the database are damaged: ${line}.`);
  const counts: Partial<Record<keyof typeof KEYS | 'audit', number>> = {};
  const documents = new Map<string, Known>();
  const newest = new Map<string, Known>();
  const profiles = new Map<string, StoredProfile>();

  /** What `check` throws or returns is the fault of the row. */
  async function each<Row>(table: keyof typeof KEYS, check: (row: Row) => string | undefined): Promise<void> {
    counts[table] = 0;
    try {
      for await (const row of copy.rows(table, KEYS[table])) {
        counts[table] += 1;
        // Safe: the tables have the columns of this version.
        const problem = attempt(() => check(row as Row));
        if (problem !== undefined) problems.push(problem);
      }
    } catch (error) {
      problems.push(`The table "${table}" cannot be read: ${messageOf(error)}`);
    }
  }
  const ownerProblem = (what: string, org: string, site?: string) => {
    if (!documents.has(subject('org', org))) return `${what} belongs to the organization "${org}", which does not exist.`;
    const exists = site === undefined || documents.has(subject('site', org, site));
    return exists ? undefined : `${what} belongs to the site "${org}/${site}", which does not exist.`;
  };

  await each<OrgRow>('orgs', (row) => {
    documents.set(subject('org', row.org), { version: row.version, data: row.config });
    return etagProblem('org', row.org, storedOrg(row));
  });
  await each<ProfileRow>('profiles', (row) => {
    documents.set(subject('profile', row.org, row.profile), { version: row.version, data: row.config });
    const profile = storedProfile(row);
    profiles.set(`${row.org}/${row.profile}`, profile);
    return etagProblem('profile', `${row.org}/${row.profile}`, profile) ?? ownerProblem(`Profile "${row.profile}"`, row.org);
  });
  await each<WholeSiteRow>('sites', (row) => {
    documents.set(subject('site', row.org, row.site), { version: row.version, data: row.config });
    return ownerProblem(`Site "${row.site}"`, row.org) ?? siteProblem(row, profiles.get(`${row.org}/${row.profile ?? ''}`));
  });
  await each<VersionRow>('versions', ({ kind, org, item, version, data }) => {
    newest.set(subject(kind, org, item), { version, data });
    if (data !== null) JSON.parse(data);
    return undefined;
  });
  problems.push(...historyProblems(documents, newest));
  await each<ApiKeyRow>('api_keys', (row) => {
    const { id, org, site } = storedApiKey(row);
    return ownerProblem(`API key ${id}`, org, site);
  });
  // Not every secret belongs to a site: those of a profile or the organization are removed with it.
  await each<SecretRow>('secrets', ({ org, site, name }) =>
    ownerProblem(`Secret "${name}"`, org, site === ORG_OWNER || site.startsWith(profileOwner('')) ? undefined : site),
  );
  await each<JobRow>('code_jobs', (row) => void storedJob(row));
  await each('code_branches', () => undefined);
  const trails = new Set([...documents.keys()].map((key) => key.split('/')[1] ?? ''));
  await each<AuditHeadRow>('audit_heads', ({ org }) => void trails.add(org));
  counts.audit = 0;
  for (const org of trails) {
    const { broken, verified } = await verifyChain(copy.reads, org);
    counts.audit += verified.to - verified.from + 1;
    if (broken !== undefined) problems.push(`The audit trail of "${org}" was altered. ${broken.sentence}`);
  }
  return { counts, problems };
}

/** An existing document equals its newest version; a removed one was removed by its newest version. */
function historyProblems(documents: ReadonlyMap<string, Known>, newest: ReadonlyMap<string, Known>): string[] {
  const problems: string[] = [];
  for (const [key, { version, data }] of documents) {
    const last = newest.get(key);
    if (last?.version !== version || last.data !== data)
      problems.push(`The newest version of ${named(key)} does not match its stored configuration, version ${version}.`);
  }
  for (const [key, { version, data }] of newest) {
    if (!documents.has(key) && data !== null) problems.push(`Version ${version} exists, but ${named(key)} does not.`);
  }
  return problems;
}

function subject(kind: string, org: string, item = ''): string {
  return `${kind}/${org}/${item}`;
}

function named(key: string): string {
  const [kind = '', org = '', item = ''] = key.split('/');
  return `${kind === 'org' ? 'organization' : kind} "${item === '' ? org : `${org}/${item}`}"`;
}

function etagProblem(kind: string, name: string, { config, etag }: { config: object; etag: string }): string | undefined {
  return etagOf(config) === etag ? undefined : `The stored data of ${named(`${kind}/${name}`)} does not match its etag.`;
}

function attempt(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface WholeSiteRow extends SiteRow {
  readonly profile: string | null;
  readonly public_json: string | null;
  readonly robots: string | null;
}

/** The fault of a site: its documents, the profile that it extends, or its derived data. */
function siteProblem(row: WholeSiteRow, profile: StoredProfile | undefined): string | undefined {
  const stored = storedSite(row);
  const { org, site, config, aggregate } = stored;
  const name = `site "${org}/${site}"`;
  const changed = etagProblem('site', `${org}/${site}`, stored);
  if (changed !== undefined) return changed;
  const parsed = Site.safeParse(config);
  if (!parsed.success) return `The ${name} has an invalid configuration: ${parsed.error.issues[0]?.message ?? ''}`;
  const extended = extendedProfile(config);
  const isNamed = config.extends?.profile !== undefined;
  if (extended !== (row.profile ?? undefined) || (isNamed && profile === undefined))
    return `The ${name} extends the profile "${extended ?? ''}", which does not exist.`;
  if (!sameValue(inAnyOrder(aggregate), inAnyOrder(aggregateSite(config, profile?.config))))
    return `The aggregate of ${name} does not match its configuration and its profile.`;
  const text = aggregate.robots?.txt;
  if (row.robots !== (text === undefined ? null : storableText(text))) return `The robots.txt of ${name} does not match its configuration.`;
  return row.public_json === publicBytes(aggregate) ? undefined : `The config.json of ${name} does not match its public part.`;
}
