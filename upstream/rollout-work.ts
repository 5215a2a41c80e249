import { Refusal } from '@repoless/contract/refusal.ts';
import { afterWave, haltedRollout, problemOf, type StopCause, stopCause, stuckCause } from '@repoless/core/rollouts/rollout-rules.ts';
import { randomUUID } from 'node:crypto';
import type { Call, Outcome } from './call.ts';
import {
  countsOf,
  isStuck,
  isUnfinished,
  type RunningRollout,
  type RunningRollouts,
  type StoredRollout,
  storedRollout,
  type StoredRolloutSite,
} from './rollout-document.ts';
import {
  editRow,
  Interrupted,
  isUnevaluated,
  noteChecks,
  requireUninterrupted,
  revertOne,
  siteCall,
  type Tries,
  type RolloutStep,
} from './rollout-sites.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { hideCredentials } from '@repoless/core/history/cdn-credentials.ts';
import { change } from './change.ts';
import { ownMembers, PROFILE, type Raw } from './document.ts';

/** Sites changed concurrently: leaves one request of an organization for people. */
export const SITE_CONCURRENCY = 4;
/** Milliseconds before a token expires in which nothing more is started. */
const MARGIN = 60_000;
/** Works on a rollout until it ends or stops. Takes a call of the person on whose behalf it runs; its token is held for that time. */
export function workOn(call: Call, running: RunningRollouts, document: StoredRollout): RunningRollout {
  const { options } = call;
  const { org, id } = document;
  let stored = Promise.resolve();
  let next: Promise<void> | undefined;
  const worker = randomUUID();
  let hasStored = false;
  const rollout: RunningRollout = {
    document: { ...document, worker },
    ended: Promise.resolve(),
    save() {
      // Saves requested while one is in progress are combined into the next.
      next ??= stored = stored
        .catch(() => undefined)
        .then(async () => {
          next = undefined;
          if (hasStored && (await storedRollout(call.options.store, org, id))?.worker !== worker) throw new TakenOver();
          hasStored = true;
          await options.store.put('rollout', org, id, { ...rollout.document, step: options.now().toISOString() });
        });
      return next;
    },
  };
  running.set(keyOf(document), rollout);
  rollout.ended = carriedOut(call, rollout)
    // What was not stored is found when it continues.
    .catch(() => undefined)
    .finally(() => {
      if (running.get(keyOf(document)) === rollout) running.delete(keyOf(document));
    });
  return rollout;
}

export function keyOf({ org, id }: Pick<StoredRollout, 'org' | 'id'>): string {
  return `${org}/${id}`;
}

/** Another program has taken over and stores the results. */
class TakenOver extends Error {}

async function carriedOut(call: Call, rollout: RunningRollout): Promise<void> {
  const tries = new Map<string, number>();
  try {
    // A stopped rollout is stored once, before the order is answered: a later save would overwrite a program that resumes it.
    await rollout.save();
    while (isUnfinished(rollout.document)) {
      const ends = call.credential?.expires;
      if (ends !== undefined && ends * 1000 - call.options.now().getTime() < MARGIN)
        throw new Refusal('NOT_AUTHENTICATED', 'The sign-in is about to end. Sign in again, and resume.');
      await stepOf(call, rollout, tries);
      await rollout.save();
    }
  } catch (error) {
    if (error instanceof TakenOver) return;
    if (!(error instanceof Interrupted)) halt(rollout, causeOf(error, rollout.document));
    await rollout.save();
  }
}

function causeOf(error: unknown, { by }: StoredRollout): StopCause {
  if (!(error instanceof Refusal)) return { detail: String(error) };
  return { ...stopCause(problemOf(error)), ...(error.code === 'NOT_AUTHENTICATED' && { by }) };
}

function halt(rollout: RunningRollout, cause: StopCause): void {
  if (isUnfinished(rollout.document)) rollout.document = haltedRollout(rollout.document, 'blocked', cause);
}

