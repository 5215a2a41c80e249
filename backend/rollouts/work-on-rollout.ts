import { LIMITS } from '@repoless/contract/limits.ts';
import type { StopReason } from '@repoless/contract/rollout.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import { afterWave, haltedRollout, problemOf, type StopCause, stopCause, stuckCause } from '@repoless/core/rollouts/rollout-rules.ts';
import type { Context } from '../domain/context.ts';
import type { RolloutRecord, RolloutSiteRecord, StoredRollout } from './rules/ports.ts';
import { applyProfile, makeStagedProfile, ProfileChanged, removeStagedProfile } from './rules/profile-steps.ts';
import { reportStoppedRollout } from './rules/start-rollout.ts';
import { editSite, restoreStoredSite, requireReviewedProfile, RolloutInterrupted, stageSite } from './rules/site-steps.ts';

/** The context of a rollout's step. */
export interface Work {
  readonly context: Context;
  /** Checks a site, and returns the failing checks. */
  check(org: string, site: string): Promise<CheckId[]>;
  /** Whether to stop waiting for an unreachable system. */
  hasWaitedEnough(): boolean;
}

/**
 * Processes the next few sites of a running rollout, or what follows its wave. Each piece is one transaction with its rows, so any node can
 * continue with what is left.
 */
export async function workOnRollout(work: Work, rollout: StoredRollout): Promise<void> {
  const { context } = work;
  const { org, id, profile, wave, waves } = rollout;
  const { rollouts } = context.store;
  const isLast = wave >= waves.length;
  const step = { ...work, rollout };
  if (profile !== undefined && isLast && profile.to === undefined) {
    const unnoted = await rollouts.unnoted(org, id, SITE_CONCURRENCY);
    if (unnoted.length > 0) {
      // All sites get the profile at once: one whose current state was not previewed stops it.
      const unreviewed = await firstUnreviewed(context, rollout, unnoted);
      if (unreviewed !== undefined) return await stop(context, rollout, 'blocked', unreviewed);
      return await each(unnoted, (row) => noteWrong(work, row));
    }
    return await stoppedWhereChanged(context, rollout, () => applyProfile(context, rollout, profile));
  }
  const waiting = await rollouts.next(org, id, 'waiting', { wave, limit: SITE_CONCURRENCY });
  if (waiting.length > 0) {
    if (profile !== undefined) await makeStagedProfile(context, rollout, profile);
    return await each(waiting, async (row) => {
      const wrong = await work.check(org, row.site);
      await (profile === undefined ? editSite : stageSite)(step, row, wrong);
    });
  }
  if (profile?.to !== undefined) {
    const staged = await rollouts.next(org, id, 'staged', { wave: waves.length, limit: SITE_CONCURRENCY });
    if (staged.length > 0) return await each(staged, (row) => restoreStoredSite(step, row, 'changed'));
    // They still have the temporary profile.
    if (await stopIfNotRestored(context, rollout)) return;
    await removeStagedProfile(context, rollout, profile);
  }
  const unevaluated = await rollouts.unevaluated(org, id, SITE_CONCURRENCY);
  if (unevaluated.length > 0) return await each(unevaluated, (row) => evaluate(work, row));
  await endWave(context, rollout);
}

/** Why a profile would change one of these sites differently from its preview. */
async function firstUnreviewed(
  context: Context,
  rollout: StoredRollout,
  rows: readonly RolloutSiteRecord[],
): Promise<StopCause | undefined> {
  const { reads } = context.store;
  for (const row of rows) {
    const site = await reads.site(row.org, row.site);
    try {
      if (site !== undefined) await requireReviewedProfile({ context, reads }, rollout, site, row);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return stopCause(problemOf(error), row.site);
    }
  }
  return undefined;
}

/** Checks a changed site again, and records new failures. */
async function evaluate({ context, check: checkSite }: Work, row: RolloutSiteRecord): Promise<void> {
  const before = new Set(row.wrong);
  const worse = (await checkSite(row.org, row.site)).filter((check) => !before.has(check));
  await putRow(context, row, { ...row, worse });
}

/** Failing checks before the profile is changed for the sites without the staged one. */
async function noteWrong({ context, check: checkSite }: Work, row: RolloutSiteRecord): Promise<void> {
  await putRow(context, row, { ...row, wrong: await checkSite(row.org, row.site) });
}

async function putRow({ store }: Context, { state: expected }: RolloutSiteRecord, row: RolloutSiteRecord): Promise<void> {
  const { org, rollout, site } = row;
  await store.write(async (writes) => {
    const current = await writes.rolloutSite(org, rollout, site);
    if (current?.row.state !== expected || current.state !== 'running') throw new RolloutInterrupted();
    await writes.changeRollout({ kind: 'site', row, expected, during: 'running' });
  });
}

async function endWave(context: Context, rollout: StoredRollout): Promise<void> {
  const { org, id, wave, waves } = rollout;
  const counts = await context.store.rollouts.counts(org, id, Math.min(wave, waves.length));
  await putRollout(context, afterWave(rollout, counts, context.now()));
}

/** Pauses the rest until someone decides. `cause` adds to the reason. */
export async function stop(context: Context, rollout: StoredRollout, reason: StopReason, cause?: StopCause): Promise<void> {
  await putRollout(context, haltedRollout(rollout, reason, cause));
}

/** Stops if sites could not be restored, with the reason of the first; returns whether it did. */
export async function stopIfNotRestored(context: Context, rollout: StoredRollout): Promise<boolean> {
  const { org, id } = rollout;
  const { rollouts } = context.store;
  const { stuck } = await rollouts.counts(org, id, 0);
  if (stuck === 0) return false;
  const [first] = await rollouts.sites(org, id, { state: '', stuck: true, after: '', limit: 1 });
  await stop(context, rollout, 'blocked', stuckCause(stuck, first));
  return true;
}

/** A profile that was changed since is not replaced: the rollout stops. */
async function stoppedWhereChanged(context: Context, rollout: StoredRollout, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ProfileChanged)) throw error;
    await stop(context, rollout, 'profile-changed');
  }
}

async function putRollout({ store, now }: Context, { revision, ...rollout }: StoredRollout): Promise<void> {
  await store.write(async (writes) => {
    const current = await writes.rollout(rollout.org, rollout.id);
    // It was stopped in the meantime.
    if (current?.revision !== revision) throw new RolloutInterrupted();
    await writes.changeRollout({ kind: 'put', rollout: rollout satisfies RolloutRecord, expected: revision });
    if (rollout.state === 'stopped') await reportStoppedRollout(writes, rollout, { isOpen: true, now: now() });
  });
}

/** One after the other; ends if someone stopped the rollout. */
export async function each(rows: readonly RolloutSiteRecord[], work: (row: RolloutSiteRecord) => Promise<void>): Promise<void> {
  for (const row of rows) await work(row);
}

export const SITE_CONCURRENCY = LIMITS.checksAtOnce;
