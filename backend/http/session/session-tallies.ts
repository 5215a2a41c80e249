import { LIMITS } from '@repoless/contract/limits.ts';
import { createTally } from '../../domain/tally.ts';
import type { Tally } from '../../domain/tally.ts';

/** What callers without a token may do, and how often: each of these leaves something behind, or tries something out. */
export interface SessionTallies {
  /** Device authorizations, by address. */
  readonly beginnings: Tally;
  /** The same by the wider network of an address, because its owner has as many addresses as they like. */
  readonly beginningsOfNetwork: Tally;
  /** Codes that nobody gave out (RFC 8628, section 5.1), by address and by person. */
  readonly guesses: Tally;
}

export function sessionTallies(): SessionTallies {
  return {
    beginnings: createTally({
      most: LIMITS.beginnings,
      within: QUARTER,
      sentence: `Too many device sign-ins were started from your address: ${LIMITS.beginnings} in 15 minutes are allowed.`,
    }),
    beginningsOfNetwork: createTally({
      most: LIMITS.beginningsOfNetwork,
      within: QUARTER,
      sentence: `Too many device sign-ins were started from your network: ${LIMITS.beginningsOfNetwork} in 15 minutes are allowed.`,
    }),
    guesses: createTally({
      most: LIMITS.codeGuesses,
      within: QUARTER,
      sentence: 'Too many codes were wrong.',
    }),
  };
}

const QUARTER = 15 * 60 * 1000;
