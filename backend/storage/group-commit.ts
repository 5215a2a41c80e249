import type { Reads, Writes } from '#backend/domain/ports.ts';
import { changedSites, isEmpty } from './effects.ts';
import type { Effects } from './effects.ts';
import { recordWrites } from './record-writes.ts';
import { conflictOf, conflictRefusal, isUnreachable, storageError } from './storage-error.ts';
import type { Conflict } from './storage-error.ts';

/** How one write of a batch ended; the others of the batch are not concerned. */
export type Stored =
  | { readonly kind: 'done' }
  | { readonly kind: 'conflict'; readonly conflict: Conflict; readonly cause?: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface CommitEngine {
  readonly reads: Reads;
  /** Stores a batch in one durable transaction; answers how each write ended. Rejects where nothing at all was stored. */
  flush(batch: readonly Effects[]): Promise<Stored[]>;
}

export interface GroupCommit {
  write<T>(work: (writes: Writes) => Promise<T>): Promise<T>;
  /** Resolves when everything that was written is stored; later writes are refused. */
  close(): Promise<void>;
}

interface Waiting {
  readonly effects: Effects;
  readonly resolve: (stored: Stored) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits the writes of one turn of the event loop, or of the time that a commit takes, together. Each is acknowledged after
 * the commit that holds it; one that lost against another is decided again; a batch that fails is tried one by one.
 */
export function groupCommit(engine: CommitEngine, announce: (org: string, site: string) => void): GroupCommit {
  let queue: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let closed = false;

  async function write<T>(work: (writes: Writes) => Promise<T>): Promise<T> {
    let last: Conflict | undefined;
    for (let attempt = 1; ; attempt += 1) {
      if (closed) throw storageError(Object.assign(new Error('The store is closed.'), { code: 'STORAGE_CLOSED' }));
      const { writes, effects } = recordWrites(engine.reads);
      const result = await work(writes);
      if (isEmpty(effects)) return result;
      const stored = await commit(effects);
      if (stored.kind === 'done') return result;
      if (stored.kind === 'failed') throw storageError(stored.error);
      // Decided again, the rules see what the neighbour stored; where they do not mind, the conflict itself is the answer.
      if (attempt >= MAX_ATTEMPTS || (stored.conflict !== 'changed' && stored.conflict === last))
        throw conflictRefusal(stored.conflict, stored.cause);
      last = stored.conflict;
    }
  }

  function commit(effects: Effects): Promise<Stored> {
    return new Promise((resolve, reject) => {
      queue.push({ effects, resolve, reject });
      flushing ??= nextTurn().then(drain);
    });
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, MAX_BATCH);
      queue = queue.slice(MAX_BATCH);
      await store(batch);
      // Those who were just answered may write again, and be part of the next commit.
      await nextTurn();
    }
    flushing = undefined;
  }

  async function store(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await engine.flush(batch.map((waiting) => waiting.effects));
      batch.forEach((waiting, index) => settle(waiting, outcomes[index]));
    } catch (error) {
      const apart = batch.length > 1 && !isUnreachable(error);
      if (apart) for (const waiting of batch) await store([waiting]);
      else for (const waiting of batch) waiting.resolve(failure(error));
    }
  }

  function settle(waiting: Waiting, stored: Stored | undefined): void {
    if (stored === undefined) return waiting.reject(new Error('The engine did not say how a write ended.'));
    if (stored.kind === 'done') changedSites(waiting.effects).forEach(({ org, site }) => announce(org, site));
    waiting.resolve(stored);
  }

  async function close(): Promise<void> {
    closed = true;
    await flushing;
  }

  return { write, close };
}

/** How a write ended whose engine threw. */
export function failure(error: unknown): Stored {
  const conflict = conflictOf(error);
  return conflict === undefined ? { kind: 'failed', error } : { kind: 'conflict', conflict, cause: error };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const MAX_BATCH = 256;
const MAX_ATTEMPTS = 300;
