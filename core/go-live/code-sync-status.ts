import type { JobStatus } from '@repoless/contract/job.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { SecretInfo } from '@repoless/contract/secret.ts';
import { syncStateOf, jobTime, lastGoodJob } from '../sync/sync-state.ts';
import type { JobProblem, JobProblemKind } from '../sync/job-problem.ts';
import { blocks, done, open, repositoryData } from './gate.ts';
import type { Evidence, Gate, Standing } from './gate.ts';

export interface SyncReading {
  readonly job: JobStatus;
  /** The secret that the site holds for its external repository. */
  readonly secret?: SecretInfo | undefined;
  /** A secret is about to be stored. */
  readonly secretPasted?: boolean | undefined;
}

/** These do not pass by themselves: what was synchronised before is served, and nothing newer will be. */
const LASTING: ReadonlySet<JobProblemKind> = new Set(['secret-refused', 'not-readable', 'repository-missing', 'branch-missing']);

/**
 * The code is synced: the latest sync succeeded, or an earlier one did and the latest is running or failed temporarily. A secret that the code
 * source refused blocks until there is another one.
 */
export function codeSyncStatus(gate: Gate, read: SyncReading | undefined): Standing {
  if (read === undefined) return open();
  const { job } = read;
  const evidence = syncEvidence(gate, job);
  const standing = syncStateOf(job, gate.code.type);
  if (standing.state === 'done') return done(evidence);
  const lasting = standing.state === 'failed' && LASTING.has(standing.problem.kind);
  if (lastGoodJob(job) !== undefined && !lasting) return done(evidence);
  if (standing.state === 'failed' && standing.problem.kind === 'secret-refused' && gate.code.type === 'byogit' && gate.code.holdsSecret) {
    const newer = read.secretPasted === true || (read.secret?.lastModified ?? '') > (jobTime(job) ?? '');
    if (!newer) return syncFailed(gate, standing.problem, evidence);
  }
  return open(evidence);
}

/** A sync that failed, in the sentence of its cause. */
export function syncFailed(gate: Gate, problem: JobProblem, evidence?: Evidence): Standing {
  const data = { ...repositoryData(gate), error: problem.error, status: String(problem.status ?? ''), problem: problem.kind };
  return blocks('sync-failed', data, evidence);
}

function syncEvidence({ organization, siteName }: Gate, job: JobStatus): Evidence {
  const answer = [job.name, job.state, job.error, job.data?.sha].filter((part) => part !== undefined).join(', ');
  return { request: `GET /job/${organization}/${siteName}/${DEFAULT_REF}/code`, answer: answer === '' ? 'no sync' : answer };
}
