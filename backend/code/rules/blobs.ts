import { Refusal } from '../../domain/errors.ts';

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A blob that should be there is lost. A sync makes it anew. */
export class MissingBlob extends Refusal {
  constructor(hash: string, cause?: unknown) {
    super('STORAGE_UNAVAILABLE', `The file ${hash} of the code is lost. Synchronise its branch again.`, { cause, retryAfter: 60 });
  }
}

/**
 * Where blobs lie, each under the SHA-256 of its bytes in hexadecimal: a folder, the database, a bucket. What is there is whole, whoever
 * writes and whenever they are killed. Rejects with Refusal STORAGE_UNAVAILABLE or STORAGE_FULL where the place is the reason.
 */
export interface BlobPlace {
  /** The number of its bytes; undefined where it is not there. */
  size(hash: string): Promise<number | undefined>;
  /** Stores bytes under their hash, where they are not there in full length. */
  write(hash: string, bytes: Uint8Array): Promise<void>;
  /** Rejects with MissingBlob where it is not there. */
  read(hash: string): Promise<Uint8Array>;
  /** Nothing is opened before the first piece is asked for. */
  stream(hash: string, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Everything that is there, in portions; also what a program left that was killed while it wrote. */
  names(): AsyncIterable<readonly string[]>;
  /** Settles when nothing is under way any more. */
  remove(hashes: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Blobs that no branch served when somebody looked. They are removed a while later, unless who relies on one rescues it first. All
 * nodes share this, and each call is atomic.
 */
export interface CondemnedBlobs {
  /** Those that are condemned already stay so since when they were. */
  condemn(hashes: readonly string[], now: Date): Promise<void>;
  /** They are condemned no more. Out: those that cannot be rescued, for they are being removed. */
  rescue(hashes: readonly string[]): Promise<string[]>;
  /** Those condemned before this time whom nobody removes yet, by their names, and of these those after a name. */
  due(before: Date, after: string, limit: number): Promise<string[]>;
  /** Takes them in order to remove them. Out: those that nobody rescued meanwhile. */
  take(hashes: readonly string[], before: Date, now: Date): Promise<string[]>;
  /** They are removed. */
  removed(hashes: readonly string[]): Promise<void>;
  /** Forgets those taken before this time by a node that never said how that ended. */
  giveUp(before: Date): Promise<void>;
}
