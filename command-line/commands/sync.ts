import { nextBySync } from '@repoless/core/messages/en/command-line-next.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { english } from '@repoless/core/messages/english.ts';
import { fillFrom } from '@repoless/core/messages/format-message.ts';
import { eachBounded, isTransient, retry } from '@repoless/core/run/retry.ts';
import { jobProblem, type JobProblemKind } from '@repoless/core/sync/sync-state.ts';
import type { BranchPlace, SyncPort } from '@repoless/core/sync/ports.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { failureLine, notKnown } from '../explain.ts';
import { type PreparedSync, prepareSync } from '../prepare-sync.ts';
import { failureOf } from '@repoless/core/situation/call.ts';

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
  const tell = (line: string) => (options.format === 'json' ? undefined : context.err(`${line}\n`));
  const following = { port, branch, follow: options.wait, signal: context.signal, wait, tell };
  const outcomes = await eachBounded(groups, options.concurrency ?? AT_ONCE, async (group): Promise<Outcome> => {
    const [site = ''] = group.sites;
    return syncOnce({ org: organization, site, ref }, group, following);
  });
  const count = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length;
  const summary = { synced: count('synced'), started: count('started'), stopped: count('stopped'), failed: count('failed') };
  const isAmiss = summary.failed + summary.stopped > 0;
  return {
    // Without waiting to the end, nothing is known to be served.
    code: isAmiss || (options.wait && summary.started > 0) ? 1 : 0,
    goesOn: !isAmiss && summary.started > 0,
    json: { organization, branch, summary, repositories: outcomes },
    lines: [...outcomes.map(lineOf), messages.sync.summary(summary)],
  };
}

const AT_ONCE = 4;
/** Milliseconds between two polls of a job. */
const LOOK = 2_000;

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
  tell(line: string): void;
}

async function syncOnce(place: BranchPlace, group: RepositoryGroup, following: Following): Promise<Outcome> {
  const { port, branch, follow, signal, wait, tell } = following;
  const { type, owner, repo, sites } = group;
  const about = { type, owner, repo, sites, branch };
  const retrying = { ports: { wait }, signal };
  const started = await retry(retrying, () => port.start(place, branch));
  if (started.state === 'failed' && started.failure.problem?.code === 'BRANCH_NOT_FOUND')
    return { ...about, state: 'failed', error: explained('branch-missing', group, branch) };
  if (started.state !== 'known') return { ...about, state: 'failed', error: notKnown(started).message };
  const { name } = started.value.job;
  if (follow) tell(lineOf({ ...about, state: 'started', job: name }));
  while (follow && !signal.aborted) {
    const status = await retry(retrying, () => port.status(place));
    // The command was interrupted: no further poll.
    if (status.state === 'failed' && isTransient(status.failure) && signal.aborted) break;
    if (status.state !== 'known') return { ...about, state: 'failed', job: name, error: notKnown(status).message };
    const { value } = status;
    const job = value.jobs.find((one) => one.name === name);
    // A sync that is no longer listed ended long ago.
    if (job === undefined || job.state === 'stopped') {
      const own = value.name === name ? status : await retry(retrying, () => port.details(place, name));
      if (own.state !== 'known') return { ...about, state: 'failed', job: name, error: notKnown(own).message };
      const { error, cancelled, data } = own.value;
      if (cancelled === true) return { ...about, state: 'stopped', job: name };
      if (error !== undefined)
        return { ...about, state: 'failed', job: name, error: explained(jobProblem(error, type).kind, group, branch, error) };
      return { ...about, state: 'synced', job: name, ...(data?.sha === undefined ? {} : { sha: data.sha }) };
    }
    await wait(LOOK, signal);
  }
  return { ...about, state: 'started', job: name };
}

/** The panel's message, the next step for a terminal, and the service's own message if known. */
function explained(kind: JobProblemKind, group: RepositoryGroup, branch: string, message?: string): string {
  const { sentence, next } = fillFrom(english.sync.sync.problems[kind], { branch, holder: group.holder });
  return `${messages.failed(sentence, nextBySync[kind] ?? next)}${message === undefined ? '' : ` (${message})`}`;
}

function lineOf({ owner, repo, branch, state, job, sha, sites, error }: Outcome): string {
  const place = `${owner}/${repo}, ${branch}`;
  switch (state) {
    case 'synced':
      return messages.sync.synced(place, sites.length, sha);
    case 'started':
      return messages.sync.started(place, job ?? '');
    case 'stopped':
      return messages.sync.stopped(place);
    case 'failed':
      return messages.sync.failed(place, error ?? '');
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
  const place = { org: organization, site: sites[0] ?? '', ref };
  const served = await retry({ ports: { wait }, signal: context.signal }, () => port.serve(place, commit === LATEST ? null : commit));
  if (served.state !== 'known') {
    const failure = failureOf(served);
    const status = failure.problem?.code === 'COMMIT_NOT_KEPT' ? await port.status(place) : undefined;
    const kept = status?.state === 'known' ? (status.value.commits ?? []).map(({ sha }) => sha) : [];
    throw new CommandFailure([failureLine(failure), ...(kept.length === 0 ? [] : [messages.sync.kept(kept)])].join('\n'));
  }
  const { served: sha, follows } = served.value;
  const about = { organization, owner, repo, branch: options.branch, sites, served: sha, follows };
  const where = `${owner}/${repo}, ${options.branch}`;
  return { code: 0, json: about, lines: [follows ? messages.sync.follows(where, sha) : messages.sync.rolledBack(where, sha)] };
}
