import { nextBySync } from '@repoless/core/messages/en/command-line-next.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { english } from '@repoless/core/messages/english.ts';
import { fillFrom } from '@repoless/core/messages/format-message.ts';
import { mapConcurrently, isTransient, retry } from '@repoless/core/run/retry.ts';
import { jobProblem, type JobProblemKind } from '@repoless/core/sync/sync-state.ts';
import type { SiteRef, SyncPort } from '@repoless/core/sync/ports.ts';
import { type RepositoryGroup, groupByRepository } from '@repoless/core/sync/repository-groups.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { failureLine, notKnown, isOfNoService } from '../explain.ts';
import { failureOf, type Known } from '@repoless/core/situation/call.ts';
import { GitBranchName } from '@repoless/contract/code-check.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { sanitizeRef } from '@repoless/contract/names.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { createSyncPort } from '@repoless/core/api/sync-port.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import { connect, must } from '../connect.ts';
import { readSiteFile } from '../site-files.ts';

/**
 * Synchronizes the code of sites, once for each shared repository, and follows it to its end, or (`--commit`) serves an earlier commit. 1:
 * some did not succeed.
 */
export async function sync(context: CliContext, options: Options): Promise<CommandResult> {
  if (options.commit !== undefined) return serveCommit(context, options, options.commit);
  return syncGroups(context, options, await prepareSync(context, options));
}

export async function syncGroups(context: CliContext, options: Options, prepared: PreparedSync): Promise<CommandResult> {
  const { organization, ref, groups, port, wait } = prepared;
  const { branch } = options;
  const log = (line: string) => (options.format === 'json' ? undefined : context.err(`${line}\n`));
  const following = { port, branch, follow: options.wait, signal: context.signal, wait, report: log };
  const outcomes = await mapConcurrently(groups, options.concurrency ?? AT_ONCE, async (group): Promise<Outcome> => {
    const [site = ''] = group.sites;
    return syncOnce({ org: organization, site, ref }, group, following);
  });
  const count = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length;
  const summary = { synced: count('synced'), started: count('started'), stopped: count('stopped'), failed: count('failed') };
  const hasFailures = summary.failed + summary.stopped > 0;
  return {
    // Without waiting to the end, nothing is known to be served.
    code: hasFailures || (options.wait && summary.started > 0) ? 1 : 0,
    isUnfinished: !hasFailures && summary.started > 0,
    json: { organization, branch, summary, repositories: outcomes },
    lines: [...outcomes.map(lineOf), messages.sync.summary(summary)],
  };
}

const AT_ONCE = 4;
/** Milliseconds between two polls of a job. */
const POLL_EVERY = 2_000;

interface Outcome extends Pick<RepositoryGroup, 'type' | 'owner' | 'repo' | 'sites'> {
  readonly branch: string;
  readonly state: 'synced' | 'started' | 'stopped' | 'failed';
  readonly job?: string;
  /** The commit that the hosts serve now. */
  readonly sha?: string;
  /** The service's message, and the next step. */
  readonly error?: string;
}

interface Following {
  readonly port: SyncPort;
  readonly branch: string;
  /** False: only starts it. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Receives each sync that is followed. */
  report(line: string): void;
}

