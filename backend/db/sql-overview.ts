import { CODE_OF_SITE, STEM_OF_KEY } from './code-keys.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { EVERYBODY } from '../code/rules/asked-branches.ts';
import type { QUOTA_NAMES } from '@repoless/contract/operator.ts';
import type { KnownNode, Overview, WaitingWork } from '../operators/ports.ts';
import { MIGRATED } from './migrate.ts';
import { REPOSITORY_KEY } from './repository-key.ts';
import { optionalText, serial, storedJob, text } from './row.ts';
import type { Row } from './row.ts';
import type { Query } from './sql-reads.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import type { Dialect } from './tables.ts';

/** `nodes`: the programs that use the storage, as the engine knows them. */
export function sqlOverview(compile: Compile, read: Query, dialect: Dialect, nodes: () => Promise<readonly KnownNode[]>): Overview {
  const statements = overviewStatements(compile, dialect);
  const most = mostStatements(compile);
  return {
    kind: dialect === 'postgres' ? 'postgresql' : 'sqlite',
    async schema() {
      const [row = {}] = await read(statements.schema, {});
      return optionalText(row, 'newest') ?? '';
    },
    nodes,
    async openJobs() {
      return (await read(statements.openJobs, {})).map((row) => ({ state: text(row, 'state'), ...waitingOf(row) }));
    },
    async oldestJobs(limit) {
      return (await read(statements.oldestJobs, { limit })).map(storedJob);
    },
    async failedJobs(since) {
      const [row] = await read(statements.failedJobs, { since: since.toISOString() });
      return row === undefined ? 0 : serial(row, 'count');
    },
    async openRollouts() {
      const [row] = await read(statements.openRollouts, {});
      return row === undefined ? { count: 0, oldest: undefined } : waitingOf(row);
    },
    async most(quota, limit) {
      return (await read(most[quota], { limit })).map((row) => ({ org: text(row, 'org'), used: serial(row, 'used') }));
    },
  };
}

function waitingOf(row: Row): WaitingWork {
  return { count: serial(row, 'count'), oldest: optionalText(row, 'oldest') };
}

function overviewStatements(compile: Compile, dialect: Dialect) {
  const raw = (name: string, query: RawBuilder<unknown>) => compile(`overview-${name}`, (db) => ({ compile: () => query.compile(db) }));
  const bytewise = dialect === 'postgres' ? sql` collate "C"` : sql``;
  return {
    schema: raw('schema', sql`select max(name${bytewise}) as newest from ${sql.table(MIGRATED)}`),
    openJobs: raw(
      'open-jobs',
      sql`select state, count(*) as count, min(created) as oldest from code_jobs where state <> 'stopped' group by state order by state`,
    ),
    oldestJobs: raw(
      'oldest-jobs',
      sql`select * from code_jobs where state <> 'stopped' order by created, name limit ${slot<number>('limit')}`,
    ),
    failedJobs: raw(
      'failed-jobs',
      sql`select count(*) as count from code_jobs where state = 'stopped' and failed = 1 and ended >= ${slot<string>('since')}`,
    ),
    openRollouts: raw(
      'open-rollouts',
      sql`select count(*) as count, min(started) as oldest from rollouts where state in ('running', 'undoing')`,
    ),
  };
}

function mostStatements(compile: Compile) {
  const limit = slot<number>('limit');
  const most = (name: string, query: RawBuilder<unknown>) =>
    compile(`overview-most-${name}`, (db) => ({ compile: () => sql`${query} order by used desc, org limit ${limit}`.compile(db) }));
  const counted = (column: string) => most(column, sql`select org, sum(${sql.ref(column)}) as used from org_usage group by org`);
  return {
    sites: counted('sites'),
    versions: counted('versions'),
    configurationBytes: counted('bytes'),
    secrets: counted('secrets'),
    apiKeys: counted('api_keys'),
    repositories: most(
      'repositories',
      sql`select org, count(distinct ${REPOSITORY_KEY}) as used from sites where repository is not null group by org`,
    ),
    codeBytes: most(
      'code-bytes',
      sql`select own.org as org, sum(stored.bytes) as used from (select distinct org, ${CODE_OF_SITE} as code from sites where repository is not null) as own
        join (select ${STEM_OF_KEY} as code, key, ref, bytes from code_branches) as stored on stored.code = own.code
        where stored.ref = ${sql.lit(DEFAULT_REF)} or stored.key like 'byogit:%' or exists (select 1 from asked_branches as a
          where a.key = stored.key and a.ref = stored.ref and a.org in (own.org, ${sql.lit(EVERYBODY)}))
        group by own.org`,
    ),
  } satisfies Record<(typeof QUOTA_NAMES)[number], unknown>;
}
