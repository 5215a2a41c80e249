import { expect, it } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { postgresEngine, rowsRead, type StorePlace } from '../support/each-store.ts';
import { execute } from '../support/postgres.ts';

const postgres = postgresEngine();
it('reads no more of PostgreSQL for a span of the audit trail where many more entries come before and after it', async () => {
  const few = await rowsOfLooks(await postgres.place(), 60);
  const many = await rowsOfLooks(await postgres.place(), 3000);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(2 * few);
});

/** Rows of the trail that PostgreSQL reads for two queries of ten minutes, with so many entries before and after, two minutes apart. */
async function rowsOfLooks({ options }: StorePlace, around: number): Promise<number> {
  const { databaseUrl = '' } = options;
  const filling = await openStore(options);
  await filling.write(async (writes) => {
    for (let number = -around; number < around; number += 1)
      await writes.addAudit({
        org: 'acme',
        site: 'site',
        time: minute(2 * number),
        user: 'ada@example.com',
        action: 'put-site',
        requestId: 'r',
      });
  });
  await filling.close();
  await execute(databaseUrl, 'analyze audit');
  const before = await rowsRead(databaseUrl, 'audit');
  const store = await openStore(options);
  expect(await store.reads.siteAudits('acme', 'site', { since: minute(0), until: minute(9), limit: 99 })).toHaveLength(5);
  expect(await store.reads.audits('acme', { since: minute(0), before: 2 * around, limit: 5 })).toHaveLength(5);
  // A connection reports its reads when it ends.
  await store.close();
  return (await rowsRead(databaseUrl, 'audit')) - before;
}

function minute(minutes: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + minutes * 60_000);
}
