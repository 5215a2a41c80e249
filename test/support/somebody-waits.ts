import type pg from 'pg';
import { expect, vi } from 'vitest';

/** Waits until a transaction waits for a lock that another one holds. */
export async function waitForBlockedQuery(client: pg.Client): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await client.query('select 1 from pg_locks where not granted');
      expect(rows).toHaveLength(1);
    },
    { timeout: 10_000 },
  );
}
