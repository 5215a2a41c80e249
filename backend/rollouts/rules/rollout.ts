import { apiKeyUser } from '../../access/api-key-cache.ts';
import { ANONYMOUS, type Caller, requireUser } from '../../domain/context.ts';
import type { Reads, Writes } from '../../domain/ports.ts';
import type { RolloutRecord, RolloutStarter } from './ports.ts';

export function starterOf(caller: Caller): RolloutStarter {
  const { email, names, key } = requireUser(caller);
  return { email, names, ...(key === undefined ? {} : { key }) };
}

/** The starter as a caller, with the present roles; anonymous if it was an API key that has expired. */
export async function callerOf({ email, names, key }: RolloutStarter, reads: Reads, now: Date): Promise<Caller> {
  if (key === undefined) return { kind: 'user', email, names, tokenId: '', credential: 'header' };
  const stored = await reads.apiKey(key.id);
  return stored === undefined || stored.expires <= now ? ANONYMOUS : apiKeyUser(key);
}

/** A rollout that stopped by itself is an open problem until somebody decides whether it continues (docs/contract.md 9.1). */
export async function reportStoppedRollout(
  writes: Writes,
  { org, id, title }: RolloutRecord,
  { isOpen, now }: { isOpen: boolean; now: Date },
): Promise<void> {
  await writes.setCause({ kind: 'rollout-stopped', cause: `rollout:${id}`, org, about: title, isOpen, time: now.toISOString() });
}
