import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '@repoless/contract/refusal.ts';

export type Background = Omit<ReturnType<typeof createBackground>, 'stop'>;

/** Work that continues after its call was answered; a shutdown ends it, and the next start resumes it. */
export function createBackground(onFailure: (name: string, error: unknown) => void) {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    get signal(): AbortSignal {
      return stopping.signal;
    },
    /** Errors of the work are logged under this name. */
    start(name: string, work: () => Promise<void>): void {
      if (stopping.signal.aborted) return;
      const run = work()
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) onFailure(name, error);
        })
        .finally(() => running.delete(run));
      running.add(run);
    },
    /** Aborts `signal`, and resolves when all work has ended. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

export type PendingChecks = ReturnType<typeof createPendingChecks>;

/** Repositories that wait to be checked, each once. An organization never has more queued turns than waiting repositories. */
export function createPendingChecks() {
  const waiting = new Map<string, { readonly ids: Set<string>; turns: number }>();
  return {
    /**
     * Returns whether to queue a further turn, which calls `next`; otherwise the repository is checked in a turn that is queued already.
     */
    add(org: string, id: string): boolean {
      const own = waiting.get(org) ?? { ids: new Set(), turns: 0 };
      waiting.set(org, own);
      own.ids.add(id);
      if (own.turns >= own.ids.size) return false;
      own.turns += 1;
      return true;
    },
    /** The repository of a turn; undefined if the waiting ones were removed. */
    next(org: string): string | undefined {
      const own = waiting.get(org);
      if (own === undefined) return undefined;
      own.turns -= 1;
      if (own.turns === 0) waiting.delete(org);
      const [id] = own.ids;
      if (id !== undefined) own.ids.delete(id);
      return id;
    },
    /** The repository was removed: its turn goes to the next one. */
    remove: (org: string, id: string) => void waiting.get(org)?.ids.delete(id),
  };
}

/** A delivery that waits to run, by its identifier, because its stored state changes. */
export interface WaitingDelivery {
  readonly id: string;
  /** It is not retried. */
  readonly isLast: boolean;
}

/** Runs a batch in its turn; `take` closes the batch and returns it. Resolves to the identifiers of the deliveries to retry. */
type RunBatch = (take: () => readonly WaitingDelivery[]) => Promise<ReadonlySet<string>>;

export type EventQueue = ReturnType<typeof createEventQueue>;

/** Unfinished deliveries, in the memory of this process. */
export function createEventQueue() {
  const unfinished = new Map<string, number>();
  const batches = new Map<string, { readonly waiting: WaitingDelivery[]; toRetry: Promise<ReadonlySet<string>> }>();

  /** Counts a stored delivery until the returned function is called. */
  const count = (org: string) => {
    unfinished.set(org, (unfinished.get(org) ?? 0) + 1);
    return () => {
      const left = (unfinished.get(org) ?? 1) - 1;
      if (left === 0) unfinished.delete(org);
      else unfinished.set(org, left);
    };
  };
  return {
    count,
    /** `count` for a delivery that is about to be stored. Refuses with OVERLOADED if the organization has reached its limit. */
    enter(org: string): () => void {
      if ((unfinished.get(org) ?? 0) >= LIMITS.eventsWaiting) throw new Refusal('OVERLOADED', TOO_MANY, { retryAfter: 60 });
      return count(org);
    },
    /** Runs a delivery together with all others of its repository that are waiting. Returns whether to run it again. */
    async join(repository: string, delivery: WaitingDelivery, run: RunBatch): Promise<boolean> {
      let batch = batches.get(repository);
      if (batch !== undefined) batch.waiting.push(delivery);
      else {
        batch = { waiting: [delivery], toRetry: Promise.resolve(new Set()) };
        const { waiting } = batch;
        batches.set(repository, batch);
        // It may start immediately.
        batch.toRetry = run(() => {
          batches.delete(repository);
          return waiting;
        });
      }
      return (await batch.toRetry).has(delivery.id);
    },
  };
}

const TOO_MANY =
  'Too many events of this organization are waiting, because its git vendor or the service does not respond in time. This event was not stored. Send it again in a few minutes, or use Sync Code.';
