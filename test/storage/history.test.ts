import type { Store } from '@repoless/service/domain/ports.ts';
import type { AuditEntry, Subject, VersionWrite } from '@repoless/service/history/ports.ts';
import { verifyChain } from '@repoless/service/history/audit/chain.ts';
import { expect, it, describe } from 'vitest';
import { siteWrite } from '../support/builders.ts';
import { eachStore } from '../support/each-store.ts';
import { millisecondsOf } from '../support/loop-delay.ts';
import { putSite } from './put-site.ts';
import { execute } from '../support/postgres.ts';
import type { StoreOptions } from '@repoless/service/db/store.ts';
import { connectWriter } from '@repoless/service/db/sqlite/connect.ts';
import { join } from 'node:path';

const SUBJECTS: readonly Subject[] = [
  { kind: 'org', org: 'acme' },
  { kind: 'profile', org: 'acme', profile: 'same' },
  { kind: 'site', org: 'acme', site: 'same' },
  { kind: 'site', org: 'other', site: 'same' },
];
/** Three moments of an hour, the latest first. */
const SLOWER = [50, 30, 10].map((second) => (hour: number) => new Date(Date.UTC(2026, 0, 1, hour, 0, second)));
const SITE: Subject = { kind: 'site', org: 'acme', site: 'site' };

