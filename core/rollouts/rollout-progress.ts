import type { Rollout, RolloutSiteState } from '@repoless/contract/rollout.ts';
import type { RolloutOrder } from './rollouts-port.ts';

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

export function isUnderWay({ state }: Pick<Rollout, 'state'>): boolean {
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
