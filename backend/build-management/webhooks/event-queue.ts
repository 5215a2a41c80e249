import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '../../domain/errors.ts';

/** A delivery that waits to be run, by its identifier: what it changes is stored. */
export interface WaitingDelivery {
  readonly id: string;
  /** It is not tried again. */
  readonly isLast: boolean;
}

/** Runs what `take` gives when the turn comes. Out: the identifiers of those that are to be run again. */
type RunTaken = (take: () => readonly WaitingDelivery[]) => Promise<ReadonlySet<string>>;

/** Deliveries that are not at their end, in the memory of this program. */
export interface EventQueue {
  /** Counts a delivery that is about to be stored. Out: to be called at its end. Refuses with OVERLOADED where the organization has as many as it may. */
  enter(org: string): () => void;
  /** The same for what is stored already. */
  count(org: string): () => void;
  /** Has a delivery run together with all of its repository that wait when their turn comes. Out: whether it is to be run again. */
  join(repository: string, delivery: WaitingDelivery, run: RunTaken): Promise<boolean>;
}

interface Batch {
  readonly waiting: WaitingDelivery[];
  again: Promise<ReadonlySet<string>>;
}

export function createEventQueue(): EventQueue {
  const unfinished = new Map<string, number>();
  const batches = new Map<string, Batch>();

  const count = (org: string) => {
    unfinished.set(org, (unfinished.get(org) ?? 0) + 1);
    return () => {
      const left = (unfinished.get(org) ?? 1) - 1;
      if (left === 0) unfinished.delete(org);
      else unfinished.set(org, left);
    };
  };
  const begin = (repository: string, run: RunTaken): Batch => {
    const batch: Batch = { waiting: [], again: Promise.resolve(new Set()) };
    batches.set(repository, batch);
    // It may begin at once.
    batch.again = run(() => {
      batches.delete(repository);
      return batch.waiting;
    });
    return batch;
  };
  return {
    count,
    enter(org) {
      if ((unfinished.get(org) ?? 0) >= LIMITS.eventsWaiting) throw new Refusal('OVERLOADED', TOO_MANY, { retryAfter: 60 });
      return count(org);
    },
    async join(repository, delivery, run) {
      const known = batches.get(repository);
      if (known !== undefined) {
        known.waiting.push(delivery);
        return (await known.again).has(delivery.id);
      }
      return (await begin(repository, (take) => run(() => [delivery, ...take()])).again).has(delivery.id);
    },
  };
}

const TOO_MANY =
  'Too many events of this organization are waiting, because its git vendor or the service does not respond in time. This event was not kept. Send it again in a few minutes, or use Sync Code.';
