import { expect, it } from 'vitest';
import { verifyChain } from '#backend/domain/audit/verify-chain.ts';
import { openStore } from '#backend/storage/open-store.ts';
import { entries, keysOf, newKey, sealed } from '../support/audit-trail.ts';
import { postgresEngine } from '../support/each-store.ts';
import { execute } from '../support/postgres.ts';

const postgres = postgresEngine();
it('finds no seal to be removed that is made while the one before it is being read', async () => {
  const { options } = await postgres.place();
  const { databaseUrl = '' } = options;
  const trailKeys = keysOf(newKey('one'));
  const filling = await openStore(options);
  await entries(filling, 5);
  await filling.close();
  await sealed(options, trailKeys);
  // Whoever reads a seal gets the one from a moment ago.
  await execute(databaseUrl, 'alter table audit_seals rename to kept_seals');
  await execute(databaseUrl, 'create view audit_seals as select * from kept_seals where pg_sleep(0.1)::text is not null');
  const store = await openStore({ ...options, trailKeys });
  const seals = new Set<number | undefined>();
  const broken = new Set<string | undefined>();
  const verify = async (): Promise<void> => {
    while (seals.size < 4) {
      const chain = await verifyChain(store.reads, 'acme');
      broken.add(chain.broken?.sentence);
      seals.add(chain.sealed?.entry);
      await entries(store, 1);
    }
  };
  await Promise.all(Array.from({ length: 4 }, verify));
  await store.close();
  expect([...broken]).toEqual([undefined]);
});
