import { randomUUID } from 'node:crypto';
import { BoundedMap } from '#backend/domain/bounded-map.ts';
import type { Caller } from '#backend/domain/caller.ts';
import type { Context } from '#backend/domain/context.ts';
import type { Store } from '#backend/domain/ports.ts';
import type { StoredRollout } from '#backend/domain/rollouts/ports.ts';
import { isAway, isFinal, NotItsTurn, problemOf } from '#backend/domain/rollouts/site-steps.ts';
import { callerOf } from '#backend/domain/rollouts/starter.ts';
import type { Cause, Tracing } from '#backend/tracing/tracing.ts';
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
  const owner = randomUUID();
  let stopping = false;
  let working: Promise<void> | undefined;
  let again = false;
  // An embedded store is this program's alone: whoever else held a lease on it is gone.
  const leased = (present: Date) => (store.code.shared ? present.toISOString() : FAR_FUTURE);
  const leaseTime = () => store.sharedTime(now());

  /** What set rollouts off, where that happened here. */
  const causes = new BoundedMap<string, Cause>(REMEMBERED);
  const waiting = createWaiting(() => now().getTime());

  function wake(): void {
    again = working !== undefined;
    if (stopping) return;
    working ??= workOnAll()
      .catch((error: unknown) => failed('rollouts', error))
      .finally(() => {
        working = undefined;
        if (again) wake();
      });
  }

  /** A few sites of each that is open, until nothing is left. */
  async function workOnAll(): Promise<void> {
    const broken = new Set<string>();
    for (;;) {
      const open = await rollouts.open(leased(await leaseTime()), MOST_OPEN);
      const left = open.filter(({ id }) => !broken.has(id) && !waiting.isPaused(id));
      if (left.length === 0 || stopping) return;
      for (const { org, id } of left) {
        try {
          await workOn(org, id);
        } catch (error) {
          if (isAway(error)) waiting.pause(id);
          else {
            // It is tried again the next time.
            broken.add(id);
            failed(`rollout ${org}/${id}`, error);
          }
        }
        if (stopping) return;
      }
    }
  }

  async function workOn(org: string, id: string): Promise<void> {
    const time = await leaseTime();
    const lease = { org, id, owner, now: time.toISOString(), until: new Date(time.getTime() + LEASE).toISOString() };
    if (!(await rollouts.claim(lease, leased(time)))) return;
    const rollout = await reads.rollout(org, id);
    try {
      if (rollout !== undefined) await traced(rollout, () => step(rollout));
    } catch (error) {
      if (!(error instanceof NotItsTurn)) throw error;
    } finally {
      await rollouts.release(lease);
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

  const timer = setInterval(wake, LOOK_EVERY);
  timer.unref();
  wake();
  return {
    wake(rollout) {
      const cause = tracing.now();
      if (cause !== undefined) causes.set(rollout, cause);
      tracing.apart(wake);
    },
    async close() {
      stopping = true;
      clearInterval(timer);
      await working;
    },
  };
}

const FAR_FUTURE = '9999-12-31T00:00:00.000Z';
const LEASE = 60_000;
const LOOK_EVERY = 5000;
const REMEMBERED = 1000;
const MOST_OPEN = 20;
