import { LIMITS } from '@repoless/contract/limits.ts';
import { Edit, Rollout, RolloutProblem, RolloutSiteState, RolloutState, Wave } from '@repoless/contract/rollout.ts';
import { CHECK_IDS } from '@repoless/contract/site-check.ts';
import { haltedRollout, type RolloutCounts } from '@repoless/core/rollouts/rollout-rules.ts';
import { z } from 'zod';
import type { Store } from './store.ts';

const Parts = z.record(z.string(), z.object({ before: z.unknown().optional(), after: z.unknown().optional() }));

const StoredSite = z.object({
  site: z.string(),
  wave: z.number().int(),
  state: RolloutSiteState,
  /** When the site in the preview was written. */
  reviewed: z.number().int().optional(),
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  /** The parts to change, stored before they are sent, so that a restarted program can tell whether they were. */
  parts: Parts.optional(),
  problem: RolloutProblem.optional(),
  stuck: z.literal(true).optional(),
  /** It has the change only in part, or the hosted service stored something else. */
  amiss: z.literal(true).optional(),
  /** Checks that failed before the change; absent: not checked. */
  wrong: z.array(z.enum(CHECK_IDS)).optional(),
  /** Checks that fail since the change; absent: not checked. */
  worse: z.array(z.enum(CHECK_IDS)).optional(),
});
export type StoredRolloutSite = z.infer<typeof StoredSite>;

/** A stored rollout with its sites. It contains no token: only the person who starts or resumes it has one. */
const StoredRollout = z.object({
  org: z.string(),
  id: z.string(),
  title: z.string(),
  state: RolloutState,
  edits: z.array(Edit).optional(),
  profile: z
    .object({
      name: z.string(),
      config: z.record(z.string(), z.unknown()),
      /** The profile that has the new configuration for the sites of the first waves. */
      staged: z.string(),
      before: z.record(z.string(), z.unknown()),
      /** As stored; absent until then. */
      after: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  waves: z.array(Wave),
  wave: z.number().int(),
  startedBy: z.string(),
  /** The person on whose behalf it continues. */
  by: z.string(),
  started: z.string(),
  ended: z.string().optional(),
  stopped: Rollout.shape.stopped,
  /** When it was last worked on, and the program that has the lease. */
  turn: z.string(),
  worker: z.string(),
  rows: z.array(StoredSite),
});
export type StoredRollout = Omit<z.infer<typeof StoredRollout>, 'rows'> & { readonly rows: readonly StoredRolloutSite[] };

/** A rollout that this program works on, on behalf of the person who started it. */
export interface RunningRollout {
  /** Replaced, never mutated. */
  document: StoredRollout;
  /** Resolves when no more work is done. */
  ended: Promise<void>;
  /** Stores its current state. */
  save(): Promise<void>;
}
export type RunningRollouts = Map<string, RunningRollout>;

/** The newest first. */
export async function storedRollouts(store: Store, org: string): Promise<StoredRollout[]> {
  const stored = await store.list('rollout', org);
  return stored.flatMap((value) => StoredRollout.safeParse(value).data ?? []).toReversed();
}

/** Characters of the rollouts that are stored for an organization: a list reads all of them. */
const MAX_STORED = 16_000_000;

/** Deletes all finished ones except the newest. Takes the stored ones, the newest first. */
export async function removeOldRollouts(store: Store, stored: readonly StoredRollout[]): Promise<void> {
  let length = 0;
  for (const [index, rollout] of stored.entries()) {
    length += JSON.stringify(rollout).length;
    const isOld = index >= LIMITS.rolloutsKept || length > MAX_STORED;
    if (isOld && !isUnfinished(rollout)) await store.remove('rollout', rollout.org, rollout.id);
  }
}

export async function storedRollout(store: Store, org: string, id: string): Promise<StoredRollout | undefined> {
  return StoredRollout.safeParse(await store.get('rollout', org, id)).data;
}

/** `wave`: counts only this one. */
export function countsOf({ rows }: Pick<StoredRollout, 'rows'>, wave?: number): RolloutCounts {
  const ofWave = wave === undefined ? rows : rows.filter((row) => row.wave === wave);
  const states: Partial<Record<StoredRolloutSite['state'], number>> = {};
  for (const { state } of ofWave) states[state] = (states[state] ?? 0) + 1;
  return { total: ofWave.length, states, worse: ofWave.filter(isWorse).length, stuck: ofWave.filter(isStuck).length };
}

export function isWorse({ worse = [] }: StoredRolloutSite): boolean {
  return worse.length > 0;
}

/** The mark stays when a site is restored. */
export function isStuck({ state, stuck }: StoredRolloutSite): boolean {
  return stuck === true && (state === 'staged' || state === 'changed');
}

export function isUnfinished({ state }: Pick<StoredRollout, 'state'>): boolean {
  return state === 'running' || state === 'undoing';
}

/** Milliseconds after which a program that worked on a rollout counts as ended. If it is still running, it finds that it was taken over. */
const LEASE = 60_000;

/** Whether the program that worked on it ended before the rollout did. */
export function isAbandoned(rollout: StoredRollout, now: Date): boolean {
  return isUnfinished(rollout) && now.getTime() - Date.parse(rollout.turn) > LEASE;
}

/** An abandoned rollout waits for someone to sign in. */
export function abandoned(rollout: StoredRollout): StoredRollout {
  const { by } = rollout;
  return haltedRollout(rollout, 'blocked', { by, detail: `It waits for ${by} to sign in, or for somebody to resume it.` });
}
