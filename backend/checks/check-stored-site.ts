import { configAddress, type HostDomains, parseDeliveryAddress, siteAddress, type Tier } from '@repoless/contract/addresses.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { JUDGED_BY, type KeptFinding } from '@repoless/contract/site-check.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { Finding } from '@repoless/core/checks/check-data.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { EDITOR_FILES } from '@repoless/core/go-live/gate.ts';
import { codeChoice } from '@repoless/core/plan/choices.ts';
import type { AuthoringSettings, ConfigProbe, Failure, FileProbe, Known, Setting, Situation } from '@repoless/core/situation/situation.ts';
import { type CodeOrigin, originOf } from '../code/rules/code-origin.ts';
import { jobListEntry, jobView } from '../code/rules/job-view.ts';
import type { CodeFiles, CodeStore } from '../code/rules/ports.ts';
import type { Reads, StoredOrg, StoredSite } from '../domain/ports.ts';
import { secretInfo } from '../secrets/secret-box.ts';
import { namedSecret } from '../secrets/secret-operations.ts';
import type { CheckStore } from './rules/ports.ts';

/** What the service finds at a site on its own. What it cannot check is unknown. */
export async function checkStoredSite(sources: SituationSources, org: StoredOrg, site: StoredSite): Promise<KeptFinding[]> {
  return checkSite(await innerSituation(sources, org, site)).map(storedFinding);
}

function storedFinding({ check, verdict, variant, data, evidence }: Finding): KeptFinding {
  const kept = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, short(value)]));
  // Nobody looks here, and the authoring system is not read.
  if (['caller', 'authoring'].includes(JUDGED_BY[check])) return { check, verdict: 'unknown', data: kept };
  return {
    check,
    verdict,
    ...(variant === undefined ? {} : { variant }),
    data: kept,
    ...(evidence === undefined ? {} : { evidence: { request: short(evidence.request), answer: short(evidence.answer) } }),
  };
}

/** As long as the contract lets a text be. */
function short(text: string): string {
  return text.slice(0, LONGEST);
}

const LONGEST = 2000;

interface SituationSources {
  readonly reads: Reads;
  readonly info: ServiceInfo;
  readonly hosts: HostDomains;
  readonly code: CodeProbe;
  readonly account: AccountProbe;
}

/**
 * A site as the service sees it from within, with the effective configuration. It makes no request: settings of the authoring system are derived
 * from the site, or missing.
 */
async function innerSituation(sources: SituationSources, { org, config: ofOrg }: StoredOrg, stored: StoredSite): Promise<Situation> {
  const { reads, info, hosts, code, account } = sources;
  const { site, config, aggregate, etag, version } = stored;
  const origin = originOf(org, aggregate.code);
  const settings = impliedSettings(org, site, aggregate);
  const [published, seen, technicalAccount, secret] = await Promise.all([
    reads.publicConfig(org, site),
    origin === undefined ? undefined : code(origin),
    account(settings.author, site),
    codeChoice(aggregate.code)?.type === 'byogit' ? reads.secret(org, site, REPOSITORY_SECRET) : undefined,
  ]);
  const held = secret === undefined ? namedSecret(aggregate, REPOSITORY_SECRET) : secretInfo(secret);
  const probe = (tier: Tier): ConfigProbe => ({
    address: configAddress(hosts, tier, org, site),
    ...(published === undefined
      ? { status: 404, answer: { state: 'missing' } as const }
      : { status: 200, answer: { state: 'known', value: publicPart(published.json) } as const }),
  });
  return {
    info,
    settings:
      technicalAccount === undefined
        ? settings
        : { ...settings, technicalAccount: { value: technicalAccount, source: { kind: 'derived' } } },
    profile: UNREAD,
    target: { organization: org, siteName: site },
    organization: { state: 'known', value: { name: ofOrg.name, users: ofOrg.users, groups: ofOrg.groups } },
    site: { state: 'known', value: { config: aggregate, own: config, etag, version } },
    secret: held === undefined ? { state: 'missing' } : { state: 'known', value: held },
    ...(seen === undefined ? {} : { codeSync: seen.sync }),
    configurationPage: UNREAD,
    preview: probe('preview'),
    live: probe('live'),
    files: seen === undefined ? [] : filesOf(seen.files, previewOf(hosts, org, site), `${info.codeHost}/${seen.repository}`),
  };
}

