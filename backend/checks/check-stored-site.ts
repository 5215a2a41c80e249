import type { HostDomains } from '@repoless/contract/addresses.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { StoredFinding } from '@repoless/contract/site-check.ts';
import type { Site } from '@repoless/contract/site.ts';
import { authorOf, checkFromWithin, previewOf, type SeenSite } from '@repoless/core/checks/check-from-within.ts';
import { EDITOR_FILES } from '@repoless/core/go-live/gate.ts';
import { codeChoice } from '@repoless/core/situation/code-choice.ts';
import type { FileProbe } from '@repoless/core/situation/situation.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { originOf } from '../code/rules/code-origin.ts';
import { jobListEntry, jobView } from '../code/rules/get-job.ts';
import type { CodeFiles, CodeOrigin, CodeStore } from '../code/rules/ports.ts';
import type { Reads, StoredOrg, Writes } from '../domain/ports.ts';
import { secretInfo } from '../secrets/secret-box.ts';
import { namedSecret } from '../secrets/secret-operations.ts';
import type { CheckStore, CheckSummary, CheckResults, SiteCheckRecord } from './rules/ports.ts';
import type { StoredSite } from '../sites/ports.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { byCheck, isSeen, mergedFindings, packFindings, unpackFindings } from '@repoless/core/checks/stored-findings.ts';
import { siteState } from '@repoless/core/checks/site-state.ts';
import { isComplete } from '@repoless/core/sites/organization-sites.ts';
import type { CauseChange } from '../events/rules/ports.ts';

interface SituationSources {
  readonly reads: Reads;
  readonly info: ServiceInfo;
  readonly hosts: HostDomains;
  readonly code: CodeProbe;
  readonly account: AccountProbe;
}

export async function checkStoredSite(sources: SituationSources, org: StoredOrg, site: StoredSite): Promise<StoredFinding[]> {
  return checkFromWithin(await readFromWithin(sources, org, site));
}

async function readFromWithin(sources: SituationSources, { org, config: ofOrg }: StoredOrg, stored: StoredSite): Promise<SeenSite> {
  const { reads, info, hosts, code, account } = sources;
  const { site, config, aggregate, etag, version } = stored;
  const origin = originOf(org, aggregate.code);
  const [published, seen, technicalAccount, secret] = await Promise.all([
    reads.publicConfig(org, site),
    origin === undefined ? undefined : code(origin),
    account(authorOf(aggregate), site),
    codeChoice(aggregate.code)?.type === 'byogit' ? reads.secret(org, site, REPOSITORY_SECRET) : undefined,
  ]);
  const knownSecret = secret === undefined ? namedSecret(aggregate, REPOSITORY_SECRET) : secretInfo(secret);
  return {
    info,
    hosts,
    org,
    site,
    organization: { state: 'known', value: { name: ofOrg.name, users: ofOrg.users, groups: ofOrg.groups } },
    stored: { config: aggregate, own: config, etag, version },
    published: { value: published === undefined ? undefined : publicPart(published.json) },
    technicalAccount,
    secret: knownSecret === undefined ? { state: 'missing' } : { state: 'known', value: knownSecret },
    ...(seen === undefined ? {} : { codeSync: seen.sync }),
    files: seen === undefined ? [] : filesOf(seen.files, previewOf(hosts, org, site), `${info.codeHost}/${seen.repository}`),
  };
}

/** A file that the host serves is in the repository, at the latest synchronized commit. */
function filesOf(files: ReadonlyMap<string, boolean>, preview: string, repository: string): FileProbe[] {
  return [preview, repository].flatMap((source) =>
    [...files].map(([path, exists]) => ({ path, address: `${source}${path}`, status: exists ? 200 : 404 })),
  );
}

// Safe: the bytes were printed from the public part of a site that passed its schema, and match their etag.
function publicPart(json: string): NonNullable<Site['public']> {
  return (JSON.parse(json) as { public: NonNullable<Site['public']> }).public;
}

/** The main branch of an origin: its latest sync, and which of the editor's files are served (unknown if there is no code). */
interface ProbedCode {
  /** `owner/name` */
  readonly repository: string;
  readonly sync: Known<JobStatus>;
  readonly files: ReadonlyMap<string, boolean>;
}

/** The account that the environment of a site publishes with. */
type AccountProbe = (author: string, site: string) => Promise<string | undefined>;

/**
 * Hundreds of sites share an environment, whose account is read once. If no one who may write all sites reported one, a site has the
 * account that its own last check reported.
 */
export function accountProbe(checks: Pick<CheckStore, 'technicalAccount'>, reads: Pick<Reads, 'siteCheck'>, org: string): AccountProbe {
  const accounts = new Map<string, Promise<string | undefined>>();
  return async (author, site) => {
    const account = accounts.get(author) ?? checks.technicalAccount(org, author);
    accounts.set(author, account);
    const known = await account;
    if (known !== undefined) return known;
    const seen = (await reads.siteCheck(org, site))?.results.authoring?.environment;
    return seen?.author === author ? seen.technicalAccount : undefined;
  };
}

type CodeProbe = (origin: CodeOrigin) => Promise<ProbedCode>;

/** Hundreds of sites share a repository, which is probed once for all sites of a batch. */
export function codeProbe(code: Pick<CodeStore, 'jobs'>, files: CodeFiles): CodeProbe {
  const probes = new Map<string, Promise<ProbedCode>>();
  return (origin) => {
    const probe = probes.get(origin.key) ?? probeCode(code, files, origin);
    probes.set(origin.key, probe);
    return probe;
  };
}

