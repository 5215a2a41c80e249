import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { yieldToEventLoop } from '../domain/fair-share.ts';
import type { Writes } from '../domain/ports.ts';
import type { Change, Query, Traced } from './queries.ts';
import { type Conflict, Conflicted, conflictOf, conflictRefusal, isUnreachable, storageError } from './storage-error.ts';
import type { Subject } from '../history/ports.ts';

/**
 * An open transaction of one engine. Its statements reject with `Conflicted`, or with the engine's error, which is in `failed` from then
 * on.
 */
export interface Transaction {
  readonly writes: Writes;
  readonly rows: Query;
  /** Settles when every statement was executed; rejects with the first failure. */
  settled(): Promise<void>;
  begin(): Promise<void>;
  release(): Promise<void>;
  undo(): Promise<void>;
  /** Changes of what nodes may have cached: announced after the commit. */
  readonly changes: Change[];
  readonly failed: unknown;
}

export interface TransactionEngine {
  /** The number of concurrent transactions. Those of one organization are never concurrent. */
  readonly lanes: number;
  /**
   * Runs `work` in a transaction that locks these organizations, and commits if it returns true; otherwise, or if it rejects, nothing
   * changes. Resolves when the commit is durable. `work` may run more than once.
   */
  transaction(orgs: readonly string[], work: (transaction: Transaction) => Promise<boolean>): Promise<void>;
}

interface Job {
  readonly org: string | undefined;
  readonly work: (transaction: Transaction) => Promise<unknown>;
  attempts: number;
  last: Conflict | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

type End = { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'failed'; readonly error: unknown };

interface TransactionsOptions {
  announce(change: Change): void;
  readonly traced: Traced;
  readonly refusesNested?: boolean | undefined;
}

/**
 * Runs the writes of one turn of the event loop, or of the time that a commit takes, one after the other in one transaction, each in its
 * own savepoint. Each is answered after its commit, even if it is refused: a refusal may depend on a write before it. What lost a conflict
 * with another node runs again; if the engine itself fails, each write of the transaction is retried separately.
 */
export function transactions(engine: TransactionEngine, { announce, traced, refusesNested = false }: TransactionsOptions) {
  const lanes = Array.from({ length: engine.lanes }, () => createLane(engine, announce));
  const nesting = refusesNested ? nestedWrites() : undefined;
  let closed = false;

  async function carryOut(work: Job['work'], org: string | undefined): Promise<unknown> {
    nesting?.refuse();
    if (closed) throw storageError(Object.assign(new Error('The store is closed.'), { code: 'STORAGE_CLOSED' }));
    const stored = () =>
      new Promise((resolve, reject) => {
        const inTrace = nesting?.within(work) ?? AsyncResource.bind(work);
        lanes[laneOf(org, lanes.length)]?.add({ org, work: inTrace, attempts: 0, last: undefined, resolve, reject });
      });
    return await traced(COMMIT, stored);
  }

  return {
    // Safe: a job resolves with the result of its work.
    write: <T>(work: (writes: Writes) => Promise<T>, subject?: Subject) =>
      carryOut(({ writes }) => work(writes), subject?.org) as Promise<T>,
    /** One statement in a transaction. */
    change: ((query) => carryOut(({ rows }) => rows(query), undefined)) as Query,
    /** Resolves when everything written is stored; later writes are refused. */
    async close(): Promise<void> {
      closed = true;
      await Promise.all(lanes.map((lane) => lane.ended()));
      nesting?.end();
    },
  };
}

/** A write that starts another one would wait for itself. */
function nestedWrites() {
  const inside = new AsyncLocalStorage<{ isOpen: boolean }>();
  return {
    refuse(): void {
      if (inside.getStore()?.isOpen === true) throw new Error('A write starts another one.');
    },
    within(work: Job['work']): Job['work'] {
      return AsyncResource.bind(async (transaction) => {
        const write = { isOpen: true };
        try {
          return await inside.run(write, () => work(transaction));
        } finally {
          write.isOpen = false;
        }
      });
    },
    /** A storage that stays enabled costs every later promise of the process. */
    end: () => inside.disable(),
  };
}

function createLane(engine: TransactionEngine, announce: (change: Change) => void) {
  const waiting: Job[] = [];
  let draining: Promise<void> | undefined;
  // A commit contains the writes of many requests: it belongs to the trace of none.
  const start = AsyncResource.bind(() => yieldToEventLoop().then(drain));

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await store(waiting.splice(0, MAX_BATCH));
      // Callers that were just answered may write again, and be part of the next commit.
      await yieldToEventLoop();
    }
    draining = undefined;
  }

  async function store(batch: readonly Job[]): Promise<void> {
    try {
      const ends = await committed(batch);
      batch.forEach((job, index) => settle(job, ends[index]));
    } catch (error) {
      if (batch.length > 1 && !isUnreachable(error)) for (const job of batch) await store([job]);
      else for (const job of batch) settle(job, { kind: 'failed', error });
    }
  }

  async function committed(batch: readonly Job[]): Promise<readonly End[]> {
    let ends: End[] = [];
    let changes: readonly Change[] = [];
    const orgs = new Set(batch.flatMap(({ org }) => (org === undefined ? [] : [org])));
    await engine.transaction([...orgs].toSorted(), async (transaction) => {
      ends = [];
      const [alone] = batch;
      if (alone !== undefined && batch.length === 1) ends.push(await endOf(transaction, alone));
      else for (const job of batch) ends.push(await inSavepoint(transaction, job));
      changes = transaction.changes;
      return ends.some(({ kind }) => kind === 'done');
    });
    changes.forEach(announce);
    return ends;
  }

  function settle(job: Job, end: End | undefined): void {
    if (end?.kind === 'done') return job.resolve(end.result);
    const conflict = conflictOf(end?.error);
    if (conflict === undefined) return job.reject(storageError(end?.error));
    job.attempts += 1;
    // When run again, the rules see what the other one stored; if they do not object, the conflict itself is the answer.
    if (job.attempts >= MAX_ATTEMPTS || (conflict !== 'changed' && conflict === job.last))
      job.reject(conflictRefusal(conflict, end?.error));
    else {
      job.last = conflict;
      waiting.push(job);
    }
  }

  return {
    add(job: Job) {
      waiting.push(job);
      draining ??= start();
    },
    async ended() {
      await draining;
    },
  };
}

