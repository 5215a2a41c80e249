import { LRUCache } from 'lru-cache';
import type { Caller } from '../domain/caller.ts';
import type { Context } from '../domain/context.ts';
import type { Store } from '../domain/ports.ts';
import { startQueue } from '../domain/queue.ts';
import type { Task } from '../domain/queue.ts';
import type { StoredRollout } from './rules/ports.ts';
import { isAway, isFinal, RolloutInterrupted, problemOf } from './rules/site-steps.ts';
import { callerOf } from './rules/starter.ts';
import type { Cause, Tracing } from '../tracing/tracing.ts';
import { undoRollout } from './undo-rollout.ts';
import { createWaiting } from './waiting.ts';
import { stop, workOnRollout } from './work-on-rollout.ts';
import type { Work } from './work-on-rollout.ts';

export interface RolloutServices {
  readonly store: Store;
  readonly look: Work['look'];
  readonly tracing: Tracing;
  context(caller: Caller, requestId: string): Context;
  now(): Date;
  /** An error that nobody foresaw, and what met it. */
  failed(what: string, error: unknown): void;
}

export interface Rollouts {
  /** There is something to work on: the rollout of this id. */
  wake(rollout: string): void;
  /** Ends after the site at hand; the rest is left to the next start, or to another node. */
  close(): Promise<void>;
}

/**
 * Works on rollouts, a few sites at a time and each organization in turn, under a lease in the database: a program that is killed leaves
 * them to the next one (docs/contract.md 3.17).
 */
export function startRollouts({ store, look, tracing, context, now, failed }: RolloutServices): Rollouts {
  const { rollouts, reads } = store;
  const queue = startQueue({
    called: 'rollouts',
    store,
    atOnce: 1,
    lease: LEASE,
    every: LOOK_EVERY,
    tasks: open,
    now,
    failed,
  });
  /** What set rollouts off, where that happened here. */
  const causes = new LRUCache<string, Cause>({ max: REMEMBERED });
  const waiting = createWaiting(() => now().getTime());

  /** Those whose turn is longest ago first: each has a few sites done, and goes behind the others. */
  async function* open(): AsyncGenerator<Task> {
    for (const { org, id } of await rollouts.open((await queue.lease()).leased.toISOString(), MOST_OPEN))
      if (!waiting.isPaused(id)) yield { name: `rollout ${org}/${id}`, share: org, run: () => workOn(org, id) };
  }

  async function workOn(org: string, id: string): Promise<void> {
    try {
      const { owner, now: present, until, leased } = await queue.lease();
      const lease = { org, id, owner, now: present.toISOString(), until: until.toISOString() };
      if (!(await rollouts.claim(lease, leased.toISOString()))) return;
      try {
        const rollout = await reads.rollout(org, id);
        if (rollout !== undefined) await traced(rollout, () => step(rollout));
      } finally {
        await rollouts.release(lease);
      }
    } catch (error) {
      if (isAway(error)) waiting.pause(id);
      else if (!(error instanceof RolloutInterrupted)) throw error;
    }
  }

  function traced(rollout: StoredRollout, work: () => Promise<void>): Promise<void> {
    const { org, id, requestId } = rollout;
    const facts = { 'repoless.org': org, 'repoless.rollout': id, 'repoless.request_id': requestId };
    return tracing.job({ name: 'rollout', facts, cause: causes.get(id) }, work);
  }

  async function step(rollout: StoredRollout): Promise<void> {
    const made = context(await callerOf(rollout.by, reads, now()), rollout.requestId);
    const turn = waiting.turn(rollout.id);
    const work = { context: made, look, givesUp: turn.givesUp };
    try {
      if (rollout.state === 'running') await workOnRollout(work, rollout);
      else if (rollout.state === 'undoing') await undoRollout(work, rollout);
    } catch (error) {
      // A site that is refused is noted in its row; what comes here is about the profile.
      if (!isFinal(error, turn.givesUp)) throw error;
      await stop(made, rollout, 'blocked', problemOf(error).detail);
    }
    turn.ended();
  }

  void queue.wake();
  return {
    wake(rollout) {
      const cause = tracing.now();
      if (cause !== undefined) causes.set(rollout, cause);
      void tracing.apart(queue.wake);
    },
    close: queue.close,
  };
}

const LEASE = 60_000;
const LOOK_EVERY = 5000;
const REMEMBERED = 1000;
const MOST_OPEN = 20;
