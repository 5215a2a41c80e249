import type { BranchList, Delivery, ExternalRepository } from '@repoless/contract/build-management.ts';
import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import { type Failure, firstFailure, type Known } from '../situation/call.ts';
import type { Repository } from '../situation/code-choice.ts';
import type { SiteRef, BuildManagementPort, SyncPort } from './ports.ts';
import { servedCommit, type SyncState } from './sync-state.ts';

/** The last push of a branch, or the branch itself, and the served commit. */
export interface Comparison {
  /** `unlisted`: pushes to this code source are not listed anywhere. */
  readonly push: Push | 'unlisted' | undefined;
  /** The current commit of the branch at the code source; absent if unknown. */
  readonly head?: string;
  /** The code source no longer has this branch. */
  readonly isMissing?: true;
  /** The repository no longer exists, or no one may read it. */
  readonly isRepositoryMissing?: true;
  /** Why the branch could not be read, from build management. */
  readonly unread?: Failure;
  /** Why the branch could not be read, from the code host: a message of the service. */
  readonly detail?: string;
  /** Absent if the branch was never synchronized. */
  readonly served?: string;
  /** How pushes arrive; absent if they are not listed anywhere. */
  readonly arrival?: Arrival;
}

interface Compared {
  readonly sync: Pick<SyncPort, 'probe'>;
  readonly code: Repository;
  /** Build management, if it receives the pushes to the repository, and the repository's number there. */
  readonly pushes:
    { readonly builds: Pick<BuildManagementPort, 'branches' | 'deliveries' | 'repository'>; readonly repository: string } | undefined;
}

/** Reads the last push, the branch, and the served commit. */
export async function compareCode(
  { sync, code, pushes }: Compared,
  siteRef: SiteRef,
  branch: string,
  status: JobStatus,
): Promise<Known<Comparison>> {
  const [deliveries, probe, repository, branches] = await Promise.all([
    pushes?.builds.deliveries(siteRef.org, pushes.repository),
    pushes === undefined ? sync.probe(siteRef, code, branch) : undefined,
    pushes?.builds.repository(siteRef.org, pushes.repository),
    pushes?.builds.branches(siteRef.org, pushes.repository),
  ]);
  const failure = firstFailure(deliveries, repository);
  if (failure !== undefined) return { state: 'failed', failure };
  const served = servedCommit(status);
  const push = pushes === undefined ? 'unlisted' : latestPush(deliveries?.state === 'known' ? deliveries.value.deliveries : [], branch);
  const arrival = repository?.state === 'known' ? { arrival: arrivalOf(repository.value) } : {};
  const known = { ...headOf(probe, branches, branch), ...(served === undefined ? {} : { served }) };
  return { state: 'known', value: { push, ...arrival, ...known } };
}

/** The code source's answer about the branch: the service queries the code host, build management the git vendor. */
function headOf(
  probe: Known<CodeCheck> | undefined,
  branches: Known<BranchList> | undefined,
  branch: string,
): Pick<Comparison, 'head' | 'isMissing' | 'isRepositoryMissing' | 'unread' | 'detail'> {
  if (branches?.state === 'known') {
    const found = branches.value.branches.find(({ name }) => name === branch);
    return found === undefined ? { isMissing: true } : { head: found.commit };
  }
  const unread = firstFailure(branches);
  if (unread !== undefined) return { unread };
  if (probe?.state !== 'known') return {};
  const { sha, branch: state, repository, detail } = probe.value;
  if (repository === 'missing' || repository === 'refused') return { isRepositoryMissing: true, detail };
  if (repository === 'unreachable') return { detail };
  return { ...(sha === undefined ? {} : { head: sha }), ...(state === 'missing' ? { isMissing: true } : {}) };
}

/** The latest push of a branch among the deliveries (newest first), and why it was refused, if so. */
export function latestPush(deliveries: readonly Delivery[], branch: string): Push | undefined {
  for (const { changes, received, outcome, detail } of deliveries) {
    const change = changes.find((candidate) => candidate.branch === branch && candidate.type === 'updated');
    const refused = outcome === 'refused' || outcome === 'failed';
    if (change?.commit !== undefined) {
      return { sha: change.commit, time: received, ...(refused ? { refusal: detail ?? outcome } : {}) };
    }
    // A delivery with a wrong signature is not parsed, so its branch is unknown.
    if (outcome === 'refused' && changes.length === 0) return { sha: '', time: received, refusal: detail ?? outcome };
  }
  return undefined;
}

/** How pushes to a repository arrive at build management: by its vendor's webhook, or not yet. */
export type Arrival = 'webhook' | 'no-webhook';

export function arrivalOf({ webhook }: Pick<ExternalRepository, 'webhook'>): Arrival {
  return webhook === undefined ? 'no-webhook' : 'webhook';
}

/** The latest received push of a branch. */
interface Push {
  readonly sha: string;
  readonly time: string;
  /** A sentence on why it was refused; absent if it was accepted. */
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
 * Why a site still shows old code. Takes the last push (undefined: none arrived; `unlisted`: pushes of this code source are not listed), the branch
 * if known, the served commit, how pushes arrive, and the state of the sync. The last push need not be the head of the branch, so it proves
 * nothing.
 */
export function oldCodeVerdict(
  { push, head, isMissing, isRepositoryMissing, served, arrival }: Comparison,
  syncState: SyncState,
): OldCodeVerdict {
  if (syncState.state === 'waiting' || syncState.state === 'running') return 'syncing';
  if (syncState.state === 'failed' || syncState.state === 'rolledBack') return syncState.state;
  if (served === undefined) return 'neverSynced';
  if (head === served) return 'current';
  if (isMissing === true) return 'branchGone';
  if (isRepositoryMissing === true) return 'repositoryGone';
  if (push === 'unlisted') return head === undefined ? 'compare' : 'older';
  if (push?.refusal !== undefined) return 'refused';
  if (head === undefined) return push === undefined ? NO_PUSH[arrival ?? 'webhook'] : push.sha === served ? 'compare' : 'behind';
  if (push?.sha === head) return 'behind';
  return push === undefined ? NO_PUSH[arrival ?? 'webhook'] : UNREPORTED[arrival ?? 'webhook'];
}

const NO_PUSH = { webhook: 'noPush', 'no-webhook': 'noWebhook' } as const;
/** No push reported the branch's current commit. */
const UNREPORTED = { webhook: 'pushMissing', 'no-webhook': 'noWebhook' } as const;
