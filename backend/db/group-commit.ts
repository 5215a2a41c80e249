import type { Reads, StoredSite, Subject, Writes } from '../domain/ports.ts';
import { nextTurn } from '../domain/turn.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { changesOf, isEmpty } from './write-set.ts';
import type { WriteSet } from './write-set.ts';
import type { Change } from './news.ts';
import { areStored, isGuardedBySite, PendingSites, siteLeft } from './pending-sites.ts';
import { writesRecorder } from './record-writes.ts';
import { writtenSite } from './row.ts';
import { conflictOf, conflictRefusal, isUnreachable, storageError } from './storage-error.ts';
import type { Conflict } from './storage-error.ts';
import { databasePart } from './traced-query.ts';
import type { DatabaseSystem } from './traced-query.ts';
import { subjectKey } from './write-rows.ts';

/** How one write of a batch ended; the others of the batch are not concerned. */
export type Stored =
  | {
      readonly kind: 'done';
      /** Settles when no other node answers as it was before; never rejects. Left out where there is none. */
      readonly everywhere?: Promise<void>;
    }
  | { readonly kind: 'conflict'; readonly conflict: Conflict; readonly cause?: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface CommitEngine {
  readonly reads: Reads;
  /** A write of a batch stands on those before it: the next writer of a site need not wait for the commit of the last. */
  readonly inOrder?: boolean;
  /** Settles when no other node answers as it was before what is stored by now, whoever stored it; never rejects. */
  readonly known: () => Promise<void>;
  /** Stores a batch in one durable transaction; answers how each write ended. Rejects where nothing at all was stored. */
  flush(batch: readonly WriteSet[]): Promise<Stored[]>;
}

export interface GroupCommit {
  write<T>(work: (writes: Writes) => Promise<T>, subject?: Subject): Promise<T>;
  /** Resolves when everything that was written is stored; later writes are refused. */
  close(): Promise<void>;
}

interface Waiting {
  readonly writeSet: WriteSet;
  /** Whoever waits to decide on it may, even before other nodes know. */
  readonly giveTurn: () => void;
  /** What it leaves for them, where they need not wait for the commit. */
  readonly left: StoredSite | undefined;
  readonly resolve: (stored: Stored) => void;
  readonly reject: (error: unknown) => void;
}

interface CommitContext {
  announce(change: Change): void;
  readonly tracing: Tracing;
  readonly system: DatabaseSystem;
}

/**
 * Commits the writes of one turn of the event loop, or of the time that a commit takes, together. Each is acknowledged after
 * the commit that holds it, when every node knows; the next commit does not wait for that. One that changes nothing of its subject is acknowledged when every node
 * knows what is there already. One that lost against another is decided again; a batch that fails is tried one by one.
 * Where a batch is stored in its order, the next writer of a site decides on what the one before it will leave, and they share a commit.
 */
export function groupCommit(engine: CommitEngine, { announce, tracing, system }: CommitContext): GroupCommit {
  let queue: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let closed = false;
  const turn = turnsOfSubjects(PATIENCE);
  const pending = new PendingSites();
  const recorded = writesRecorder(engine.reads, pending);
  const spreading = new Set<Promise<void>>();
  const part = databasePart<Stored>(system, 'commit');

  async function write<T>(work: (writes: Writes) => Promise<T>, subject?: Subject): Promise<T> {
    if (subject === undefined) return (await decided(work, () => undefined)).result;
    const give = await turn(Object.values(subjectKey(subject)).join('/'));
    let made: Decided<T>;
    try {
      made = await decided(work, give);
    } finally {
      give();
    }
    // Whoever wanted what is there already is told the same as who stored it.
    if (!made.wrote) await engine.known();
    return made.result;
  }

  async function decided<T>(work: (writes: Writes) => Promise<T>, giveTurn: () => void): Promise<Decided<T>> {
    let last: Conflict | undefined;
    for (let attempt = 1; ; attempt += 1) {
      if (closed) throw storageError(Object.assign(new Error('The store is closed.'), { code: 'STORAGE_CLOSED' }));
      const { writes, writeSet, standsOn } = recorded();
      const made = await outcomeOf(work(writes));
      // Nobody is told of what is on its way, and nothing is stored beside it, before it is stored.
      const isGuarded = made.kind === 'made' && isGuardedBySite(writeSet, standsOn);
      if (!isGuarded && !(await areStored(standsOn))) continue;
      if (made.kind === 'refused') throw made.error;
      if (isEmpty(writeSet)) return { result: made.result, wrote: false };
      const ended = await tracing.part(part, () => commit(writeSet, giveTurn));
      if (ended.kind === 'done') return { result: made.result, wrote: true };
      if (ended.kind === 'failed') throw storageError(ended.error);
      // Decided again, the rules see what the neighbour stored; where they do not mind, the conflict itself is the answer.
      if (attempt >= MAX_ATTEMPTS || (ended.conflict !== 'changed' && ended.conflict === last))
        throw conflictRefusal(ended.conflict, ended.cause);
      last = ended.conflict;
    }
  }

  function commit(writeSet: WriteSet, giveTurn: () => void): Promise<Stored> {
    const left = engine.inOrder === true ? siteLeft(writeSet) : undefined;
    const ended = new Promise<Stored>((resolve, reject) => {
      queue.push({ writeSet, giveTurn, left, resolve, reject });
      // A commit holds the writes of many requests, and belongs to none of them.
      flushing ??= tracing.apart(() => nextTurn().then(drain));
    });
    if (left === undefined) return ended;
    const stored = ended.then(
      ({ kind }) => kind === 'done',
      () => false,
    );
    pending.add(left, { document: left, stored });
    giveTurn();
    return ended;
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
      const outcomes = await engine.flush(batch.map((waiting) => waiting.writeSet));
      batch.forEach((waiting, index) => settle(waiting, outcomes[index]));
    } catch (error) {
      const apart = batch.length > 1 && !isUnreachable(error);
      if (apart) for (const waiting of batch) await store([waiting]);
      else for (const waiting of batch) settle(waiting, failure(error));
    }
  }

  function settle(waiting: Waiting, stored: Stored | undefined): void {
    if (waiting.left !== undefined) pending.remove(waiting.left);
    if (stored === undefined) return waiting.reject(new Error('The engine did not say how a write ended.'));
    if (stored.kind !== 'done') return waiting.resolve(stored);
    const { sites } = waiting.writeSet;
    for (const change of sites) if (change.kind === 'put' && change.document !== undefined) writtenSite({ ...change.row }, change.document);
    changesOf(waiting.writeSet).forEach(announce);
    waiting.giveTurn();
    if (stored.everywhere === undefined) return waiting.resolve(stored);
    const spread = stored.everywhere.then(() => {
      spreading.delete(spread);
      waiting.resolve(stored);
    });
    spreading.add(spread);
  }

  async function close(): Promise<void> {
    closed = true;
    await flushing;
    await Promise.all(spreading);
  }

  return { write, close };
}

