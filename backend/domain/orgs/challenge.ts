import { z } from 'zod';
import type { User } from '../caller.ts';
import type { Context } from '../context.ts';

/** A challenge as it is kept: only its claimant can use it. */
export const StoredChallenge = z.object({ repository: z.string(), token: z.string(), expires: z.iso.datetime() });
export type StoredChallenge = z.infer<typeof StoredChallenge>;

/** One for each organization, caller and repository, so that asking for one never ends another. */
export function challengeKey(org: string, caller: User, repository: string): string {
  return `${ownKeys(org, caller)}${repository}`;
}

/** All that the caller asked for and that is valid still. */
export async function validChallenges({ store, now }: Context, org: string, caller: User): Promise<StoredChallenge[]> {
  const stored = await store.shortLived.list('challenge', ownKeys(org, caller));
  return stored
    .flatMap((value) => StoredChallenge.safeParse(value).data ?? [])
    .filter(({ expires }) => new Date(expires) > now())
    .toSorted((a, b) => (a.repository < b.repository ? -1 : 1));
}

/** How many challenges of a person are kept, for whatever organizations. */
export async function countChallenges({ store }: Context, caller: User): Promise<number> {
  return (await store.shortLived.list('challenge', personKeys(caller))).length;
}

function personKeys(caller: User): string {
  return `${encodeURIComponent(caller.email.toLowerCase())}:`;
}

function ownKeys(org: string, caller: User): string {
  return `${personKeys(caller)}${org}:`;
}
