import type { JobStanding } from './job-standing.ts';

/** The latest push of a branch that arrived. */
export interface Push {
  readonly sha: string;
  readonly time: string;
  /** Why it was refused, a sentence; absent where it was taken. */
  readonly refusal?: string;
}

export type OldCodeVerdict = 'same' | 'behind' | 'syncing' | 'failed' | 'neverSynced' | 'noPush' | 'refused' | 'compare';

/**
 * Why a site still shows old code. In: the last push (undefined: none arrived; `untold`: pushes of this code source are not
 * listed anywhere), the commit that is served, and how the sync stands.
 */
export function oldCodeVerdict(push: Push | 'untold' | undefined, served: string | undefined, standing: JobStanding): OldCodeVerdict {
  if (standing.state === 'waiting' || standing.state === 'running') return 'syncing';
  if (standing.state === 'failed') return 'failed';
  if (served === undefined) return 'neverSynced';
  if (push === 'untold') return 'compare';
  if (push === undefined) return 'noPush';
  if (push.refusal !== undefined) return 'refused';
  return push.sha === served ? 'same' : 'behind';
}