interface Decided<T> {
  readonly result: T;
  readonly wrote: boolean;
}

type Made<T> = { readonly kind: 'made'; readonly result: T } | { readonly kind: 'refused'; readonly error: unknown };

function outcomeOf<T>(work: Promise<T>): Promise<Made<T>> {
  return work.then(
    (result): Made<T> => ({ kind: 'made', result }),
    (error: unknown): Made<T> => ({ kind: 'refused', error }),
  );
}

/** How a write ended whose engine threw. */
export function failure(error: unknown): Stored {
  const conflict = conflictOf(error);
  return conflict === undefined ? { kind: 'failed', error } : { kind: 'conflict', conflict, cause: error };
}

/** Takes the turn of a key; resolves when it has come. What it answers gives the turn on; to give it on twice does no harm. */
type TakeTurn = (key: string) => Promise<() => void>;

/**
 * Writers of one subject take turns: each decides on what the one before left, where all together would decide on the same, and all
 * but one in vain. A turn is no lock: who has waited for `patience` milliseconds goes on, and a conflict tells what was decided on
 * something old.
 */
function turnsOfSubjects(patience: number): TakeTurn {
  const last = new Map<string, Promise<void>>();
  return async (key) => {
    const before = last.get(key);
    let give: () => void = () => undefined;
    const given = new Promise<void>((resolve) => {
      give = resolve;
    });
    // Who waited too long does not let those behind pass those before.
    const mine = before === undefined ? given : before.then(() => given);
    last.set(key, mine);
    void mine.then(() => {
      if (last.get(key) === mine) last.delete(key);
    });
    if (before !== undefined) await within(before, patience);
    return give;
  };
}

function within(turn: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void turn.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const MAX_BATCH = 256;
const MAX_ATTEMPTS = 300;
/** Milliseconds that a write waits at most for the one of the same subject before it. */
const PATIENCE = 1000;
