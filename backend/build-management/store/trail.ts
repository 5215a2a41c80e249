import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { RepositoryLogEntry } from '@repoless/contract/repository-log.ts';
import type { RepositoryAction } from '@repoless/contract/repository-log.ts';
import type { Attempt } from './open-store.ts';
import type { Tables, TrailRow } from './tables.ts';

/** What somebody does with a repository, stored with it in one transaction. */
export interface TrailNote {
  readonly org: string;
  readonly time: string;
  readonly user: string;
  readonly action: RepositoryAction;
  /** Where it is about one. */
  readonly branch?: string;
  readonly site?: string | undefined;
  readonly requestId: string;
}

/** What was done and the configuration service does not have yet. */
export interface Trail {
  /** Organizations with entries that have not been forwarded. */
  orgs(): Promise<string[]>;
  /** In the order in which it was done. */
  oldest(org: string, limit: number): Promise<RepositoryLogEntry[]>;
  forget(entries: readonly Pick<RepositoryLogEntry, 'id'>[]): Promise<void>;
}

export function sqlTrail(db: Kysely<Tables>, attempt: Attempt): Trail {
  return {
    orgs: () => attempt(async () => (await db.selectFrom('bm_trail').select('org').distinct().execute()).map(({ org }) => org)),
    oldest: (org, limit) =>
      attempt(async () => {
        const rows = await db.selectFrom('bm_trail').selectAll().where('org', '=', org).orderBy('seq').limit(limit).execute();
        return rows.map(readEntry);
      }),
    forget: (entries) =>
      attempt(async () => {
        const ids = entries.map(({ id }) => id);
        await db.deleteFrom('bm_trail').where('id', 'in', ids).execute();
      }),
  };
}

/** Within the transaction of what it tells of. In: the identifier of the repository. */
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
