import { apiKeyUser } from '../../access/api-key-user.ts';
import { ANONYMOUS } from '../../domain/caller.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Reads } from '../../domain/ports.ts';
import { requireUser } from '../../access/permit.ts';
import type { RolloutStarter } from './ports.ts';

export function starterOf(caller: Caller): RolloutStarter {
  const { email, names, key } = requireUser(caller);
  return { email, names, ...(key === undefined ? {} : { key }) };
}

/** The starter as a caller, with what it may at this moment; nobody where it was an API key that ended. */
export async function callerOf({ email, names, key }: RolloutStarter, reads: Reads, now: Date): Promise<Caller> {
  if (key === undefined) return { kind: 'user', email, names, tokenId: '', credential: 'header' };
  const stored = await reads.apiKey(key.id);
  return stored === undefined || stored.expires <= now ? ANONYMOUS : apiKeyUser(key);
}
