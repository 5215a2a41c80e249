import { setTimeout as pause } from 'node:timers/promises';
import { SyncProblem } from './sync-problem.ts';
import type { SyncContext } from './snapshot.ts';

/** What may go better a little later. */
export class TransientError extends Error {
  override readonly name = 'Passing';
  /** Milliseconds, where the other side says how long. */
  readonly after: number | undefined;
  /** What the job says where it never goes better. */
  readonly last: string;

  constructor(sentence: string, { after, last = sentence, cause }: { after?: number | undefined; last?: string; cause?: unknown } = {}) {
    super(sentence, { cause });
    this.after = after;
    this.last = last;
  }
}

/** Retries temporary failures a limited number of times, with growing, jittered pauses; reports what it waits for. */
export async function retrying<T>(
  work: () => Promise<T>,
  delay: number,
  { signal, waiting, attempts = ATTEMPTS }: SyncContext,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      if (attempt >= attempts) throw attempts === 1 ? error : new SyncProblem(error.last, { cause: error });
      const grown = delay * 2 ** (attempt - 1);
      const milliseconds = Math.min(error.after ?? grown * (0.5 + Math.random()), LONGEST_PAUSE);
      waiting(`${error.message} Trying again in ${Math.ceil(milliseconds / 1000)} s (attempt ${attempt + 1} of ${attempts}).`);
      await pause(milliseconds, undefined, { signal });
      waiting();
    }
  }
}

/** Milliseconds of a `retry-after` header; undefined where it says nothing usable. */
export function retryAfter(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return header !== undefined && header.trim() !== '' && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

export function isTransient(status: number): boolean {
  return status === 429 || status >= 500;
}

const ATTEMPTS = 5;
const LONGEST_PAUSE = 60_000;