/** A file that the host serves lies in the repository, at the commit that was synchronised last. */
function filesOf(files: ReadonlyMap<string, boolean>, preview: string, repository: string): FileProbe[] {
  return [preview, repository].flatMap((place) =>
    [...files].map(([path, isThere]) => ({ path, address: `${place}${path}`, status: isThere ? 200 : 404 })),
  );
}

function previewOf(hosts: HostDomains, org: string, site: string): string {
  return siteAddress(hosts, 'preview', { ref: DEFAULT_REF, site, org });
}

function impliedSettings(organization: string, siteName: string, { content, public: open }: Site): AuthoringSettings {
  const siteRoot = contentRoot(open?.paths?.mappings ?? []) ?? '';
  const author = parseDeliveryAddress(content?.source.url ?? '')?.author ?? '';
  return {
    author,
    page: siteRoot,
    siteRoot,
    projectType: MISSING,
    organization: { value: organization, source: { kind: 'derived' } },
    siteName: { value: siteName, source: { kind: 'derived' } },
    configurationPage: MISSING,
    technicalAccount: MISSING,
    cloudConfiguration: MISSING,
    deliveryAddress: MISSING,
  };
}

// Safe: the bytes were made of the public part of a site that passed its schema, and fit their etag.
function publicPart(json: string): NonNullable<Site['public']> {
  return (JSON.parse(json) as { public: NonNullable<Site['public']> }).public;
}

const MISSING: Setting = { source: { kind: 'missing' } };
const UNREAD: Known<never> & { readonly failure: Failure } = { state: 'failed', failure: { kind: 'unexpected' } };

/** The main branch of an origin: its latest sync, and which of the editor's files are served (none is known where no code is). */
interface ProbedCode {
  /** `owner/name` */
  readonly repository: string;
  readonly sync: Known<JobStatus>;
  readonly files: ReadonlyMap<string, boolean>;
}

/** The account with which the environment of a site publishes. */
type AccountProbe = (author: string, site: string) => Promise<string | undefined>;

/** Hundreds of sites share an environment, too. What somebody saw who may write one site alone says something of that site alone. */
export function accountProbe(checks: Pick<CheckStore, 'technicalAccount'>, reads: Pick<Reads, 'siteCheck'>, org: string): AccountProbe {
  const looks = new Map<string, Promise<string | undefined>>();
  return async (author, site) => {
    const look = looks.get(author) ?? checks.technicalAccount(org, author);
    looks.set(author, look);
    const known = await look;
    if (known !== undefined) return known;
    const seen = (await reads.siteCheck(org, site))?.looks.authoring?.environment;
    return seen?.author === author ? seen.technicalAccount : undefined;
  };
}

type CodeProbe = (origin: CodeOrigin) => Promise<ProbedCode>;

/** Hundreds of sites share a repository, which is looked at once for all sites of a batch. */
export function codeProbe(code: Pick<CodeStore, 'jobs'>, files: CodeFiles): CodeProbe {
  const looks = new Map<string, Promise<ProbedCode>>();
  return (origin) => {
    const look = looks.get(origin.key) ?? lookAt(code, files, origin);
    looks.set(origin.key, look);
    return look;
  };
}

async function lookAt(code: Pick<CodeStore, 'jobs'>, files: CodeFiles, { key, owner, repo }: CodeOrigin): Promise<ProbedCode> {
  const [jobs, standing] = await Promise.all([code.jobs(key, DEFAULT_REF, 1), files.standing(key, DEFAULT_REF)]);
  const [latest] = jobs;
  const status: JobStatus = {
    ...(latest === undefined ? {} : jobView(latest)),
    topic: 'code',
    ...(standing.state === 'served'
      ? { served: standing.sha, ...(standing.rolledBack && { rolledBack: { time: standing.rolledBack.time } }) }
      : {}),
    jobs: jobs.map((job) => jobListEntry(job, '')),
    links: { self: '' },
  };
  const served =
    standing.state === 'served'
      ? await Promise.all(
          EDITOR_FILES.map(async (path) => [path, (await files.find(key, DEFAULT_REF, path.slice(1))) !== undefined] as const),
        )
      : [];
  return { repository: `${owner}/${repo}`, sync: { state: 'known', value: status }, files: new Map(served) };
}
