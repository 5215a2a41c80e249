import { z } from 'zod';
import type { User } from '../caller.ts';

/** A challenge as it is kept: only its claimant can use it. */
export const StoredChallenge = z.object({ repository: z.string(), token: z.string(), expires: z.iso.datetime() });
export type StoredChallenge = z.infer<typeof StoredChallenge>;

export function challengeKey(org: string, caller: User): string {
  return `${org}:${caller.email.toLowerCase()}`;
}
