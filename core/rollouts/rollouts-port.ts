import type { Rollout, RolloutInput, RolloutPreview, RolloutSite, RolloutSiteState } from '@repoless/contract/rollout.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { type Failure, failureOf, isUncertain, type Known } from '../situation/call.ts';

export type RolloutOrder = 'stop' | 'resume' | 'undo';

/** Sites in a state, on which checks fail that passed before, or that could not be restored. */
export type RolloutSiteFilter = RolloutSiteState | 'worse' | 'stuck';

/** Sites of a rollout in order of name. `next`: where the next page starts; absent at the end. */
export interface RolloutSitePage {
  readonly sites: readonly RolloutSite[];
  readonly next?: string;
}

/** Changes to many sites, which the service carries out. Nothing throws: failures are in the answer. */
export interface RolloutsPort {
  /** Newest first. Missing: the service has no rollouts, or there is no such organization. */
  list(org: string): Promise<Known<readonly Rollout[]>>;
  /** The effect on each site; nothing is changed. `etag`: as for `start`. */
  preview(org: string, input: RolloutInput, etag?: string): Promise<Known<RolloutPreview>>;
  /** `etag`: of the profile that was read; the start is refused if it has changed. */
  start(org: string, input: RolloutInput, etag?: string): Promise<Known<Rollout>>;
  rollout(org: string, id: string): Promise<Known<Rollout>>;
  /** Takes a filter, or undefined for all, and the name after which the page starts. */
  sites(org: string, id: string, which: RolloutSiteFilter | undefined, after: string | undefined): Promise<Known<RolloutSitePage>>;
  /** The effect of an undo on each site; nothing is changed. */
  previewUndo(org: string, id: string): Promise<Known<RolloutPreview>>;
  order(org: string, id: string, order: RolloutOrder): Promise<Known<Rollout>>;
}

/** The progress of a rollout: sites done, and sites to process, forwards or in an undo. */
export interface RolloutProgress {
  readonly done: number;
  readonly of: number;
}

export function progressOf({ state, stopped, sites, total }: Rollout): RolloutProgress {
  const count = (one: RolloutSiteState): number => sites[one] ?? 0;
  const isBack = state === 'undoing' || state === 'undone' || (state === 'stopped' && stopped?.undoing === true);
  if (!isBack) return { done: total - count('waiting'), of: total };
  const done = count('undone') + count('kept');
  return { done, of: done + count('changed') + count('staged') };
}

/** The current wave and the number of waves; the last one when all are done. */
export function waveOf({ wave, waves }: Rollout): { readonly wave: number; readonly of: number } {
  return { wave: Math.min(wave, waves.length), of: waves.length };
}

/** Number of sites that have the change and would be restored by an undo. */
export function undoable({ sites }: Rollout): number {
  return (sites.changed ?? 0) + (sites.staged ?? 0);
}

export function isInProgress({ state }: Pick<Rollout, 'state'>): boolean {
  return state === 'running' || state === 'undoing';
}

export function ordersOf(rollout: Rollout): readonly RolloutOrder[] {
  const undo: RolloutOrder[] = undoable(rollout) > 0 || rollout.profile !== undefined ? ['undo'] : [];
  switch (rollout.state) {
    case 'running':
      return ['stop'];
    case 'stopped':
      // If someone else changed the profile since, the service doesn't continue; a stopped undo continues as an undo.
      return rollout.stopped?.reason === 'profile-changed' || rollout.stopped?.undoing === true ? undo : ['resume', ...undo];
    case 'done':
      return undo;
    case 'undoing':
    case 'undone':
      return [];
    default:
      return rollout.state satisfies never;
  }
}

/** `lost`: no answer came, and the state of the rollout doesn't show whether the order was accepted. */
export type Ordered = { readonly state: 'taken' } | { readonly state: 'refused' | 'lost'; readonly failure: Failure };

/**
 * Sends an order to a rollout. After a lost answer the rollout is read again: an order that is no longer available was accepted. Takes the rollout as
 * it was before. Nothing throws.
 */
export async function orderRollout(
  port: Pick<RolloutsPort, 'order' | 'rollout'>,
  org: string,
  before: Rollout,
  order: RolloutOrder,
): Promise<Ordered> {
  const failure = failureOf(await port.order(org, before.id, order));
  if (failure === undefined) return { state: 'taken' };
  if (!isUncertain(failure)) return { state: 'refused', failure };
  const now = await port.rollout(org, before.id);
  if (now.state !== 'known') return { state: 'lost', failure };
  return ordersOf(now.value).includes(order) ? { state: 'refused', failure } : { state: 'taken' };
}

/** `unknown`: no answer came, and it is not in the list (yet), or the list cannot be read. */
type RolloutStart =
  { readonly state: 'started'; readonly id: string } | { readonly state: 'refused' | 'unknown'; readonly failure: Failure };

/**
 * Starts a rollout. After a lost answer, searches for it among the rollouts that were not in the list before.
 * `etag` is that of the profile that was read. Nothing throws.
 */
export async function startRollout(port: RolloutsPort, org: string, input: RolloutInput, etag: string | undefined): Promise<RolloutStart> {
  const before = await port.list(org);
  const answer = await port.start(org, input, etag);
  if (answer.state === 'known') return { state: 'started', id: answer.value.id };
  const failure = failureOf(answer);
  if (!isUncertain(failure)) return { state: 'refused', failure };
  const after = before.state === 'known' ? await port.list(org) : before;
  if (before.state !== 'known' || after.state !== 'known') return { state: 'unknown', failure };
  const known = new Set(before.value.map(({ id }) => id));
  const found = after.value.find((rollout) => !known.has(rollout.id) && isOf(rollout, input));
  return found === undefined ? { state: 'unknown', failure } : { state: 'started', id: found.id };
}

function isOf({ title, edits, profile }: Rollout, input: RolloutInput): boolean {
  return title === input.title && profile === input.profile && sameValue(edits, input.edits);
}
