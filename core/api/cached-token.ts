import { z } from 'zod';
import type { SessionToken } from '@repoless/contract/session.ts';
import { parseJson } from './exchange.ts';
import { tokenClaims } from './token-claims.ts';

/** A token of the service, with its times by the clock of this browser, in milliseconds. */
export interface CachedToken {
  readonly token: string;
  /** From here on it is renewed beside the work. */
  readonly renewFrom: number;
  /** From here on it is not used any more. */
  readonly useUntil: number;
}

const Kept = z.object({ token: z.string().min(1), renewFrom: z.number(), useUntil: z.number() });

/** Milliseconds before its end from which a long-lived token is not used any more. */
const MARGIN = 30_000;

/**
 * Computes the times of a token that just arrived. Its lifetime is read from the token itself, by one clock: a browser with a wrong clock would
 * otherwise consider every token expired and request a new one for each call.
 */
export function timeToken({ token, exp }: SessionToken, now: number): CachedToken {
  const issued = tokenClaims(token)?.iat;
  const life = Math.max(0, issued === undefined ? exp * 1000 - now : (exp - issued) * 1000);
  return { token, renewFrom: now + life * 0.8, useUntil: now + life - Math.min(MARGIN, life * 0.1) };
}

/** Reads what `printToken` printed; undefined for everything else. */
export function readToken(text: string | null | undefined): CachedToken | undefined {
  const parsed = Kept.safeParse(parseJson(text ?? ''));
  return parsed.success ? parsed.data : undefined;
}

export function printToken(held: CachedToken): string {
  return JSON.stringify(held);
}
