import type { Rollout, RolloutInput } from '@repoless/contract/rollout.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { failureOf, isUncertain } from '../run/failures.ts';
import type { Failure } from '../situation/situation.ts';
import type { RolloutsPort } from './rollouts-port.ts';

/** `unknown`: no answer came, and it is not in the list (yet), or the list cannot be read. */
export type RolloutStart =
  { readonly state: 'started'; readonly id: string } | { readonly state: 'refused' | 'unknown'; readonly failure: Failure };

/**
 * Starts a rollout. Where the answer is lost it is looked for among those that were not in the list before. In:
 * `etag`, of the profile that was read. Nothing throws.
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
