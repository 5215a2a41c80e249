import { problemOf, stopCause } from '@repoless/core/rollouts/rollout-rules.ts';
import { LRUCache } from 'lru-cache';
import type { Context } from '../domain/context.ts';
import type { Store } from '../domain/ports.ts';
import { startQueue, type Task } from '../domain/queue.ts';
import type { Cause, Tracing } from '../tracing/tracing.ts';
import type { StoredRollout } from './rules/ports.ts';
import { ProfileChanged, removeStagedProfile, restoreProfile } from './rules/profile-steps.ts';
import { callerOf } from './rules/start-rollout.ts';
import { isUnreachable, isFinal, restoreStoredSite, RolloutInterrupted } from './rules/site-steps.ts';
import { each, SITE_CONCURRENCY, stop, stopIfNotRestored, type Work, workOnRollout } from './work-on-rollout.ts';
import type { Caller } from '../sessions/identity.ts';

export interface RolloutServices {
  readonly store: Store;
  readonly check: Work['check'];
  readonly tracing: Tracing;
  context(caller: Caller, requestId: string): Context;
  now(): Date;
  failed(what: string, error: unknown): void;
}

export interface Rollouts {
  /** The rollout of this id has work to do. */
  wake(rollout: string): void;
  /** Ends after the site in progress; the next start, or another node, continues. */
  close(): Promise<void>;
}

/**
 * Works on rollouts, several sites at a time and each organization in turn, under a lease in the database: a killed program leaves them to
 * the next one (docs/contract.md 3.17).
 */
export function startRollouts({ store, check, tracing, context, now, failed }: RolloutServices): Rollouts {
  const { rollouts, reads } = store;
  const queue = startQueue({
    workName: 'rollouts',
    store,
    atOnce: 1,
    lease: LEASE,
    every: POLL_EVERY,
    tasks: open,
    now,
    failed,
  });
  /** What triggered rollouts, if it happened on this node. */
  const causes = new LRUCache<string, Cause>({ max: REMEMBERED });
  const waiting = createWaiting(() => now().getTime());

  /** Those whose last turn is longest ago first: each processes several sites, and moves behind the others. */
  async function* open(): AsyncGenerator<Task> {
    for (const { org, id } of await rollouts.open((await queue.lease()).leased.toISOString(), MAX_OPEN))
      if (!waiting.isPaused(id)) yield { name: `rollout ${org}/${id}`, share: org, run: () => workOn(org, id) };
  }

  async function workOn(org: string, id: string): Promise<void> {
    try {
      const { owner, now: current, until, leased } = await queue.lease();
      const lease = { org, id, owner, now: current.toISOString(), until: until.toISOString() };
      if (!(await rollouts.claim(lease, leased.toISOString()))) return;
      try {
        const rollout = await reads.rollout(org, id);
        if (rollout !== undefined) await traced(rollout, () => step(rollout));
      } finally {
        await rollouts.release(lease);
      }
    } catch (error) {
      if (isUnreachable(error)) waiting.pause(id);
      else if (!(error instanceof RolloutInterrupted)) throw error;
    }
  }

  function traced(rollout: StoredRollout, work: () => Promise<void>): Promise<void> {
    const { org, id, requestId } = rollout;
    const facts = { 'repoless.org': org, 'repoless.rollout': id, 'repoless.request_id': requestId };
    return tracing.job({ name: 'rollout', facts, cause: causes.get(id) }, work);
  }

  async function step(rollout: StoredRollout): Promise<void> {
    const workContext = context(await callerOf(rollout.by, reads, now()), rollout.requestId);
    const attempt = waiting.attempt(rollout.id);
    const work = { context: workContext, check, hasWaitedEnough: attempt.hasWaitedEnough };
    try {
      if (rollout.state === 'running') await workOnRollout(work, rollout);
      else if (rollout.state === 'undoing') await undoRollout(work, rollout);
    } catch (error) {
      // A refused site is recorded in its row; errors here are about the profile.
      if (!isFinal(error, attempt.hasWaitedEnough)) throw error;
      await stop(workContext, rollout, 'blocked', stopCause(problemOf(error)));
    }
    attempt.ended();
  }

  void queue.wake();
  return {
    wake(rollout) {
      const cause = tracing.now();
      if (cause !== undefined) causes.set(rollout, cause);
      void tracing.detached(queue.wake);
    },
    close: queue.close,
  };
}

