import type { Comparison } from './compare-code.ts';
import type { JobStanding } from './job-standing.ts';

/** The latest push of a branch that arrived. */
export interface Push {
  readonly sha: string;
  readonly time: string;
  /** Why it was refused, a sentence; absent where it was taken. */
  readonly refusal?: string;
}

export type OldCodeVerdict =
  | 'same'
  | 'behind'
  | 'syncing'
  | 'failed'
  | 'neverSynced'
  | 'noPush'
  | 'noWebhook'
  | 'notPushed'
  | 'refused'
  | 'current'
  | 'older'
  | 'compare';

/**
 * Why a site still shows old code. In: the last push (undefined: none arrived; `untold`: pushes of this code source are not
 * listed anywhere), the branch itself where it can be told, the commit that is served, how pushes arrive,
 * and how the sync stands.
 */
export function oldCodeVerdict({ push, head, served, arrival }: Comparison, standing: JobStanding): OldCodeVerdict {
  if (standing.state === 'waiting' || standing.state === 'running') return 'syncing';
  if (standing.state === 'failed') return 'failed';
  if (served === undefined) return 'neverSynced';
  if (push === 'untold') return head === undefined ? 'compare' : head === served ? 'current' : 'older';
  if (push === undefined) return NO_PUSH[arrival ?? 'webhook'];
  if (push.refusal !== undefined) return 'refused';
  return push.sha === served ? 'same' : 'behind';
}

const NO_PUSH = { webhook: 'noPush', 'no-webhook': 'noWebhook', hosted: 'notPushed' } as const;
