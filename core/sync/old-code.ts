import type { Comparison } from './compare-code.ts';
import type { SyncState } from './sync-state.ts';

/** The latest push of a branch that arrived. */
export interface Push {
  readonly sha: string;
  readonly time: string;
  /** Why it was refused, a sentence; absent where it was taken. */
  readonly refusal?: string;
}

export type OldCodeVerdict =
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
  if (standing.state === 'failed') return 'failed';
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
