import type { BranchList, Delivery, ExternalRepository } from '@repoless/contract/build-management.ts';
import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import type { Failure, Known } from '../situation/situation.ts';
import type { BranchPlace, BuildManagementPort, SyncPort } from './ports.ts';
import type { RepositoryGroup } from './repository-groups.ts';
import { servedCommit, type SyncState } from './sync-state.ts';

/** The last push of a branch, or the branch itself, beside the commit that is served. */
export interface Comparison {
  /** `untold`: pushes to this code source are not listed anywhere. */
  readonly push: Push | 'untold' | undefined;
  /** The commit of the branch at the code source now; absent where it cannot be told. */
  readonly head?: string;
  /** The code source has no such branch any more. */
  readonly isGone?: true;
  /** There is no such repository any more, or nobody may read it. */
  readonly isRepositoryGone?: true;
  /** Why the branch could not be read, where build management says so. */
  readonly unread?: Failure;
  /** The same of the code host: a sentence of the service. */
  readonly detail?: string;
  /** Absent where the branch was never synchronised. */
  readonly served?: string;
  /** How pushes arrive; absent where they are not listed anywhere. */
  readonly arrival?: Arrival;
}

interface Compared {
  readonly sync: Pick<SyncPort, 'look'>;
  readonly code: Pick<RepositoryGroup, 'type' | 'owner' | 'repo'>;
  /** Where pushes to the repository arrive, by its number. */
  readonly pushes:
    { readonly builds: Pick<BuildManagementPort, 'branches' | 'deliveries' | 'repository'>; readonly repository: string } | undefined;
}

/** Reads what was pushed last, what the branch is at, and what is served. */
export async function compareCode(
  { sync, code, pushes }: Compared,
  place: BranchPlace,
  branch: string,
  status: JobStatus,
): Promise<Known<Comparison>> {
  const [deliveries, look, repository, branches] = await Promise.all([
    pushes?.builds.deliveries(place.org, pushes.repository),
    pushes === undefined ? sync.look(place, code, branch) : undefined,
    pushes?.builds.repository(place.org, pushes.repository),
    pushes?.builds.branches(place.org, pushes.repository),
  ]);
  const failure = failureOf(deliveries) ?? failureOf(repository);
  if (failure !== undefined) return { state: 'failed', failure };
  const served = servedCommit(status);
  const push = pushes === undefined ? 'untold' : latestPush(deliveries?.state === 'known' ? deliveries.value.deliveries : [], branch);
  const arrival = repository?.state === 'known' ? { arrival: arrivalOf(repository.value) } : {};
  const known = { ...headOf(look, branches, branch), ...(served === undefined ? {} : { served }) };
  return { state: 'known', value: { push, ...arrival, ...known } };
}

/** What the code source answers of the branch: the service asks the code host, build management the git vendor. */
function headOf(
  look: Known<CodeCheck> | undefined,
  branches: Known<BranchList> | undefined,
  branch: string,
): Pick<Comparison, 'head' | 'isGone' | 'isRepositoryGone' | 'unread' | 'detail'> {
  if (branches?.state === 'known') {
    const found = branches.value.branches.find(({ name }) => name === branch);
    return found === undefined ? { isGone: true } : { head: found.commit };
  }
  const unread = failureOf(branches);
  if (unread !== undefined) return { unread };
  if (look?.state !== 'known') return {};
  const { sha, branch: state, repository, detail } = look.value;
  if (repository === 'missing' || repository === 'refused') return { isRepositoryGone: true, detail };
  if (repository === 'unreachable') return { detail };
  return { ...(sha === undefined ? {} : { head: sha }), ...(state === 'missing' ? { isGone: true } : {}) };
}

function failureOf(answer: Known<unknown> | undefined): Failure | undefined {
  return answer?.state === 'failed' ? answer.failure : undefined;
}

/** The latest push of a branch among the deliveries (newest first), and why it was not taken where it was not. */
export function latestPush(deliveries: readonly Delivery[], branch: string): Push | undefined {
  for (const { changes, received, outcome, detail } of deliveries) {
    const change = changes.find((candidate) => candidate.branch === branch && candidate.type === 'updated');
    const refused = outcome === 'refused' || outcome === 'failed';
    if (change?.commit !== undefined) {
      return { sha: change.commit, time: received, ...(refused ? { refusal: detail ?? outcome } : {}) };
    }
    // A delivery whose signature was wrong is not read, so that its branch is not known.
    if (outcome === 'refused' && changes.length === 0) return { sha: '', time: received, refusal: detail ?? outcome };
  }
  return undefined;
}

/** How pushes to a repository arrive at build management: by the webhook of its vendor, or by nothing yet. */
export type Arrival = 'webhook' | 'no-webhook';

export function arrivalOf({ webhook }: Pick<ExternalRepository, 'webhook'>): Arrival {
  return webhook === undefined ? 'no-webhook' : 'webhook';
}

/** The latest push of a branch that arrived. */
interface Push {
  readonly sha: string;
  readonly time: string;
  /** Why it was refused, a sentence; absent where it was taken. */
  readonly refusal?: string;
}

export type OldCodeVerdict =
  | 'rolledBack'
  | 'behind'
  | 'syncing'
  | 'failed'
  | 'neverSynced'
  | 'noPush'
  | 'noWebhook'
  | 'refused'
  | 'pushMissing'
  | 'branchGone'
  | 'repositoryGone'
  | 'current'
  | 'older'
  | 'compare';

/**
 * Why a site still shows old code. Takes the last push (undefined: none arrived; `untold`: pushes of this code source are not listed), the branch
 * if known, the served commit, how pushes arrive, and the state of the sync. The last push need not be the head of the branch, so it proves
 * nothing.
 */
export function oldCodeVerdict({ push, head, isGone, isRepositoryGone, served, arrival }: Comparison, standing: SyncState): OldCodeVerdict {
  if (standing.state === 'waiting' || standing.state === 'running') return 'syncing';
  if (standing.state === 'failed' || standing.state === 'rolledBack') return standing.state;
  if (served === undefined) return 'neverSynced';
  if (head === served) return 'current';
  if (isGone === true) return 'branchGone';
  if (isRepositoryGone === true) return 'repositoryGone';
  if (push === 'untold') return head === undefined ? 'compare' : 'older';
  if (push?.refusal !== undefined) return 'refused';
  if (head === undefined) return push === undefined ? NO_PUSH[arrival ?? 'webhook'] : push.sha === served ? 'compare' : 'behind';
  if (push?.sha === head) return 'behind';
  return push === undefined ? NO_PUSH[arrival ?? 'webhook'] : NOT_TOLD[arrival ?? 'webhook'];
}

const NO_PUSH = { webhook: 'noPush', 'no-webhook': 'noWebhook' } as const;
/** The branch is at a commit that no push reported. */
const NOT_TOLD = { webhook: 'pushMissing', 'no-webhook': 'noWebhook' } as const;
