import { ENTRIES_PER_CALL, type RepositoryAction, RepositoryLogEntry } from '@repoless/contract/audit.ts';
import type { Kysely, Selectable } from 'kysely';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Background } from '../background-work.ts';
import type { Tables, TrailRow } from './tables.ts';

/** An action on a repository, stored with it in one transaction. */
export interface TrailNote {
  readonly org: string;
  readonly time: string;
  readonly user: string;
  readonly action: RepositoryAction;
  readonly branch?: string;
  readonly site?: string | undefined;
  readonly requestId: string;
}

export interface Trail {
  orgs(): Promise<string[]>;
  /** In the order of the actions. */
  oldest(org: string, limit: number): Promise<RepositoryLogEntry[]>;
  remove(entries: readonly Pick<RepositoryLogEntry, 'id'>[]): Promise<void>;
}

export function sqlTrail(db: Kysely<Tables>): Trail {
  return {
    async orgs() {
      return (await db.selectFrom('bm_trail').select('org').distinct().execute()).map(({ org }) => org);
    },
    async oldest(org, limit) {
      const rows = await db.selectFrom('bm_trail').selectAll().where('org', '=', org).orderBy('seq').limit(limit).execute();
      return rows.map(readEntry);
    },
    async remove(entries) {
      const ids = entries.map(({ id }) => id);
      await db.deleteFrom('bm_trail').where('id', 'in', ids).execute();
    },
  };
}

/** Runs in the transaction of the action. Takes the identifier of the repository. */
export async function addNote(db: Kysely<Tables>, repository: string, note: TrailNote): Promise<void> {
  const { org, time, user, action, branch, site, requestId } = note;
  const subject = branch === undefined ? repository : `${repository}/${branch}`;
  await db
    .insertInto('bm_trail')
    .values({ id: randomUUID(), org, time, actor: user, action, subject, site: site ?? null, request_id: requestId })
    .execute();
}

function readEntry({ id, time, actor, action, subject, site, request_id: requestId }: Selectable<TrailRow>): RepositoryLogEntry {
  return RepositoryLogEntry.parse({ id, time, user: actor, action, subject, requestId, ...(site !== null && { site }) });
}

/** Milliseconds before each further attempt; the last one repeats. */
const DELAYS = [1000, 5000, 30_000, 120_000, 300_000];

export type TrailForwarder = ReturnType<typeof forwardTrail>;

/** Forwards stored entries, those of each organization in their order, and retries refused ones. No organization delays another. */
export function forwardTrail(
  trail: Trail,
  service: { addLogEntries(org: string, entries: readonly RepositoryLogEntry[]): Promise<void> },
  background: Background,
) {
  let isForwarding = false;
  let hasMore = false;

  /** Returns the first error, if entries of an organization are left. */
  async function forwardAll(): Promise<unknown> {
    let problem: unknown;
    for (const org of await trail.orgs()) {
      try {
        for (;;) {
          const entries = await trail.oldest(org, ENTRIES_PER_CALL);
          if (entries.length === 0) break;
          await service.addLogEntries(org, entries);
          await trail.remove(entries);
        }
      } catch (error) {
        problem ??= error;
      }
      if (background.signal.aborted) break;
    }
    return problem;
  }

  async function forward(): Promise<void> {
    let attempt = 0;
    while (hasMore && !background.signal.aborted) {
      hasMore = false;
      const problem = await forwardAll().catch((error: unknown) => error);
      if (problem === undefined) {
        attempt = 0;
        continue;
      }
      hasMore = true;
      if (!background.signal.aborted) background.start('An audit trail is forwarded later', () => Promise.reject(problem));
      await wait(DELAYS[Math.min(attempt, DELAYS.length - 1)], undefined, { signal: background.signal }).catch(() => undefined);
      attempt += 1;
    }
    isForwarding = false;
  }

  return {
    /** Called when there may be entries, including those from before a restart. */
    start(): void {
      hasMore = true;
      if (isForwarding) return;
      isForwarding = true;
      background.start('The audit trail', forward);
    },
  };
}