/** Processes the next few sites, or ends the wave. */
async function stepOf(call: Call, rollout: RunningRollout, tries: Tries): Promise<void> {
  const { document } = rollout;
  const { profile, wave, waves } = document;
  const step: RolloutStep = { call, rollout, during: document.state, tries };
  const few = (matches: (row: StoredRolloutSite) => boolean) => document.rows.filter(matches).slice(0, SITE_CONCURRENCY);
  const back = few((row) => (row.state === 'staged' || (document.state === 'undoing' && row.state === 'changed')) && !isStuck(row));
  const endsStuck = () => {
    const stuck = document.rows.filter(isStuck);
    if (stuck.length > 0) halt(rollout, stuckCause(stuck.length, stuck[0]));
    return stuck.length > 0;
  };
  if (document.state === 'undoing') {
    if (profile?.after !== undefined) return await restoreProfile(step, profile);
    if (back.length > 0) return await each(back, async (row) => revertOne(step, row, 'undone'));
    if (endsStuck()) return;
    if (profile !== undefined) await removeStaged(step, profile);
    const rows = rollout.document.rows.map((row) => (row.state === 'waiting' ? { ...row, state: 'unchanged' as const } : row));
    rollout.document = { ...rollout.document, rows, state: 'undone', ended: call.options.now().toISOString() };
    return;
  }
  if (profile !== undefined && profile.after === undefined && wave >= waves.length) {
    const unnoted = few((row) => row.state === 'waiting' && row.wrong === undefined);
    if (unnoted.length > 0) return await each(unnoted, async (row) => noteChecks(step, row, 'before'));
    return await applyProfile(step, profile);
  }
  const waiting = few((row) => row.state === 'waiting' && row.wave <= wave);
  if (waiting.length > 0) {
    if (profile !== undefined) await makeStaged(step, profile);
    return await each(waiting, async (row) => editRow(step, row));
  }
  if (profile?.after !== undefined) {
    if (back.length > 0) return await each(back, async (row) => revertOne(step, row, 'changed'));
    if (endsStuck()) return;
    await removeStaged(step, profile);
  }
  const unevaluated = few(isUnevaluated);
  if (unevaluated.length > 0) return await each(unevaluated, async (row) => noteChecks(step, row, 'after'));
  const next = afterWave(rollout.document, countsOf(document, Math.min(wave, waves.length)), call.options.now());
  const amiss = document.rows.find((row) => row.amiss === true && row.wave === wave);
  rollout.document =
    amiss?.problem === undefined
      ? next
      : haltedRollout({ ...rollout.document, wave: wave + 1 }, 'blocked', stopCause(amiss.problem, amiss.site));
}

async function each(rows: readonly StoredRolloutSite[], work: (row: StoredRolloutSite) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(rows.map(work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

type Profile = NonNullable<StoredRollout['profile']>;

/**
 * Whether it has secrets, site tokens, or CDN credentials: a rollout stores the profile before and after, and credentials are never stored.
 */
export function holdsCredentials(profile: object): boolean {
  const { secrets, tokens, cdn } = profile as { readonly secrets?: unknown; readonly tokens?: unknown; readonly cdn?: unknown };
  return [secrets, tokens].some((one) => Object.keys(Object(one)).length > 0) || !sameValue(hideCredentials(cdn), cdn);
}

async function changedProfile(step: RolloutStep, profile: string, next: (current: Raw | undefined) => Raw | null): Promise<Outcome> {
  return await change(siteCall(step.call, step.rollout.document, { profile }), PROFILE, {
    view: [],
    creates: true,
    next(current) {
      requireUninterrupted(step);
      return next(current);
    },
  });
}

async function makeStaged(step: RolloutStep, { staged, config }: Profile): Promise<void> {
  await changedProfile(step, staged, (current) => current ?? config);
}

async function removeStaged(step: RolloutStep, { staged }: Profile): Promise<void> {
  const own = siteCall(step.call, step.rollout.document, { profile: staged });
  await change(own, PROFILE, { view: [], next: () => null }).catch((error: unknown) => {
    // It was never created, was removed, or is now extended by a site.
    if (!(error instanceof Refusal) || (error.code !== 'PROFILE_NOT_FOUND' && error.code !== 'HOSTED_REFUSED')) throw error;
  });
}

class ProfileChanged extends Error {}

/** Gives the new profile to all sites. */
async function applyProfile(step: RolloutStep, profile: Profile): Promise<void> {
  await wholeProfile(step, profile, profile.before, profile.config, (document, after) => ({
    ...document,
    profile: { ...profile, after },
    rows: document.rows.map((row) => (row.state === 'waiting' || row.state === 'refused' ? { ...row, state: 'changed' as const } : row)),
  }));
}

async function restoreProfile(step: RolloutStep, profile: Profile): Promise<void> {
  const { after = {}, ...before } = profile;
  await wholeProfile(step, profile, after, profile.before, (document) => ({
    ...document,
    profile: before,
    rows: document.rows.map((row) => (row.state === 'changed' ? { ...row, state: 'undone' as const } : row)),
  }));
}

async function wholeProfile(
  step: RolloutStep,
  { name, ...profile }: Profile,
  expected: Raw,
  config: Raw,
  then: (document: StoredRollout, stored: Raw) => StoredRollout,
): Promise<void> {
  const { rollout } = step;
  try {
    const { body } = await changedProfile(step, name, (current) => {
      const own = current === undefined ? {} : ownMembers(current);
      if (!sameValue(own, expected) && !sameValue(own, config)) throw new ProfileChanged();
      return { ...current, ...Object.fromEntries(Object.keys(own).map((part) => [part, undefined])), ...config };
    });
    rollout.document = then(rollout.document, ownMembers(Object(body)));
  } catch (error) {
    if (!(error instanceof ProfileChanged)) throw error;
    const { document } = rollout;
    if (document.state !== 'undoing') {
      rollout.document = haltedRollout(document, 'profile-changed');
      return;
    }
    // The profile and its sites are left alone.
    const rows = document.rows.map((row) => (row.state === 'changed' ? { ...row, state: 'kept' as const } : row));
    const { after: _after, ...left } = profile;
    rollout.document = { ...document, profile: { name, ...left }, stopped: { reason: 'profile-changed' }, rows };
  }
}
