import { MissingBlob } from './rules/blobs.ts';
import { Refusal } from '../domain/errors.ts';
import type { BlobStore } from './blob-store.ts';
import { TransientError, retrying } from './retry.ts';
import type { SyncContext } from './snapshot.ts';
import { SyncProblem } from './sync-problem.ts';

export type PatientBlobs = Pick<BlobStore, 'put' | 'keep' | 'read'>;

/** The blobs for one sync: it waits for a place that is away, and says so. Rejects with SyncProblem, and MissingBlob. */
export function patientBlobs(blobs: BlobStore, delay: number, context: SyncContext): PatientBlobs {
  const patient = <T>(work: () => Promise<T>) => retrying(() => work().catch(understood), delay, context);
  return {
    put: (bytes) => patient(() => blobs.put(bytes)),
    keep: (wanted) => patient(() => blobs.keep(wanted)),
    read: (hash) => patient(() => blobs.read(hash)),
  };
}

function understood(error: unknown): never {
  if (!(error instanceof Refusal) || error instanceof MissingBlob) throw error;
  if (error.code === 'STORAGE_FULL') throw new SyncProblem(FULL, { cause: error });
  if (error.code === 'STORAGE_UNAVAILABLE') throw new TransientError(AWAY, { last: `${AWAY} ${WHAT_TO_DO}`, cause: error });
  throw error;
}

const AWAY = 'The place where the service keeps code does not respond.';
const WHAT_TO_DO = 'The previous code is still served. Synchronise again in a few minutes. If that fails too, contact the operator.';
const FULL =
  'The place where the service keeps code is full. What was served before stays. Ask the operator to make room, then synchronise again.';
