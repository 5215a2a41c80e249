import { sealTokens } from './log.ts';
import type { Log } from './log.ts';

export interface RecentFailure {
  readonly time: string;
  readonly requestId: string;
  readonly error: string;
}

/** The same log; the latest failures are also kept for operators, cut to one line each. They are lost when the program ends. */
export function recentFailures<L extends Pick<Log, 'failure'>>(log: L, now: () => Date): { log: L; latest(): RecentFailure[] } {
  const kept: RecentFailure[] = [];
  return {
    log: {
      ...log,
      failure(requestId: string, error: unknown) {
        kept.unshift({ time: now().toISOString(), requestId: requestId.slice(0, SHOWN), error: sentenceOf(error) });
        kept.length = Math.min(kept.length, KEPT);
        log.failure(requestId, error);
      },
    },
    latest: () => [...kept],
  };
}

function sentenceOf(error: unknown): string {
  const sentence = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return sealTokens(sentence).slice(0, SHOWN);
}

const KEPT = 50;
/** Characters. */
const SHOWN = 300;
