import type { JobStatus } from '#contract/job.ts';
import type { Failure, Known } from '../situation.ts';
import type { BuildManagementPort } from './build-management-port.ts';
import { lastGoodJob } from './job-standing.ts';
import { latestPush } from './latest-push.ts';
import type { Push } from './old-code.ts';
import type { BranchPlace, SyncPort } from './ports.ts';

/** The last push of a branch beside the commit that is served. */
export interface Comparison {
  /** `untold`: pushes to this code source are not listed anywhere. */
  readonly push: Push | 'untold' | undefined;
  /** Absent where the branch was never synchronised. */
  readonly served?: string;
}

interface Asked {
  readonly sync: Pick<SyncPort, 'details'>;
  /** Where pushes to the repository arrive, by its number. */
  readonly pushes: { readonly builds: Pick<BuildManagementPort, 'deliveries'>; readonly repository: string } | undefined;
}

/** Reads what was pushed last and what is served. */
export async function compareCode(
  { sync, pushes }: Asked,
  place: BranchPlace,
  branch: string,
  status: JobStatus,
): Promise<Known<Comparison>> {
  const good = lastGoodJob(status);
  const [job, deliveries] = await Promise.all([
    good === undefined ? undefined : sync.details(place, good),
    pushes?.builds.deliveries(place.org, pushes.repository),
  ]);
  const failure = failureOf(job) ?? failureOf(deliveries);
  if (failure !== undefined) return { state: 'failed', failure };
  const served = job?.state === 'known' ? job.value.data.sha : undefined;
  const push = pushes === undefined ? 'untold' : latestPush(deliveries?.state === 'known' ? deliveries.value.deliveries : [], branch);
  return { state: 'known', value: { push, ...(served === undefined ? {} : { served }) } };
}

function failureOf(answer: Known<unknown> | undefined): Failure | undefined {
  return answer?.state === 'failed' ? answer.failure : undefined;
}
