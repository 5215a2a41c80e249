import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '../../domain/errors.ts';
import { createFairShare } from '../../domain/fair-share.ts';
import type { Outcome } from '../../domain/operation.ts';
import { yieldToEventLoop } from '../../domain/event-loop.ts';

/** A push that was signed, and is not seen before. */
export interface Delivered {
  /** Whose pushes take turns with those of others. */
  readonly owner: string;
  /** What is pushed: a branch of a repository, or that it was deleted. */
  readonly about: string;
  /** What the delivery is known by. */
  readonly names: readonly string[];
}

/** Does the work for a push once for all that came of the same branch before its turn. In: the work, told by which names they are known. */
export type PushIntake = (delivered: Delivered, work: (names: readonly string[]) => Promise<Outcome>) => Promise<Outcome>;

interface Batch {
  readonly names: string[];
  readonly outcome: Promise<Outcome>;
}

/**
 * Pushes of an owner are worked on one after the other, those of different owners in turn: each stores its sync, and others write meanwhile. What
 * became of a branch the repository says when the sync begins, so that one sync is right for all that wait. Refuses with OVERLOADED what is too much.
 */
export function createPushIntake(): PushIntake {
  const { pushesAtOnce: atOnce, pushesWaiting, pushesOfOwnerWaiting } = LIMITS;
  const turns = createFairShare({ atOnce, perShare: 1, waitingPerShare: Infinity, waiting: Infinity, called: 'pushes' });
  const batches = new Map<string, Batch>();
  const waiting = new Map<string, number>();
  let inAll = 0;

  const count = (owner: string, more: 1 | -1) => {
    inAll += more;
    const left = (waiting.get(owner) ?? 0) + more;
    if (left === 0) waiting.delete(owner);
    else waiting.set(owner, left);
  };
  const begin = ({ owner, about }: Delivered, work: (names: readonly string[]) => Promise<Outcome>): Batch => {
    const names: string[] = [];
    const outcome = turns.run(owner, async () => {
      // Whoever else asks has a turn between any two.
      await yieldToEventLoop();
      batches.delete(about);
      return await work(names);
    });
    const batch = { names, outcome };
    batches.set(about, batch);
    return batch;
  };
  return async (delivered, work) => {
    const { owner, about, names } = delivered;
    if ((waiting.get(owner) ?? 0) >= pushesOfOwnerWaiting || inAll >= pushesWaiting) throw tooMany();
    count(owner, 1);
    try {
      const batch = batches.get(about) ?? begin(delivered, work);
      batch.names.push(...names);
      return await batch.outcome;
    } finally {
      count(owner, -1);
    }
  };
}

function tooMany(): Refusal {
  return new Refusal(
    'OVERLOADED',
    'Too many pushes are waiting. This one was not kept. Send it again in a few seconds, or use Sync Code.',
    {
      retryAfter: 10,
    },
  );
}