eachStore((engine) => {
  it('separates the versions of an organization, a profile and a site, even if they have the same name', async () => {
    const store = await engine.open();
    for (const [index, subject] of SUBJECTS.entries()) {
      for (let version = 1; version <= index + 1; version += 1) await add(store, { subject, version, data: { of: index } });
    }
    for (const [index, subject] of SUBJECTS.entries()) {
      expect(await store.reads.latestVersion(subject)).toBe(index + 1);
      expect(await store.reads.versions(subject)).toHaveLength(index + 1);
      expect(await store.reads.version(subject, 1)).toMatchObject({ version: 1, data: { of: index } });
    }
  });

  it('names and renames a version, and removes its name', async () => {
    const store = await engine.open();
    await add(store, { subject: SITE, version: 1 });
    for (const name of ['first', 'renamed']) {
      await store.write((writes) => writes.nameVersion(SITE, 1, name));
      expect(await store.reads.version(SITE, 1)).toMatchObject({ name });
    }
    await store.write((writes) => writes.nameVersion(SITE, 1, undefined));
    expect(await store.reads.version(SITE, 1)).not.toHaveProperty('name');
  });

  it('stores which version was restored', async () => {
    const store = await engine.open();
    await add(store, { subject: SITE, version: 1 });
    await add(store, { subject: SITE, version: 2, restoredFrom: 1 });
    expect(await store.reads.versions(SITE)).toMatchObject([{ version: 2, restoredFrom: 1 }, { version: 1 }]);
    expect(await store.reads.version(SITE, 2)).toMatchObject({ restoredFrom: 1 });
    expect(await store.reads.version(SITE, 1)).not.toHaveProperty('restoredFrom');
  });

  it('removes a version, and never reuses its number', async () => {
    const store = await engine.open();
    for (let version = 1; version <= 3; version += 1) await add(store, { subject: SITE, version, name: `v${version}` });
    for (const version of [1, 3]) await store.write((writes) => writes.deleteVersion(SITE, version));
    expect(await store.reads.versions(SITE)).toMatchObject([{ version: 2, name: 'v2' }]);
    expect(await store.reads.version(SITE, 3)).toBeUndefined();
    expect(await store.reads.latestVersion(SITE)).toBe(3);
  });

  it('removes old versions without a name, of this subject only', async () => {
    const store = await engine.open();
    for (const subject of SUBJECTS) for (let version = 1; version <= 4; version += 1) await add(store, { subject, version });
    await store.write((writes) => writes.nameVersion(SUBJECTS[1] ?? SITE, 2, 'kept'));
    for (const [index, subject] of SUBJECTS.entries()) {
      if (index < 3) await add(store, { subject, version: 5, removedUpTo: 3 });
    }
    const left = await Promise.all(SUBJECTS.map(async (subject) => (await store.reads.versions(subject)).map(({ version }) => version)));
    expect(left).toEqual([
      [5, 4],
      [5, 4, 2],
      [5, 4],
      [4, 3, 2, 1],
    ]);
  });

  it('removes versions of a site when it is stored, concurrently with writes that remove none', async () => {
    const store = await engine.open();
    for (let version = 1; version <= 3; version += 1) {
      await Promise.all(['a', 'b', 'c'].map((name) => putSite(store, siteWrite(name, { title: `${version}` }, version))));
    }
    await Promise.all([
      putSite(store, siteWrite('a', {}, 4), 2),
      putSite(store, siteWrite('b', {}, 4)),
      putSite(store, siteWrite('c', {}, 4), 0),
    ]);
    const numbers = async (site: string) => (await store.reads.versions({ kind: 'site', org: 'acme', site })).map(({ version }) => version);
    expect(await Promise.all(['a', 'b', 'c'].map(numbers))).toEqual([
      [4, 3],
      [4, 3, 2, 1],
      [4, 3, 2, 1],
    ]);
  });

  it('lists and removes thousands of versions in less time than it takes to write them', async () => {
    const store = await engine.open();
    const data = { description: 'x'.repeat(1000) };
    const [writing, listing]: [number[], number[]] = [[], []];
    // Each measurement counts only if nothing else used the processor during it.
    for (const site of ['first', 'second', 'third']) {
      const subject: typeof SITE = { ...SITE, site };
      writing.push(
        await millisecondsOf(() =>
          store.write(async (writes) => {
            for (let version = 1; version <= 5000; version += 1) {
              await writes.addVersion({ subject, version, created: new Date(), data, ...(version % 1000 === 0 ? { name: 'kept' } : {}) });
            }
          }),
        ),
      );
      listing.push(
        await millisecondsOf(async () => {
          expect(await store.reads.versions(subject)).toHaveLength(5000);
          expect((await store.reads.versions(subject, { before: 3000, limit: 2 })).map(({ version }) => version)).toEqual([2999, 2998]);
          await add(store, { subject, version: 5001, removedUpTo: 4990 });
          expect((await store.reads.versions(subject)).map(({ version }) => version)).toEqual([
            ...Array.from({ length: 11 }, (_, index) => 5001 - index),
            4000,
            3000,
            2000,
            1000,
          ]);
        }),
      );
    }
    expect(Math.min(...listing) / Math.min(...writing)).toBeLessThan(1);
  });

  it('returns the audit trail of an organization or a site, newest first, page by page', async () => {
    const store = await engine.open();
    for (let hour = 0; hour < 10; hour += 1) await audit(store, hour, hour % 2 === 0 ? 'even' : 'odd');
    await audit(store, 10);
    await store.write((writes) => writes.addAudit({ ...entry(11, 'even'), org: 'other' }));

    const all = await store.reads.audits('acme', { limit: 99 });
    expect(all.map(({ time }) => time.getUTCHours())).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(all[0]).toEqual({ id: all[0]?.id, hash: all[0]?.hash, ...entry(10) });
    expect(all[1]).toEqual({ id: all[1]?.id, hash: all[1]?.hash, ...entry(9, 'odd') });

    const hours = async (filter: Parameters<Store['reads']['audits']>[1]) =>
      (await store.reads.audits('acme', filter)).map(({ time }) => time.getUTCHours());
    const before = all[3]?.id ?? 0;
    expect(await hours({ before, limit: 2 })).toEqual([6, 5]);
    expect(await hours({ site: 'even', limit: 9 })).toEqual([8, 6, 4, 2, 0]);
    expect(await hours({ site: 'even', before, limit: 2 })).toEqual([6, 4]);
    expect(await hours({ since: at(8), limit: 9 })).toEqual([10, 9, 8]);
    expect(await hours({ since: at(3), before, site: 'odd', limit: 9 })).toEqual([5, 3]);
    expect(await hours({ since: at(12), limit: 9 })).toEqual([]);
    const span = async (filter: Omit<Parameters<Store['reads']['siteAudits']>[2], 'limit'>) =>
      (await store.reads.siteAudits('acme', 'even', { ...filter, limit: 2 })).map(({ time }) => time.getUTCHours());
    expect(await span({ since: at(1), until: at(6) })).toEqual([6, 4]);
    expect(await span({ since: at(1), until: at(6), before: all[5]?.id ?? 0 })).toEqual([4, 2]);
    expect(await span({ since: at(0), until: at(1) })).toEqual([0]);
    expect(await span({ since: at(9), until: at(99) })).toEqual([]);
  });

  it('includes every entry of a span, even if a node with a slower clock wrote the next one', async () => {
    const store = await engine.open();
    // Within an hour each time is earlier than the previous one, as the clocks of nodes may be; other hours surround it.
    const times = [at(0), at(1), ...SLOWER.map((second) => second(4)), at(8), at(9), ...SLOWER.map((second) => second(12))];
    for (const time of times) await store.write((writes) => writes.addAudit({ ...entry(0, 'site'), time }));
    const indexesOf = (found: readonly { readonly time: Date }[]) =>
      found.map(({ time }) => times.findIndex((each) => each.getTime() === time.getTime()));

    expect(indexesOf(await store.reads.audits('acme', { since: at(12), limit: 99 }))).toEqual([9, 8, 7]);
    expect(indexesOf(await store.reads.audits('acme', { site: 'site', since: at(12), limit: 99 }))).toEqual([9, 8, 7]);
    const within = async (since: Date, until: Date) => indexesOf(await store.reads.siteAudits('acme', 'site', { since, until, limit: 99 }));
    expect(await within(at(4), at(5))).toEqual([4, 3, 2]);
    expect(await within(at(4), at(8))).toEqual([5, 4, 3, 2]);
    expect(await within(at(12), new Date(Date.UTC(9999, 11, 31, 23, 30)))).toEqual([9, 8, 7]);
  });
});

