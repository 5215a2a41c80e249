import { inAnyOrder, sameValue } from '@repoless/contract/json.ts';
import { Site } from '@repoless/contract/site.ts';
import { etagOf } from '../../domain/canonical.ts';
import type { StoredProfile } from '../../domain/ports.ts';
import { verifyChain } from '../../history/audit/verify-chain.ts';
import { ORG_PLACE, profilePlace } from '../../owners/owner.ts';
import { aggregateSite, extendedProfile } from '../../sites/aggregate-site.ts';
import {
  document,
  integer,
  optionalText,
  type Row,
  storedApiKey,
  storedBranch,
  storedJob,
  storedOrg,
  storedProfile,
  storedSite,
  storedSecret,
  text,
} from '../row.ts';
import { publicConfig } from '../sql-reads.ts';
import { storableText } from '../statement.ts';
import type { Tables } from '../tables.ts';
import { publicBytes } from '../write-rows.ts';
import type { Copy } from './open-copy.ts';

export interface Verification {
  /** Rows that were looked at. */
  readonly counts: Readonly<Partial<Record<keyof Tables, number>>>;
  /** What is wrong, a sentence each. */
  readonly problems: readonly string[];
}

/** The document of a subject as it is, or its newest version. */
interface Known {
  readonly version: number;
  readonly data: string | null;
}

/** Looks at the pages, every document and version, what refers to what, and the audit trails. */
export async function verifyCopy(copy: Copy): Promise<Verification> {
  const problems: string[] = (await copy.pageProblems()).map((line) => `The pages of the database are damaged: ${line}.`);
  const counts: Partial<Record<keyof Tables, number>> = {};
  const documents = new Map<string, Known>();
  const newest = new Map<string, Known>();
  const profiles = new Map<string, ReturnType<typeof storedProfile>>();

  /** What `look` throws or answers is wrong with the row. */
  async function each(table: keyof typeof KEYS, look: (row: Row) => string | undefined): Promise<void> {
    counts[table] = 0;
    try {
      for await (const row of copy.rows(table, KEYS[table])) {
        counts[table] += 1;
        const problem = attempt(() => look(row));
        if (problem !== undefined) problems.push(problem);
      }
    } catch (error) {
      problems.push(`The table "${table}" cannot be read: ${messageOf(error)}`);
    }
  }
  const unknownPlace = (what: string, org: string, site?: string) => {
    if (!documents.has(subject('org', org))) return `${what} belongs to the organization "${org}", which does not exist.`;
    const there = site === undefined || documents.has(subject('site', org, site));
    return there ? undefined : `${what} belongs to the site "${org}/${site}", which does not exist.`;
  };

  await each('orgs', (row) => {
    const { org, config, etag } = storedOrg(row);
    documents.set(subject('org', org), known(row, 'config'));
    return etagProblem(named(subject('org', org)), config, etag);
  });
  await each('profiles', (row) => {
    const [org, name] = [text(row, 'org'), text(row, 'profile')];
    documents.set(subject('profile', org, name), known(row, 'config'));
    const profile = storedProfile(row);
    profiles.set(`${org}/${name}`, profile);
    return etagProblem(named(subject('profile', org, name)), profile.config, profile.etag) ?? unknownPlace(`Profile "${name}"`, org);
  });
  await each('sites', (row) => {
    const [org, name] = [text(row, 'org'), text(row, 'site')];
    documents.set(subject('site', org, name), known(row, 'config'));
    return unknownPlace(`Site "${name}"`, org) ?? siteProblem(row, profiles.get(`${org}/${optionalText(row, 'profile') ?? ''}`));
  });
  await each('versions', (row) => {
    const data = optionalText(row, 'data') ?? null;
    newest.set(subject(text(row, 'kind'), text(row, 'org'), text(row, 'item')), { version: integer(row, 'version'), data });
    if (data !== null) document(data);
    return undefined;
  });
  problems.push(...historyProblems(documents, newest));
  await each('api_keys', (row) => {
    const { id, org, site } = storedApiKey(row);
    return unknownPlace(`API key ${id}`, org, site);
  });
  await each('secrets', (row) => {
    const { org, site, name } = storedSecret(row);
    // Not every secret is a site's: that of a profile goes with it, that of the organization with that.
    return unknownPlace(`Secret "${name}"`, org, site === ORG_PLACE || site.startsWith(profilePlace('')) ? undefined : site);
  });
  await each('code_jobs', (row) => (storedJob(row), undefined));
  await each('code_branches', (row) => (storedBranch(row), undefined));
  await verifyTrails();
  return { counts, problems };

  async function verifyTrails(): Promise<void> {
    const trails = new Set([...documents.keys()].map((key) => key.split('/')[1] ?? ''));
    await each('audit_heads', (row) => (trails.add(text(row, 'org')), undefined));
    counts.audit = 0;
    for (const org of trails) {
      const { broken, verified } = await verifyChain(copy.reads, org);
      counts.audit += verified.to - verified.from + 1;
      if (broken !== undefined) problems.push(`The audit trail of "${org}" was altered. ${broken.sentence}`);
    }
  }
}

/** What is there is its own newest version; what is not there was removed by its newest one. */
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

function known(row: Row, column: string): Known {
  return { version: integer(row, 'version'), data: text(row, column) };
}

function subject(kind: string, org: string, item = ''): string {
  return `${kind}/${org}/${item}`;
}

function named(key: string): string {
  const [kind = '', org = '', item = ''] = key.split('/');
  return nameOf(kind, org, item);
}

function nameOf(kind: string, org: string, item: string): string {
  return `${kind === 'org' ? 'organization' : kind} "${item === '' ? org : `${org}/${item}`}"`;
}

function etagProblem(what: string, config: object, etag: string): string | undefined {
  return etagOf(config) === etag ? undefined : `The stored data of ${what} does not match its etag.`;
}

function attempt(look: () => string | undefined): string | undefined {
  try {
    return look();
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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

/** What is wrong with a site: its documents, the profile that it extends, or what is kept ready of it. Throws where it is not what was stored. */
function siteProblem(row: Row, profile: StoredProfile | undefined): string | undefined {
  const { org, site, config, aggregate, etag } = storedSite(row);
  const name = `site "${org}/${site}"`;
  const changed = etagProblem(name, config, etag);
  if (changed !== undefined) return changed;
  const parsed = Site.safeParse(config);
  if (!parsed.success) return `The ${name} has an invalid configuration: ${parsed.error.issues[0]?.message ?? ''}`;
  const extended = extendedProfile(config);
  const named = config.extends?.profile !== undefined;
  if (extended !== (optionalText(row, 'profile') ?? undefined) || (named && profile === undefined))
    return `The ${name} extends the profile "${extended ?? ''}", which does not exist.`;
  // Aggregates of earlier versions have their headers in alphabetical order.
  if (!sameValue(inAnyOrder(aggregate), inAnyOrder(aggregateSite(config, profile?.config))))
    return `The aggregate of ${name} does not match its configuration and its profile.`;
  const bytes = publicBytes(aggregate);
  const ready = optionalText(row, 'public_json') === undefined ? null : publicConfig(row).json;
  const robots = optionalText(row, 'robots') ?? null;
  const said = aggregate.robots?.txt;
  if (robots !== (said === undefined ? null : storableText(said))) return `The robots.txt of ${name} does not match its configuration.`;
  return ready === bytes ? undefined : `The config.json of ${name} does not match its public part.`;
}