const LEASE = 60_000;
const POLL_EVERY = 5000;
const REMEMBERED = 1000;
const MAX_OPEN = 20;

/** Restores the next few sites of a rollout, or ends the undo if none is left; stops if some could not be restored. */
async function undoRollout({ context, hasWaitedEnough }: Omit<Work, 'check'>, rollout: StoredRollout): Promise<void> {
  const { org, id, profile, waves } = rollout;
  if (profile?.to !== undefined) return await restored(context, rollout, profile);
  for (const state of ['staged', 'changed'] as const) {
    const rows = await context.store.rollouts.next(org, id, state, { wave: waves.length, limit: SITE_CONCURRENCY });
    if (rows.length > 0) return await each(rows, (row) => restoreStoredSite({ context, rollout, hasWaitedEnough }, row, 'undone'));
  }
  if (await stopIfNotRestored(context, rollout)) return;
  if (profile !== undefined) await removeStagedProfile(context, rollout, profile);
  await context.store.write(async (writes) => {
    const current = await writes.rollout(org, id);
    if (current?.revision !== rollout.revision) throw new RolloutInterrupted();
    const { revision: expected, ...record } = current;
    await writes.changeRollout({ kind: 'put', rollout: { ...record, state: 'undone', ended: context.now().toISOString() }, expected });
    // They were never attempted.
    await writes.changeRollout({ kind: 'sites', org, rollout: id, from: 'waiting', to: 'unchanged' });
  });
}

/** Restores the profile; if it was changed since, it and its sites are left alone. */
async function restored(context: Context, rollout: StoredRollout, profile: NonNullable<StoredRollout['profile']>): Promise<void> {
  try {
    await restoreProfile(context, rollout, profile);
  } catch (error) {
    if (!(error instanceof ProfileChanged)) throw error;
    const { org, id, revision: expected, ...rest } = rollout;
    const { to: _to, ...left } = profile;
    await context.store.write(async (writes) => {
      await writes.changeRollout({
        kind: 'put',
        rollout: { ...rest, org, id, profile: left, stopped: { reason: 'profile-changed' } },
        expected,
      });
      await writes.changeRollout({ kind: 'sites', org, rollout: id, from: 'changed', to: 'kept' });
    });
  }
}

/**
 * A rollout whose site needs an unreachable system is retried after a pause. After several minutes the site gets the reason, and the
 * rollout continues (docs/contract.md 3.17).
 */
function createWaiting(now: () => number) {
  const pauses = new LRUCache<string, { readonly since: number; readonly until: number }>({ max: REMEMBERED });
  return {
    isPaused: (id: string) => (pauses.get(id)?.until ?? 0) > now(),
    pause(id: string): void {
      pauses.set(id, { since: pauses.get(id)?.since ?? now(), until: now() + PAUSE });
    },
    attempt(id: string) {
      let isMet = false;
      return {
        /** Called when a system does not respond: whether it was waited for long enough. */
        hasWaitedEnough(): boolean {
          isMet = true;
          return now() - (pauses.get(id)?.since ?? now()) >= MAX_PAUSE;
        },
        /** The work was done. */
        ended(): void {
          // While it is still unreachable, the next site does not wait again.
          if (!isMet) pauses.delete(id);
        },
      };
    },
  };
}

const PAUSE = 30_000;
const MAX_PAUSE = 5 * 60_000;
