import type { Rollout, RolloutInput } from '@repoless/contract/rollout.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { failureOf, isUncertain } from '../run/failures.ts';
import type { Failure } from '../situation/situation.ts';
import { ordersOf } from './rollout-progress.ts';
import type { RolloutOrder, RolloutsPort } from './rollouts-port.ts';

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
