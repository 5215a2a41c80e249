import { sql } from 'kysely';
import { slot } from './statement.ts';
import type { Compile, Statement } from './statement.ts';

/** What an organization has, of few rows that the database counts by itself; see `storedUsage`. */
export function usageStatement(compile: Compile): Statement {
  return compile('usage', (db) =>
    db
      .selectFrom('org_usage')
      .select(COUNTED.map((name) => sql<number>`coalesce(sum(${sql.ref(name)}), 0)`.as(name)))
      .where('org', '=', slot<string>('org')),
  );
}

const COUNTED = ['sites', 'versions', 'bytes', 'secrets', 'api_keys'] as const;