async function syncOnce(siteRef: SiteRef, group: RepositoryGroup, following: Following): Promise<Outcome> {
  const { port, branch, follow, signal, wait, report } = following;
  const { type, owner, repo, sites } = group;
  const about = { type, owner, repo, sites, branch };
  const retrying = { ports: { wait }, signal };
  const started = await retry(retrying, () => port.start(siteRef, branch));
  if (started.state === 'failed' && started.failure.problem?.code === 'BRANCH_NOT_FOUND')
    return { ...about, state: 'failed', error: explained('branch-missing', group, branch) };
  if (started.state !== 'known') return { ...about, state: 'failed', error: notKnown(started).message };
  const { name } = started.value.job;
  if (follow) report(lineOf({ ...about, state: 'started', job: name }));
  while (follow && !signal.aborted) {
    const status = await retry(retrying, () => port.status(siteRef));
    // The command was interrupted: no further poll.
    if (status.state === 'failed' && isTransient(status.failure) && signal.aborted) break;
    if (status.state !== 'known') return { ...about, state: 'failed', job: name, error: notKnown(status).message };
    const { value } = status;
    const job = value.jobs.find((one) => one.name === name);
    // A sync that is no longer listed ended long ago.
    if (job === undefined || job.state === 'stopped') {
      const details = value.name === name ? status : await retry(retrying, () => port.details(siteRef, name));
      if (details.state !== 'known') return { ...about, state: 'failed', job: name, error: notKnown(details).message };
      const { error, cancelled, data } = details.value;
      if (cancelled === true) return { ...about, state: 'stopped', job: name };
      if (error !== undefined)
        return { ...about, state: 'failed', job: name, error: explained(jobProblem(error, type).kind, group, branch, error) };
      return { ...about, state: 'synced', job: name, ...(data?.sha === undefined ? {} : { sha: data.sha }) };
    }
    await wait(POLL_EVERY, signal);
  }
  return { ...about, state: 'started', job: name };
}

/** The panel's message, the next step for a terminal, and the service's own message if known. */
function explained(kind: JobProblemKind, group: RepositoryGroup, branch: string, message?: string): string {
  const { sentence, next } = fillFrom(english.sync.sync.problems[kind], { branch, holder: group.holder });
  return `${messages.failed(sentence, nextBySync[kind] ?? next)}${message === undefined ? '' : ` (${message})`}`;
}

function lineOf({ owner, repo, branch, state, job, sha, sites, error }: Outcome): string {
  const where = `${owner}/${repo}, ${branch}`;
  switch (state) {
    case 'synced':
      return messages.sync.synced(where, sites.length, sha);
    case 'started':
      return messages.sync.started(where, job ?? '');
    case 'stopped':
      return messages.sync.stopped(where);
    case 'failed':
      return messages.sync.failed(where, error ?? '');
    default:
      return state satisfies never;
  }
}

/** Follows the branch again. */
const LATEST = 'latest';

/**
 * Serves an earlier commit of the branch on all sites of the repository until further notice, or (`latest`) follows the branch again.
 * Nothing is synchronized.
 */
async function serveCommit(context: CliContext, options: Options, commit: string): Promise<CommandResult> {
  const { organization, ref, groups, port, wait } = await prepareSync(context, options);
  const [group, ...others] = groups;
  if (group === undefined || others.length > 0)
    throw new UsageProblem(messages.sync.oneRepository(groups.map(({ owner, repo }) => `${owner}/${repo}`)));
  const { owner, repo, sites } = group;
  const siteRef = { org: organization, site: sites[0] ?? '', ref };
  const served = await retry({ ports: { wait }, signal: context.signal }, () => port.serve(siteRef, commit === LATEST ? null : commit));
  if (served.state !== 'known') {
    const failure = failureOf(served);
    const status = failure.problem?.code === 'COMMIT_NOT_KEPT' ? await port.status(siteRef) : undefined;
    const storedCommits = status?.state === 'known' ? (status.value.commits ?? []).map(({ sha }) => sha) : [];
    throw new CommandFailure([failureLine(failure), ...(storedCommits.length === 0 ? [] : [messages.sync.kept(storedCommits)])].join('\n'));
  }
  const { served: sha, follows } = served.value;
  const about = { organization, owner, repo, branch: options.branch, sites, served: sha, follows };
  const where = `${owner}/${repo}, ${options.branch}`;
  return { code: 0, json: about, lines: [follows ? messages.sync.follows(where, sha) : messages.sync.rolledBack(where, sha)] };
}

