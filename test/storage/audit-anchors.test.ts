import { describe, expect, it } from 'vitest';
import type { TrailKeys } from '#backend/domain/audit/trail-keys.ts';
import { verifyChain } from '#backend/domain/audit/verify-chain.ts';
import type { Store } from '#backend/domain/ports.ts';
import { entries, fillTrail, keysOf, newKey, sealed, tamper, verified, withStore } from '../support/audit-trail.ts';
import { eachStore } from '../support/each-store.ts';
import type { Engine } from '../support/each-store.ts';

const REMOVED = { entry: 5, hash: expect.stringMatching(/^[0-9a-f]{64}$/), time: '2026-11-01T00:00:00.000Z' };
/** As somebody would who makes the trail begin later and knows how: the place, the hash and the end of what they take away. */
const CUT_FURTHER = `update audit_anchors set entry = 8, hash = (select hash from audit where seq = 8)`;
const CUT_ANEW = `insert into audit_anchors (org, entry, hash, removed, key, seal)
  select org, 8, (select hash from audit where seq = 8), '2026-11-01T00:00:00.000Z', key, seal from audit_seals`;

eachStore((engine) => {
  describe('an audit trail whose beginning was removed', () => {
    it('is verified from its anchor on, and goes on', async () => {
      const { options, keys } = await shortened(engine);
      expect(await verified(options, keys)).toMatchObject({ verified: { from: 6, to: 12 }, removed: REMOVED, sealed: { entry: 12 } });
      await withStore({ ...options, trailKeys: keys }, (store) => entries(store, 3));
      const whole = await verified(options, keys);
      expect(whole).toMatchObject({ verified: { from: 6, to: 15 }, removed: REMOVED, sealed: { since: 12, entry: 15 } });
      expect(whole.broken).toBeUndefined();
      expect((await verified(options)).broken, 'without a key the hash alone tells').toBeUndefined();
    });

    it('is verified piece by piece, also from where nothing is any more', async () => {
      const { options, keys } = await shortened(engine);
      await withStore({ ...options, trailKeys: keys }, async ({ reads }) => {
        const first = await verifyChain(reads, 'acme', { after: 2, limit: 3 });
        expect(first).toMatchObject({ verified: { from: 6, to: 8 }, goesOn: true });
        expect(await verifyChain(reads, 'acme', { after: 8 })).toMatchObject({ verified: { from: 9, to: 12 }, goesOn: false });
      });
    });

    it('is removed no further by an anchor that lies before its own', async () => {
      const { options, keys } = await shortened(engine);
      await withStore({ ...options, trailKeys: keys }, async (store) => {
        await removeUpTo(store, keys, 3, 'f'.repeat(64));
        expect(await verifyChain(store.reads, 'acme')).toMatchObject({ verified: { from: 6, to: 12 }, removed: REMOVED });
      });
    });

    it('is verified while more of it is removed', async () => {
      const { options, keys } = await shortened(engine);
      await withStore({ ...options, trailKeys: keys }, async (store) => {
        const { reads } = store;
        let pages = 0;
        const shortening = {
          ...reads,
          auditChain: async (org: string, { after }: { readonly after: number }) => {
            pages += 1;
            if (pages === 2) await removeUpTo(store, keys, 9, (await reads.auditChain(org, { after: 8, limit: 1 }))[0]?.hash ?? '');
            return await reads.auditChain(org, { after, limit: 1 });
          },
        };
        const chain = await verifyChain(shortening, 'acme');
        expect(chain).toMatchObject({ verified: { from: 10, to: 12 }, removed: { entry: 9 } });
        expect(chain.broken).toBeUndefined();
      });
    });

    it.each([
      ['its beginning was cut off further', 'delete from audit where seq <= 7', { entry: 6, problem: 'missing' }, 'Entry 6 is missing'],
      ['its anchor was moved', CUT_FURTHER, { entry: 1, problem: 'missing' }, 'Entries 1 to 8 are missing, and the note'],
      ['its anchor was taken away', 'delete from audit_anchors', { entry: 1, problem: 'missing' }, 'Entry 1 is missing'],
      [
        'when it was removed',
        `update audit_anchors set removed = '2026-10-01T00:00:00.000Z'`,
        { entry: 1, problem: 'missing' },
        'the note',
      ],
      ['it goes on from another hash', `update audit_anchors set hash = '${'0'.repeat(64)}'`, { entry: 1, problem: 'missing' }, 'the note'],
      ['its seal was taken away', 'delete from audit_seals', { entry: 6, problem: 'altered' }, 'The seal of the entries from 6 on'],
    ])('shows that somebody changed the database: %s', async (_what, sql, place, sentence) => {
      const { options, keys } = await shortened(engine);
      await tamper(options, sql);
      expect((await verified(options, keys)).broken).toMatchObject({ ...place, sentence: expect.stringContaining(sentence) });
    });

    it('cannot be made by somebody who can write everything but has no key', async () => {
      const { options, keys } = await filled(engine);
      await tamper(options, CUT_ANEW);
      expect((await verified(options, keys)).broken).toMatchObject({
        entry: 1,
        sentence: expect.stringContaining('not made by the service'),
      });
      const said: string[] = [];
      await withStore({ ...options, trailKeys: keys, log: (message) => said.push(message) }, (store) => entries(store, 1));
      expect(said).toContainEqual(expect.stringContaining('"acme" is no longer being sealed'));
    });

    it('keeps its anchor under a new key, and the old one can be removed', async () => {
      const [old, fresh] = [newKey('old'), newKey('fresh')];
      const { options } = await shortened(engine, keysOf(old));
      await sealed(options, keysOf(fresh, old));
      const chain = await verified(options, keysOf(fresh));
      expect(chain).toMatchObject({ verified: { from: 6, to: 12 }, removed: REMOVED });
      expect(chain.broken).toBeUndefined();
      const { broken } = await verified(options, keysOf(old));
      expect(broken).toMatchObject({ entry: 1, sentence: expect.stringContaining('not in the secret key file') });
    });
  });
});

/** Twelve entries, sealed. */
async function filled(engine: Engine, keys = keysOf(newKey('one'))) {
  const { options } = await engine.place();
  await fillTrail(options, keys);
  return { options, keys };
}

/** The same without the first five. */
async function shortened(engine: Engine, given = keysOf(newKey('one'))) {
  const { options, keys } = await filled(engine, given);
  await withStore({ ...options, trailKeys: keys }, async (store) => {
    const [last] = await store.reads.auditChain('acme', { after: 4, limit: 1 });
    await removeUpTo(store, keys, 5, last?.hash ?? '');
    expect((await store.reads.auditChain('acme', { after: 0, limit: 100 })).map(({ seq }) => seq)).toEqual([6, 7, 8, 9, 10, 11, 12]);
  });
  return { options, keys };
}

async function removeUpTo(store: Store, keys: TrailKeys, entry: number, hash: string): Promise<void> {
  const anchor = { org: 'acme', entry, hash, removed: REMOVED.time };
  await store.trails.removeUpTo(anchor, keys.sealAnchor(anchor));
}
