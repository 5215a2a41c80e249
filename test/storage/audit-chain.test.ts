import { execute } from '../support/postgres.ts';
import { connectWriter } from '@repoless/service/db/sqlite/connect.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { verifyChain } from '@repoless/service/history/audit/chain.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachStore } from '../support/each-store.ts';
import type { StoreOptions } from '@repoless/service/db/store.ts';

const INTACT = { verified: { from: 1, to: 12 }, hash: expect.stringMatching(/^[0-9a-f]{64}$/), goesOn: false };
/** An attacker who can also write the end of the chain leaves a trace at the previous entry. */
const CUT_WITH_END = "delete from audit where seq > 11 and org = 'acme'; update audit_heads set entries = 11 where org = 'acme'";
const PLACES_EXCHANGED = `update audit set seq = -11 + seq where seq in (5, 6) and org = 'acme';
  update audit set seq = -seq where seq < 0`;
const NUMBERS_EXCHANGED = `update audit set id = -id where seq in (5, 6) and org = 'acme';
  update audit set id = (select max(id) + 20 from audit) where seq = 5 and org = 'acme'`;

eachStore((engine) => {
  describe('the audit trail', () => {
    it('is one chain for each organization, whoever writes at the same time', async () => {
      const place = await engine.place();
      const nodes = engine.name === 'PostgreSQL' ? [await place.open(), await place.open(), await place.open()] : [await place.open()];
      const [store] = nodes;
      if (store === undefined) return expect.unreachable();
      const org = (index: number) => (index % 3 === 0 ? 'other' : 'acme');
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => entry(nodes[index % nodes.length] ?? store, org(index), `action-${index}`)),
      );
      expect(await verifyChain(store.reads, 'acme')).toEqual({ ...INTACT, verified: { from: 1, to: 40 } });
      expect(await verifyChain(store.reads, 'other')).toEqual({ ...INTACT, verified: { from: 1, to: 20 } });
      expect(await verifyChain(store.reads, 'nobody')).toEqual({ verified: { from: 1, to: 0 }, hash: '', goesOn: false });
    });

    it('can be verified piece by piece', async () => {
      const store = await filled((await engine.place()).open);
      expect(await verifyChain(store.reads, 'acme')).toEqual(INTACT);
      const first = await verifyChain(store.reads, 'acme', { limit: 5 });
      expect(first).toMatchObject({ verified: { from: 1, to: 5 }, goesOn: true });
      expect(await verifyChain(store.reads, 'acme', { after: 5 })).toEqual({ ...INTACT, verified: { from: 6, to: 12 } });
    });

    it.each([
      ['altered', "update audit set changed_by = 'eve@example.com' where seq = 4 and org = 'acme'", 4, 'altered'],
      ['given another time', "update audit set time = '2020-01-01T00:00:00.000Z' where seq = 1 and org = 'acme'", 1, 'altered'],
      ['altered as the last one', "update audit set action = 'nothing' where seq = 12 and org = 'acme'", 12, 'altered'],
      ['removed', "delete from audit where seq = 7 and org = 'acme'", 7, 'missing'],
      ['removed as the first one', "delete from audit where seq = 1 and org = 'acme'", 1, 'missing'],
      ['cut off at the end', "delete from audit where seq > 10 and org = 'acme'", 11, 'missing'],
      ['given to another organization', "update audit set org = 'elsewhere' where seq = 3 and org = 'acme'", 3, 'missing'],
      ['taken out of the chain', "update audit set seq = null where seq = 12 and org = 'acme'", 12, 'missing'],
      ['cut off with a new end', CUT_WITH_END, 11, 'altered'],
    ])('shows that an entry was %s, and names it', async (_how, sql, seq, problem) => {
      const place = await engine.place();
      const store = await filled(place.open);
      await tamper(place.options, sql);
      const { broken } = await verifyChain(store.reads, 'acme');
      expect(broken).toMatchObject({ entry: seq, problem, sentence: expect.stringContaining(`Entry ${seq}`) });
    });

    it.each([
      ['places', PLACES_EXCHANGED],
      ['numbers', NUMBERS_EXCHANGED],
    ])('shows that two entries exchanged their %s', async (_what, sql) => {
      const place = await engine.place();
      const store = await filled(place.open);
      await tamper(place.options, sql);
      expect((await verifyChain(store.reads, 'acme')).broken).toMatchObject({ entry: 5, problem: 'altered' });
    });

    it('shows that somebody put an entry behind its end', async () => {
      const place = await engine.place();
      const store = await filled(place.open);
      const off = engine.name === 'PostgreSQL' ? 'alter table audit disable trigger audit_chained;' : '';
      await tamper(
        place.options,
        `${off} insert into audit (id, org, time, changed_by, action, request_id, seq, previous, hash)
          values ((select max(id) + 1 from audit), 'acme', '2026-01-01T00:00:00.000Z', 'eve@example.com', 'put-org', 'r', 13, '', '')`,
      );
      expect((await verifyChain(store.reads, 'acme')).broken).toMatchObject({ entry: 13, problem: 'added' });
    });
  });
});

async function filled(open: () => Promise<Store>): Promise<Store> {
  const store = await open();
  for (let index = 0; index < 12; index += 1) await entry(store, 'acme', `action-${index}-ü-"':,`);
  return store;
}

function entry(store: Store, org: string, action: string): Promise<void> {
  return store.write((writes) =>
    writes.addAudit({ org, site: 'site', time: new Date(), user: 'ada@example.com', action, requestId: 'r', from: 1, to: 2 }),
  );
}

/** An attacker who can write to the database. */
async function tamper({ dataDir, databaseUrl }: StoreOptions, sql: string): Promise<void> {
  if (databaseUrl === undefined) {
    const db = connectWriter(join(dataDir, 'repoless.sqlite'));
    db.exec(sql);
    db.close();
    return;
  }
  // PostgreSQL generates this number.
  await execute(databaseUrl, `alter table audit alter column id drop identity; ${sql}`);
}
