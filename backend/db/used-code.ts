import { sql } from 'kysely';
import { originOf } from '../code/rules/code-origin.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { document, text } from './row.ts';
import type { Query } from './sql-reads.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import type { Dialect } from './tables.ts';

/** Which external code sites have, by the keys of their origins. These end with a hash of the addresses, which no query computes. */
export interface UsedCode {
  /** In: an organization; without one, of all. Looks into as many sites as are on external repositories. */
  keys(org?: string): Promise<ReadonlySet<string>>;
}

export function usedCode(compile: Compile, count: Query, dialect: Dialect): UsedCode {
  const statement = codesStatement(compile, dialect);
  return {
    async keys(org = '') {
      const rows = await count(statement, { org });
      // Safe: a site was parsed before it was stored.
      const origins = rows.map((row) => originOf(text(row, 'org'), document<CodeSource>(text(row, 'code'))));
      return new Set(origins.flatMap((origin) => origin?.key ?? []));
    },
  };
}

/** The different code sources of external repositories; an empty `org` means all. */
function codesStatement(compile: Compile, dialect: Dialect) {
  const org = slot<string>('org');
  const whole = sql`coalesce(aggregate, config)`;
  const code = dialect === 'postgres' ? sql`(${whole}::json -> 'code')::text` : sql`json_extract(${whole}, '$.code')`;
  const query = sql`select distinct org, ${code} as code from sites
    where repository like 'byogit:%' and (${org} = '' or org = ${org}) order by org, code`;
  return compile('external-codes', (db) => ({ compile: () => query.compile(db) }));
}
