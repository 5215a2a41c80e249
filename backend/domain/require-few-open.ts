import { LIMITS } from '@repoless/contract/limits.ts';
import type { Context } from './context.ts';
import { Refusal } from './errors.ts';
import type { ShortLivedKind } from './short-lived.ts';

/** Refuses what would be kept for a while where as much is kept already, of everybody together. In: what it is called, in the plural. */
export async function requireFewOpen(
  { store }: { readonly store: Pick<Context['store'], 'shortLived'> },
  kind: ShortLivedKind,
  name: string,
): Promise<void> {
  if ((await store.shortLived.count(kind)) < LIMITS.openBeginnings) return;
  throw new Refusal('RATE_LIMITED', `Too many ${name} are open right now. Try again in a minute.`, { retryAfter: 60 });
}
