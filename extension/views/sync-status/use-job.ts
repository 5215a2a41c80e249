import { useEffect, useState } from 'react';
import type { JobStatus } from '#contract/job.ts';
import type { Failure } from '#extension/setup/situation.ts';
import type { BranchPlace, SyncPort } from '#extension/setup/sync/ports.ts';

/** How a job is followed. After a failure the last that was known stays, with the failure. */
export type JobReading =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'ready'; readonly status: JobStatus; readonly live: boolean; readonly failure?: Failure };

/** The job of a branch as long as it is on the screen. */
export function useJob(sync: Pick<SyncPort, 'watch'>, { org, site, ref }: BranchPlace): JobReading {
  const [reading, setReading] = useState<JobReading>({ state: 'loading' });
  useEffect(
    () =>
      sync.watch({ org, site, ref }, ({ status, live }) => {
        if (status.state === 'known') return setReading({ state: 'ready', status: status.value, live });
        if (status.state === 'missing') return setReading({ state: 'missing' });
        const { failure } = status;
        setReading((now) => (now.state === 'ready' ? { ...now, live: false, failure } : { state: 'failed', failure }));
      }),
    [sync, org, site, ref],
  );
  return reading;
}
