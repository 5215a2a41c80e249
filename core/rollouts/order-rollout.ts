import type { Rollout } from '@repoless/contract/rollout.ts';
import { failureOf, isUncertain } from '../run/failures.ts';
import type { Failure } from '../situation/situation.ts';
import { ordersOf } from './rollout-progress.ts';
import type { RolloutOrder, RolloutsPort } from './rollouts-port.ts';

/** `lost`: no answer came, and the state of the rollout doesn't show whether the order was accepted. */
export type Ordered = { readonly state: 'taken' } | { readonly state: 'refused' | 'lost'; readonly failure: Failure };

/**
 * Gives an order to a rollout. Where the answer is lost the rollout is read again: what can't be ordered any more was taken. In: the rollout as it was. Nothing throws.
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
  if (!ordersOf(now.value).includes(order)) return { state: 'taken' };
  // Sites that were refused may have been tried again, and refused again, by now.
  return { state: before.state === 'done' && order === 'resume' ? 'lost' : 'refused', failure };
}
