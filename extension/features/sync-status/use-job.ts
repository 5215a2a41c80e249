import type { JobStatus } from '@repoless/contract/job.ts';
import { type Failure, failureOf } from '@repoless/core/situation/call.ts';
import type { SiteRef, BuildManagementPort, SyncPort } from '@repoless/core/sync/ports.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import type { SyncState } from '@repoless/core/sync/sync-state.ts';
import { useEffect, useState } from 'react';

/** A branch of a repository, and what its views call. */
export interface FollowedBranch {
  readonly group: RepositoryGroup;
  readonly siteRef: SiteRef;
  /** Its name in the repository. */
  readonly branch: string;
  readonly sync: SyncPort;
  /** Build management, if it receives the pushes to the repository. */
  readonly builds: BuildManagementPort | undefined;
  /** Scheme and host of the code host. */
  readonly codeHost: string;
}

/** The state of following a job. After a failure the last known state stays, with the failure; `hasEnded`: it is no longer followed. */
type JobReading =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: Failure; readonly hasEnded: boolean }
  | {
      readonly state: 'ready';
      readonly status: JobStatus;
      readonly live: boolean;
      readonly failed?: { readonly failure: Failure; readonly hasEnded: boolean };
    };

/** The job of a branch while it is on the screen, and a function that follows it again after that has ended. */
export function useJob(sync: Pick<SyncPort, 'watch'>, { org, site, ref }: SiteRef): [JobReading, () => void] {
  const [reading, setReading] = useState<JobReading>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(
    () =>
      sync.watch({ org, site, ref }, ({ status, live, hasEnded }) => {
        if (status.state === 'known') return setReading({ state: 'ready', status: status.value, live });
        const failed = { failure: failureOf(status), hasEnded };
        setReading((now) => (now.state === 'ready' ? { ...now, live: false, failed } : { state: 'failed', ...failed }));
      }),
    [sync, org, site, ref, round],
  );
  const reload = (): void => {
    setReading((now) => (now.state === 'ready' ? { state: 'ready', status: now.status, live: false } : { state: 'loading' }));
    setRound(round + 1);
  };
  return [reading, reload];
}

/** The color of the light next to a state, whose name is always shown, too. */
export function syncStateTone({ state }: SyncState): 'positive' | 'negative' | 'info' | 'neutral' | 'yellow' {
  switch (state) {
    case 'done':
      return 'positive';
    case 'failed':
      return 'negative';
    case 'running':
      return 'info';
    case 'waiting':
    case 'rolledBack':
      return 'yellow';
    case 'never':
    case 'stopped':
      return 'neutral';
    default:
      return state satisfies never;
  }
}
