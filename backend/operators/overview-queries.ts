import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { QUOTA_NAMES } from '@repoless/contract/operator.ts';
import { type RawBuilder, sql } from 'kysely';
import { CODE_OF_SITE, STEM_OF_KEY } from '../code/branch-queries.ts';
import { type JobRow, storedJob } from '../code/job-queries.ts';
import { ALL_ORGANIZATIONS } from '../code/rules/code-origin.ts';
import { MIGRATED } from '../db/migrate.ts';
import type { Database } from '../db/queries.ts';
import { KEY_OF_REPOSITORY } from '../sites/site-queries.ts';
import type { KnownNode, Overview } from '../domain/ports.ts';

interface WaitingRow {
  readonly count: number;
  readonly oldest: string | null;
}

/** `nodes`: the programs that use the storage, as known to the engine. */
export function overview({ read, dialect }: Database, nodes: () => Promise<readonly KnownNode[]>): Overview {
  const bytewise = dialect === 'postgres' ? sql` collate "C"` : sql``;
  return {
    kind: dialect === 'postgres' ? 'postgresql' : 'sqlite',
    async schema() {
      const [row] = await read(sql<{ newest: string | null }>`select max(name${bytewise}) as newest from ${sql.table(MIGRATED)}`);
      return row?.newest ?? '';
    },
    nodes,
    async openJobs() {
      const rows = await read(sql<WaitingRow & { state: string }>`select state, count(*) as count, min(created) as oldest from code_jobs
        where state <> 'stopped' group by state order by state`);
      return rows.map(({ state, count, oldest }) => ({ state, count, oldest: oldest ?? undefined }));
    },
    async oldestJobs(limit) {
      const rows = await read(sql<JobRow>`select * from code_jobs where state <> 'stopped' order by created, name limit ${limit}`);
      return rows.map(storedJob);
    },
    async failedJobs(since) {
      const [row] = await read(sql<{ count: number }>`select count(*) as count from code_jobs
        where state = 'stopped' and failed = 1 and ended >= ${since.toISOString()}`);
      return row?.count ?? 0;
    },
    async openRollouts() {
      const [row] = await read(sql<WaitingRow>`select count(*) as count, min(started) as oldest from rollouts
        where state in ('running', 'undoing')`);
      return { count: row?.count ?? 0, oldest: row?.oldest ?? undefined };
    },
    async highest(quota, limit) {
      return await read(sql<{ org: string; used: number }>`${USED[quota]} order by used desc, org limit ${limit}`);
    },
  };
}

const counted = (column: string) => sql`select org, sum(${sql.ref(column)}) as used from org_usage group by org`;
const USED: Readonly<Record<(typeof QUOTA_NAMES)[number], RawBuilder<unknown>>> = {
  sites: counted('sites'),
  versions: counted('versions'),
  configurationBytes: counted('bytes'),
  secrets: counted('secrets'),
  apiKeys: counted('api_keys'),
  repositories: sql`select org, count(distinct ${KEY_OF_REPOSITORY}) as used from sites where repository is not null group by org`,
  codeBytes: sql`select own.org as org, sum(stored.bytes) as used
    from (select distinct org, ${CODE_OF_SITE} as code from sites where repository is not null) as own
    join (select ${STEM_OF_KEY} as code, key, ref, bytes from code_branches) as stored on stored.code = own.code
    where stored.ref = ${sql.lit(DEFAULT_REF)} or stored.key like 'byogit:%' or exists (select 1 from requested_branches as a
      where a.key = stored.key and a.ref = stored.ref and a.org in (own.org, ${sql.lit(ALL_ORGANIZATIONS)}))
    group by own.org`,
};
