import { describe, expect, it } from 'vitest';
import { entryHash } from '#backend/domain/audit/chain.ts';
import { verifyChain } from '#backend/domain/audit/verify-chain.ts';
import { linkedEntry } from '#backend/storage/history-reads.ts';
import type { StoreOptions } from '#backend/storage/open-store.ts';
import { entries, fillTrail, keysOf, newKey, sealed, tamper, verified, withStore } from '../support/audit-trail.ts';
import { eachStore } from '../support/each-store.ts';

const ALTERED = "update audit set changed_by = 'eve@example.com' where seq = 4";
const SEALED = { since: 12, entry: 12 };

eachStore((engine) => {
  describe('the seal of an audit trail', () => {
    it('is made for what was there before, and grows with the trail', async () => {
      const { options } = await engine.place();
      await withStore(options, (store) => entries(store, 12));
      const keys = keysOf(newKey('one'));
      await sealed(options, keys);
      expect(await verified(options, keys)).toMatchObject({ verified: { to: 12 }, sealed: SEALED });
      await withStore({ ...options, trailKeys: keys }, (store) => entries(store, 3));
      expect(await verified(options, keys)).toMatchObject({ verified: { to: 15 }, sealed: { since: 12, entry: 15 } });
    });

    it('shows that the trail was written anew, by somebody who can write everything but has no key', async () => {
      const { options } = await engine.place();
      const keys = keysOf(newKey('one'));
      await fillTrail(options, keys);
      await tamper(options, ALTERED);
      await writeAnew(options);
      expect((await verified(options)).broken, 'the hash that was sealed tells even without the key').toMatchObject({ entry: 12 });
      const { broken } = await verified(options, keys);
      expect(broken).toMatchObject({ entry: 12, problem: 'altered', sentence: expect.stringContaining('written anew') });
    });

    it('does not make genuine what was written anew, when the trail goes on', async () => {
      const { options } = await engine.place();
      const keys = keysOf(newKey('one'));
      await fillTrail(options, keys);
      await tamper(options, ALTERED);
      await writeAnew(options);
      const said: string[] = [];
      await withStore({ ...options, trailKeys: keys, log: (message) => said.push(message) }, (store) => entries(store, 5));
      expect((await verified(options, keys)).broken).toMatchObject({ entry: 12, problem: 'altered' });
      expect(said).toContainEqual(expect.stringContaining('"acme" does not match its seal'));
    });

    it('shows that the end of the trail was cut off, and its head with it', async () => {
      const { options } = await engine.place();
      const keys = keysOf(newKey('one'));
      await fillTrail(options, keys);
      await tamper(options, 'delete from audit where seq > 8');
      await writeAnew(options);
      expect((await verified(options, keys)).broken).toMatchObject({ entry: 9, problem: 'missing' });
    });

    it('shows that it was made by somebody else', async () => {
      const { options } = await engine.place();
      const keys = keysOf(newKey('one'));
      await fillTrail(options, keys);
      await tamper(options, `${ALTERED}; delete from audit_seals`);
      await writeAnew(options);
      await sealed(options, keysOf(newKey('one')));
      const { broken } = await verified(options, keys);
      expect(broken).toMatchObject({ entry: 12, sentence: expect.stringContaining('was not made by the service') });
    });

    it('shows that it was removed while the service runs', async () => {
      const { options } = await engine.place();
      const keys = keysOf(newKey('one'));
      await fillTrail(options, keys);
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
      const [old, fresh] = [newKey('old'), newKey('fresh')];
      await fillTrail(options, keysOf(old));
      await sealed(options, keysOf(fresh, old));
      expect(await verified(options, keysOf(fresh))).toMatchObject({ sealed: SEALED });
      const { broken } = await verified(options, keysOf(old));
      expect(broken).toMatchObject({ entry: 12, sentence: expect.stringContaining('not in the secret key file') });
    });
  });
});

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