function add(store: Store, version: Omit<VersionWrite, 'created' | 'data'> & Partial<Pick<VersionWrite, 'data'>>): Promise<void> {
  return store.write((writes) => writes.addVersion({ data: null, ...version, created: new Date() }));
}

function audit(store: Store, hour: number, site?: string): Promise<void> {
  return store.write((writes) => writes.addAudit(entry(hour, site)));
}

function entry(hour: number, site?: string): AuditEntry {
  const base = { org: 'acme', time: at(hour), user: 'ada@example.com', action: 'put-site', requestId: `r${hour}` };
  return site === undefined ? base : { ...base, site, from: hour, to: hour + 1 };
}

function at(hour: number): Date {
  return new Date(Date.UTC(2026, 0, 1, hour));
}
describe('The chain of the audit trail', () => {
  const INTACT = { verified: { from: 1, to: 12 }, hash: expect.stringMatching(/^[0-9a-f]{64}$/), continues: false };
  /** An attacker who can also write the end of the chain leaves a trace at the previous entry. */
  const CUT_WITH_END = "delete from audit where seq > 11 and org = 'acme'; update audit_heads set entries = 11 where org = 'acme'";
  const PLACES_EXCHANGED = `update audit set seq = -11 + seq where seq in (5, 6) and org = 'acme';
  update audit set seq = -seq where seq < 0`;
  const NUMBERS_EXCHANGED = `update audit set id = -id where seq in (5, 6) and org = 'acme';
  update audit set id = (select max(id) + 20 from audit) where seq = 5 and org = 'acme'`;

  eachStore((engine) => {
    describe('the audit trail', () => {
      it('is one chain for each organization, even if several nodes write concurrently', async () => {
        const database = await engine.newDatabase();
        const nodes =
          engine.name === 'PostgreSQL' ? [await database.open(), await database.open(), await database.open()] : [await database.open()];
        const [store] = nodes;
        if (store === undefined) return expect.unreachable();
        const org = (index: number) => (index % 3 === 0 ? 'other' : 'acme');
        await Promise.all(
          Array.from({ length: 60 }, (_, index) => entry(nodes[index % nodes.length] ?? store, org(index), `action-${index}`)),
        );
        expect(await verifyChain(store.reads, 'acme')).toEqual({ ...INTACT, verified: { from: 1, to: 40 } });
        expect(await verifyChain(store.reads, 'other')).toEqual({ ...INTACT, verified: { from: 1, to: 20 } });
        expect(await verifyChain(store.reads, 'nobody')).toEqual({ verified: { from: 1, to: 0 }, hash: '', continues: false });
      });

      it('can be verified in pieces', async () => {
        const store = await filled((await engine.newDatabase()).open);
        expect(await verifyChain(store.reads, 'acme')).toEqual(INTACT);
        const first = await verifyChain(store.reads, 'acme', { limit: 5 });
        expect(first).toMatchObject({ verified: { from: 1, to: 5 }, continues: true });
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
        const database = await engine.newDatabase();
        const store = await filled(database.open);
        await tamper(database.options, sql);
        const { broken } = await verifyChain(store.reads, 'acme');
        expect(broken).toMatchObject({ entry: seq, problem, sentence: expect.stringContaining(`Entry ${seq}`) });
      });

      it.each([
        ['places', PLACES_EXCHANGED],
        ['numbers', NUMBERS_EXCHANGED],
      ])('shows that two entries swapped their %s', async (_what, sql) => {
        const database = await engine.newDatabase();
        const store = await filled(database.open);
        await tamper(database.options, sql);
        expect((await verifyChain(store.reads, 'acme')).broken).toMatchObject({ entry: 5, problem: 'altered' });
      });

      it('shows that an entry was added after its end', async () => {
        const database = await engine.newDatabase();
        const store = await filled(database.open);
        const off = engine.name === 'PostgreSQL' ? 'alter table audit disable trigger audit_chained;' : '';
        await tamper(
          database.options,
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
});