async function probeCode(code: Pick<CodeStore, 'jobs'>, files: CodeFiles, { key, owner, repo }: CodeOrigin): Promise<ProbedCode> {
  const [jobs, served] = await Promise.all([code.jobs(key, DEFAULT_REF, 1), files.availability(key, DEFAULT_REF)]);
  const [latest] = jobs;
  const status: JobStatus = {
    ...(latest === undefined ? {} : jobView(latest)),
    topic: 'code',
    ...(served.state === 'served'
      ? { served: served.sha, ...(served.rolledBack && { rolledBack: { time: served.rolledBack.time } }) }
      : {}),
    jobs: jobs.map((job) => jobListEntry(job, '')),
    links: { self: '' },
  };
  const found =
    served.state === 'served'
      ? await Promise.all(
          EDITOR_FILES.map(async (path) => [path, (await files.find(key, DEFAULT_REF, path.slice(1))) !== undefined] as const),
        )
      : [];
  return { repository: `${owner}/${repo}`, sync: { state: 'known', value: status }, files: new Map(found) };
}

/** Derived from the checks of a site, only here, and stored so that lists and counts only read it. */
export function siteCheckRecord({ org, site, version, aggregate }: StoredSite, results: CheckResults): SiteCheckRecord {
  const findings = effectiveFindings(results);
  const { authoring } = results;
  const drifts = authoring?.drifts ?? [];
  const state = siteState({
    registered: true,
    complete: isComplete(aggregate),
    ...(authoring === undefined
      ? {}
      : { authoring: { switched: authoring.switched, differs: drifts.length > 0, isOutdated: authoring.version !== version } }),
    findings,
  });
  const summary: CheckSummary = {
    problems: findings.flatMap(({ check, verdict, variant }) =>
      verdict === 'wrong' || verdict === 'warning' ? [{ check, verdict, ...(variant === undefined ? {} : { variant }) }] : [],
    ),
    differs: drifts.map(({ field }) => field),
    unseen: findings.filter(({ verdict }) => verdict === 'unknown').length,
  };
  return { org, site, state, results, summary };
}

/** The effective findings (docs/contract.md 3.16). */
export function effectiveFindings({ service, authoring }: CheckResults): StoredFinding[] {
  const isWrittenSince = service !== undefined && authoring !== undefined && service.version > authoring.version;
  const unpacked = (result: CheckResults['service']) => result && { at: result.at, findings: unpackFindings(result.findings) };
  return mergedFindings({ service: unpacked(service), authoring: unpacked(authoring), isWrittenSince });
}

/**
 * Merges newer checks with the earlier ones. A check that a person could not make retains its earlier finding, unless the service has made
 * it since: a caller who may read less cannot clear a problem.
 */
export function withResults(before: CheckResults, { authoring, ...others }: CheckResults): CheckResults {
  if (authoring === undefined) return { ...before, ...others };
  const current = new Map(effectiveFindings(before).map((finding) => [finding.check, finding]));
  const earlier = byCheck(before.authoring && unpackFindings(before.authoring.findings));
  const findings = unpackFindings(authoring.findings).map((finding) => {
    const seen = earlier.get(finding.check);
    const isStillValid = !isSeen(finding) && seen !== undefined && isSeen(seen) && sameValue(seen, current.get(finding.check));
    return isStillValid ? seen : finding;
  });
  return { ...before, ...others, authoring: { ...authoring, findings: packFindings(findings) } };
}

/**
 * Replaces the stored results of a site's checks. The only place where a state changes: it has both the previous and the new results,
 * within the transaction.
 */
export async function storeSiteCheck(writes: Writes, site: StoredSite, results: CheckResults): Promise<SiteCheckRecord> {
  const before = await writes.siteCheck(site.org, site.site);
  const after = siteCheckRecord(site, withResults(before?.results ?? {}, results));
  await writes.putSiteCheck(after, before);
  if (before !== undefined) for (const change of causesOf(before, after)) await writes.setCause(change);
  return after;
}

/**
 * What started to fail between two checks, and what is resolved (docs/contract.md 9.1). Findings of the first check are not new failures,
 * and failed syncs are reported elsewhere.
 */
function causesOf(before: SiteCheckRecord, after: SiteCheckRecord): CauseChange[] {
  const { org, site } = after;
  const time =
    [after.results.service?.at, after.results.authoring?.at]
      .filter((at) => at !== undefined)
      .toSorted()
      .at(-1) ?? '';
  const [was, is] = [wrongChecks(before), wrongChecks(after)];
  const checks = [...new Set([...was, ...is])].filter((check) => was.has(check) !== is.has(check));
  const changes = checks.map((check): CauseChange => {
    const about = { kind: 'check-failed', cause: `check:${site}/${check}`, about: check } as const;
    return { ...about, org, site, time, isOpen: is.has(check) };
  });
  const [differed, differs] = [before.summary.differs.length > 0, after.summary.differs.length > 0];
  if (differed === differs) return changes;
  const fields = (differs ? after : before).summary.differs.join(', ');
  return [...changes, { kind: 'drift', cause: `drift:${site}`, about: fields, org, site, time, isOpen: differs }];
}

function wrongChecks({ summary }: SiteCheckRecord): ReadonlySet<string> {
  return new Set(
    summary.problems.filter(({ check, verdict }) => verdict === 'wrong' && check !== 'code-sync-fresh').map(({ check }) => check),
  );
}
