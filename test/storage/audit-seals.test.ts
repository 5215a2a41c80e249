import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { entryHash } from '#backend/domain/audit/chain.ts';
import { readTrailKeys } from '#backend/domain/audit/trail-keys.ts';
import type { TrailKeys } from '#backend/domain/audit/trail-keys.ts';
import { verifyChain } from '#backend/domain/audit/verify-chain.ts';
import type { VerifiedChain } from '#backend/domain/audit/verify-chain.ts';
import type { Store } from '#backend/domain/ports.ts';
import { linkedEntry } from '#backend/storage/audit-rows.ts';
import { openStore } from '#backend/storage/open-store.ts';
import type { StoreOptions } from '#backend/storage/open-store.ts';
import type { Row } from '#backend/storage/row.ts';
import { connectWriter } from '#backend/storage/sqlite/connect.ts';
import { openCopy } from '#backend/storage/verify/open-copy.ts';
import { eachStore } from '../support/each-store.ts';

const ALTERED = "update audit set changed_by = 'eve@example.com' where seq = 4";
const SEALED = { since: 12, entry: 12 };

eachStore((engine) => {
  describe('the seal of an audit trail', () => {
    it('is made for what was there before, and grows with the trail', async () => {
      const { options } = await engine.place();
      await withStore(options, (store) => entries(store, 12));
      const keys = keysOf(key('one'));
      await sealed(options, keys);
      expect(await verified(options, keys)).toMatchObject({ verified: { to: 12 }, sealed: SEALED });
      await withStore({ ...options, trailKeys: keys }, (store) => entries(store, 3));
      expect(await verified(options, keys)).toMatchObject({ verified: { to: 15 }, sealed: { since: 12, entry: 15 } });
    });

    it('shows that the trail was written anew, by somebody who can write everything but has no key', async () => {
      const { options } = await engine.place();
      const keys = keysOf(key('one'));
      await filled(options, keys);
      await tamper(options, ALTERED);
      await writeAnew(options);
      expect((await verified(options)).broken, 'the hash that was sealed tells even without the key').toMatchObject({ entry: 12 });
      const { broken } = await verified(options, keys);
      expect(broken).toMatchObject({ entry: 12, problem: 'altered', sentence: expect.stringContaining('written anew') });
    });

    it('does not make genuine what was written anew, when the trail goes on', async () => {
      const { options } = await engine.place();
      const keys = keysOf(key('one'));
      await filled(options, keys);
      await tamper(options, ALTERED);
      await writeAnew(options);
      const said: string[] = [];
      await withStore({ ...options, trailKeys: keys, log: (message) => said.push(message) }, (store) => entries(store, 5));
      expect((await verified(options, keys)).broken).toMatchObject({ entry: 12, problem: 'altered' });
      expect(said).toContainEqual(expect.stringContaining('"acme" does not fit its seal'));
    });

    it('shows that the end of the trail was cut off, and its head with it', async () => {
      const { options } = await engine.place();
      const keys = keysOf(key('one'));
      await filled(options, keys);
      await tamper(options, 'delete from audit where seq > 8');
      await writeAnew(options);
      expect((await verified(options, keys)).broken).toMatchObject({ entry: 9, problem: 'missing' });
    });

    it('shows that it was made by somebody else', async () => {
      const { options } = await engine.place();
      const keys = keysOf(key('one'));
      await filled(options, keys);
      await tamper(options, `${ALTERED}; delete from audit_seals`);
      await writeAnew(options);
      await sealed(options, keysOf(key('one')));
      const { broken } = await verified(options, keys);
      expect(broken).toMatchObject({ entry: 12, sentence: expect.stringContaining('was not made by the service') });
    });

    it('shows that it was removed while the service runs', async () => {
      const { options } = await engine.place();
      const keys = keysOf(key('one'));
      await filled(options, keys);
      await withStore({ ...options, trailKeys: keys }, async (store) => {
        await entries(store, 1);
        await expect.poll(async () => (await store.reads.auditSeal('acme'))?.entry, { timeout: 20_000 }).toBe(13);
        await tamper(options, 'delete from audit_seals');
        const { broken } = await verifyChain(store.reads, 'acme');
        expect(broken).toMatchObject({ entry: 13, sentence: expect.stringContaining('was removed') });
      });
    });

    it('goes on under a new key, and the old one can be removed', async () => {
      const { options } = await engine.place();
      const [old, fresh] = [key('old'), key('fresh')];
      await filled(options, keysOf(old));
      await sealed(options, keysOf(fresh, old));
      expect(await verified(options, keysOf(fresh))).toMatchObject({ sealed: SEALED });
      const { broken } = await verified(options, keysOf(old));
      expect(broken).toMatchObject({ entry: 12, sentence: expect.stringContaining('not in the secret key file') });
    });
  });
});

interface Key {
  readonly id: string;
  readonly key: string;
}

function key(id: string): Key {
  return { id, key: randomBytes(32).toString('base64') };
}

function keysOf(...keys: readonly Key[]): TrailKeys {
  return readTrailKeys(JSON.stringify({ keys }));
}

async function withStore(options: StoreOptions, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(options);
  await work(store).finally(() => store.close());
}

/** What is not sealed yet is sealed when the service ends, at the latest. */
function sealed(options: StoreOptions, trailKeys: TrailKeys): Promise<void> {
  return withStore({ ...options, trailKeys }, async () => undefined);
}

/** Twelve entries, sealed when all of them were there. */
async function filled(options: StoreOptions, trailKeys: TrailKeys): Promise<void> {
  await withStore(options, (store) => entries(store, 12));
  await sealed(options, trailKeys);
}

/** As one looks at it who changes nothing. */
async function verified(options: StoreOptions, keys?: TrailKeys): Promise<VerifiedChain> {
  const copy = await openCopy(options.databaseUrl ?? join(options.dataDir, 'repoless.sqlite'), keys);
  return verifyChain(copy.reads, 'acme').finally(() => copy.close());
}

async function entries(store: Store, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const entry = {
      org: 'acme',
      site: 'site',
      time: new Date(),
      user: 'ada@example.com',
      action: 'put-site',
      requestId: 'r',
      from: 1,
      to: 2,
    };
    await store.write((writes) => writes.addAudit(entry));
  }
}

/** Chains the entries that are there anew, as everybody can who knows how. */
async function writeAnew(options: StoreOptions): Promise<void> {
  const said: string[] = [];
  let previous = '';
  const rows = await tamper(options, "select * from audit where org = 'acme' order by seq");
  for (const row of rows) {
    const { id, org, seq, site, time, user, action, requestId, from, to } = linkedEntry(row);
    const hash = entryHash({ id, org, seq, site, time, user, action, requestId, from, to, previous });
    said.push(`update audit set previous = '${previous}', hash = '${hash}' where id = ${id}`);
    previous = hash;
  }
  await tamper(options, [...said, `update audit_heads set entries = ${rows.length}, hash = '${previous}'`].join(';'));
}

/** Somebody who can write to the database. */
async function tamper({ dataDir, databaseUrl }: StoreOptions, sql: string): Promise<readonly Row[]> {
  if (databaseUrl === undefined) {
    const db = connectWriter(join(dataDir, 'repoless.sqlite'));
    try {
      if (sql.startsWith('select')) return db.prepare<[], Row>(sql).all();
      db.exec(sql);
      return [];
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows ?? [];
  } finally {
    await client.end();
  }
}