interface PreparedSync {
  readonly organization: string;
  /** The branch as named by the hosts. */
  readonly ref: string;
  readonly groups: readonly RepositoryGroup[];
  readonly port: SyncPort;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Finds the repositories of the sites; throws for any problem before anything is started. */
export async function prepareSync(context: CliContext, options: Options): Promise<PreparedSync> {
  const { branch } = options;
  const ref = sanitizeRef(branch);
  if (ref === '' || !GitBranchName.safeParse(branch).success) throw new UsageProblem(messages.usage.branch(branch));
  const file = options.file === undefined ? undefined : (await readSiteFile(context, options)).value;
  const organization = options.organization ?? file?.organization;
  if (file !== undefined && organization !== file.organization)
    throw new UsageProblem(messages.usage.twoOrganizations(file.organization, organization ?? ''));
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  const connection = await connect(context, options, file?.service);
  if (!connection.signedIn) throw new CommandFailure(messages.login.needed);
  const { service, wait } = connection.ports(connection.service);
  const port = createSyncPort(connection.client);
  const named = options.sites.length > 0 ? options.sites : file?.sites.map(({ name }) => name);
  const withRetry: WithRetry = (read) => retry({ ports: { wait }, signal: context.signal }, read);
  const listed = await withRetry(() => service.allSites(organization));
  // Callers with roles on single sites only may not list the others.
  const listing = failureOf(listed);
  const groups =
    listing === undefined || isOfNoService(listing) || named === undefined
      ? groupsOfListed(must(listed, notKnown), named)
      : await groupsOfSites({ service, port, withRetry }, organization, named);
  if (groups.length === 0) throw new CommandFailure(messages.sync.none(organization));
  return { organization, ref, groups, port, wait };
}

/** The repositories of the named sites, or of all sites if none is named; throws if one of them is not registered. */
function groupsOfListed(listed: readonly SiteListEntry[], named: readonly string[] | undefined): RepositoryGroup[] {
  const all = groupByRepository(listed);
  if (named === undefined) return all;
  const missing = named.filter((name) => !listed.some((site) => site.name === name));
  if (missing.length > 0) throw new CommandFailure(messages.sync.notRegistered(missing));
  // The site that holds the secret of an external repository need not be among the named ones.
  return groupByRepository(listed.filter(({ name }) => named.includes(name))).map((group) => {
    const holder = all.find(({ key }) => key === group.key)?.holder;
    return { ...group, ...(holder === undefined ? {} : { holder }) };
  });
}

type WithRetry = <T>(read: () => Promise<Known<T>>) => Promise<Known<T>>;

interface Reading {
  readonly service: Pick<ServicePort, 'siteConfigurations'>;
  readonly port: SyncPort;
  readonly withRetry: WithRetry;
}

/** Groups sites by repository: read from the configuration, or from the code status if the caller may only synchronize the site. */
async function groupsOfSites(
  { service, port, withRetry }: Reading,
  organization: string,
  named: readonly string[],
): Promise<RepositoryGroup[]> {
  const found = await mapConcurrently(named, READ_AT_ONCE, async (site): Promise<{ site: string; code: Known<CodeSource> }> => {
    const stored = await withRetry(() => service.siteConfigurations(organization, site));
    if (stored.state === 'known' && stored.value.config.code !== undefined)
      return { site, code: { state: 'known', value: stored.value.config.code } };
    const code = await withRetry(() => port.code(organization, site));
    if (code.state !== 'known') return { site, code };
    const { owner, repo } = code.value;
    return { site, code: { state: 'known', value: { owner, repo, source: { type: 'github', url: '' } } } };
  });
  const missing = found.flatMap(({ site, code }) => (code.state === 'missing' ? [site] : []));
  if (missing.length > 0) throw new CommandFailure(messages.sync.notRegistered(missing));
  return groupByRepository(found.map(({ site, code }) => ({ name: site, code: must(code, notKnown) })));
}

const READ_AT_ONCE = 4;