async function inSavepoint(transaction: Transaction, job: Job): Promise<End> {
  const before = transaction.changes.length;
  await transaction.begin();
  const end = await endOf(transaction, job);
  if (end.kind === 'done') await transaction.release();
  else {
    transaction.changes.length = before;
    await transaction.undo();
  }
  return end;
}

async function endOf(transaction: Transaction, { work }: Job): Promise<End> {
  try {
    const result = await work(transaction);
    await transaction.settled();
    return { kind: 'done', result };
  } catch (error) {
    const first = await transaction.settled().then(
      () => error,
      (earlier: unknown) => earlier,
    );
    // The transaction has failed, including its other writes.
    if (transaction.failed !== undefined) throw transaction.failed;
    return { kind: 'failed', error: first };
  }
}

/** Writes of one organization share a lane, so that a node does not wait for itself. */
function laneOf(org: string | undefined, lanes: number): number {
  let hash = 0;
  for (let index = 0; index < (org?.length ?? 0); index += 1) hash = (hash * 31 + (org?.charCodeAt(index) ?? 0)) % 65_521;
  return hash % lanes;
}

/** What a statement of a transaction rejects with: a conflict, or the engine's error. */
export function statementError(error: unknown): { readonly error: unknown; readonly failed: boolean } {
  const conflict = conflictOf(error);
  return conflict === undefined ? { error, failed: true } : { error: new Conflicted(conflict, error), failed: false };
}

const COMMIT = { summary: 'commit' };
const MAX_BATCH = 256;
const MAX_ATTEMPTS = 50;

/** Notifies listeners of changes. */
export function createChangeNotifier() {
  const sites = new Set<(org: string, site: string) => void>();
  const tokens = new Set<(id: string) => void>();
  return {
    onSiteChange: (listener: (org: string, site: string) => void) => subscribed(sites, listener),
    onTokenChange: (listener: (id: string) => void) => subscribed(tokens, listener),
    changed(change: Change): void {
      if (change.kind === 'site') for (const notify of sites) notify(change.org, change.site);
      else for (const notify of tokens) notify(change.id);
    },
  };
}

/** A change as sent between nodes; none of the names contains a space. */
export function payloadOf(change: Change): string {
  return change.kind === 'site' ? `site ${change.org} ${change.site}` : `token ${change.id}`;
}

export function changeOf(payload: string): Change | undefined {
  const [kind, first, second] = payload.split(' ');
  if (kind === 'site' && first !== undefined && second !== undefined) return { kind, org: first, site: second };
  if (kind === 'token' && first !== undefined) return { kind, id: first };
  return undefined;
}

function subscribed<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
