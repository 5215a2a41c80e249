import { Refusal } from '../../domain/errors.ts';
import type { Reads } from '../../domain/ports.ts';
import type { StoredSubscription } from './ports.ts';

/** A subscription of another organization is as if it were not there. */
export async function findSubscription(reads: Reads, org: string, id: string): Promise<StoredSubscription> {
  const found = (await reads.subscriptions(org)).find((subscription) => subscription.id === id);
  if (found !== undefined) return found;
  throw new Refusal('SUBSCRIPTION_NOT_FOUND', `The organization "${org}" has no subscription "${id}".`);
}
