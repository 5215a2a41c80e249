import { Refusal } from '../errors.ts';

/** Seconds, from the settings. */
export interface KeyLifetime {
  readonly usual: number;
  readonly longest: number;
}

/** When a key ends. Refuses with BODY_INVALID where it is asked to live longer than the settings allow. */
export function expiryOf(created: Date, expiresIn: number | undefined, { usual, longest }: KeyLifetime): Date {
  const seconds = expiresIn ?? Math.min(usual, longest);
  if (seconds <= longest) return new Date(created.getTime() + seconds * 1000);
  const sentence = `An API key lives for at most ${longest} seconds here; write ${longest} or less.`;
  throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '/expiresIn', detail: sentence }] });
}
