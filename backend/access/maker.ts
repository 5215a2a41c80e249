import { ANONYMOUS } from '../domain/caller.ts';
import type { User } from '../domain/caller.ts';
import type { Reads } from '../domain/ports.ts';
import { requireUser } from './permit.ts';
import { apiKeyName } from './api-key-user.ts';

/**
 * Whose a key or a subscription is that a caller makes: the caller's own or, where that is an API key, its maker's. Refuses with
 * NOT_AUTHENTICATED where the key was revoked meanwhile. Out: e-mail address or identifier of a technical account.
 */
export async function makerOf(reads: Pick<Reads, 'apiKey'>, { email, key }: User): Promise<string> {
  if (key === undefined) return email;
  const stored = await reads.apiKey(key.id);
  if (stored === undefined) return requireUser(ANONYMOUS).email;
  return await personBehind(reads, stored.createdBy);
}

/**
 * The person behind what is stored as a maker: versions before stored the key that it was made with. Out: `api-key:<id>` of the last key on the way
 * whose row is gone, where the way ends there.
 */
export async function personBehind(reads: Pick<Reads, 'apiKey'>, createdBy: string): Promise<string> {
  let maker = createdBy;
  // A key is older than what it made, so that the way ends.
  while (maker.startsWith(KEY_NAME)) {
    const key = await reads.apiKey(maker.slice(KEY_NAME.length));
    if (key === undefined) return maker;
    maker = key.createdBy;
  }
  return maker;
}

const KEY_NAME = apiKeyName('');
