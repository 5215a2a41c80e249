import { setTimeout as wait } from 'node:timers/promises';
import { ENTRIES_PER_CALL } from '@repoless/contract/repository-log.ts';
import type { RepositoryLogEntry } from '@repoless/contract/repository-log.ts';
import type { Background } from '../context.ts';
import type { Trail } from '../store/trail.ts';

/** Milliseconds before each further attempt; the last one again and again. */
const DELAYS = [1000, 5000, 30_000, 120_000, 300_000];

export interface TrailForwarder {
  /** Something was noted, or may have been by a program before this one. */
  begin(): void;
}

interface Telling {
  readonly trail: Trail;
  readonly service: { noted(org: string, entries: readonly RepositoryLogEntry[]): Promise<void> };
  readonly background: Background;
}

/**
 * Forwards the recorded entries to the configuration service, in the order of each organization, until it has them. Refused entries stay and are
 * retried; those of one organization do not hold up another.
 */
export function forwardTrail({ trail, service, background }: Telling): TrailForwarder {
  let isTelling = false;
  let isMore = false;

  /** Out: what stood in the way, where something is left. */
  async function round(): Promise<unknown> {
    let problem: unknown;
    for (const org of await trail.orgs()) {
      try {
        for (;;) {
          const entries = await trail.oldest(org, ENTRIES_PER_CALL);
          if (entries.length === 0) break;
          await service.noted(org, entries);
          await trail.forget(entries);
        }
      } catch (error) {
        problem ??= error;
      }
      if (background.signal.aborted) break;
    }
    return problem;
  }

  async function tell(): Promise<void> {
    let attempt = 0;
    while (isMore && !background.signal.aborted) {
      isMore = false;
      const problem = await round().catch((error: unknown) => error);
      if (problem === undefined) {
        attempt = 0;
        continue;
      }
      isMore = true;
      if (!background.signal.aborted) background.begin('An audit trail is told later', () => Promise.reject(problem));
      await wait(DELAYS[Math.min(attempt, DELAYS.length - 1)], undefined, { signal: background.signal }).catch(() => undefined);
      attempt += 1;
    }
    isTelling = false;
  }

  return {
    begin() {
      isMore = true;
      if (isTelling) return;
      isTelling = true;
      background.begin('The audit trail', tell);
    },
  };
}
