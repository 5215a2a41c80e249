import { expect, it } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { eventStore } from '@repoless/service/events/event-queries.ts';
import { postgresEngine, rowsRead, scansOf, sqliteEngine, type StorePlace } from '../support/each-store.ts';
import { execute } from '../support/postgres.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const LOOKS = 3;

const postgres = postgresEngine();
it('reads no more of PostgreSQL to see whose messages are due where many more wait', async () => {
  const few = await rowsOfLooks(await postgres.place(), 30);
  const many = await rowsOfLooks(await postgres.place(), 6000);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(2 * few);
});

const sqlite = sqliteEngine();
it('sees whose messages are due on SQLite by indexes alone', async () => {
  const { options } = await sqlite.place();
  const lease = { owner: 'one', until: NOW, now: NOW, leased: NOW, running: ['msg_1'] };
  expect(await scansOf(options.dataDir, (db) => eventStore(db).waitingOrgs(NOW, NOW, { behind: '', limit: 100 }))).toEqual([]);
  expect(await scansOf(options.dataDir, (db) => eventStore(db).claim('acme', lease))).toEqual([]);
});

/** Rows that PostgreSQL reads to find due messages, while so many of three organizations are due or wait for an hour. */
async function rowsOfLooks({ options }: StorePlace, waiting: number): Promise<number> {
  const { databaseUrl = '' } = options;
  await execute(
    databaseUrl,
    `insert into event_deliveries (id, org, subscription, state, created, next_at, attempts, owner, lease_until)
      select 'msg_' || n, 'org-' || n % 3, 'one', 'waiting', '2025', case when n % 2 = 0 then '2025' else '2027' end, 0, '', ''
      from generate_series(1, ${waiting}) as n`,
  );
  await execute(databaseUrl, 'analyze event_deliveries');
  const before = await rowsRead(databaseUrl, 'event_deliveries');
  const store = await openStore(options);
  for (let look = 0; look < LOOKS; look += 1)
    expect((await store.events.waitingOrgs(NOW, NOW, { behind: '', limit: 100 })).toSorted()).toEqual(['org-0', 'org-1', 'org-2']);
  // A connection reports its reads when it ends.
  await store.close();
  return (await rowsRead(databaseUrl, 'event_deliveries')) - before;
}
