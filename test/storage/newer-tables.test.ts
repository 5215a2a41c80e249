import { describe, expect, it } from 'vitest';
import { eachStore, postgresEngine } from '../support/each-store.ts';
import { executeIn } from '../support/operate.ts';
import { changeProfile, extendProfile } from './profiles.ts';

eachStore(({ emptyPlace: place }) => {
  it('does not open on tables that a newer program changed, and leaves them as they are', async () => {
    const used = await place();
    await used.open().then((store) => store.close());
    await executeIn(used.options, `insert into migrations (name, applied) values ('9999-of-the-future', '2100-01-01T00:00:00.000Z')`);
    const sentence = /A newer version has migrated the tables \("9999-of-the-future"\), .*Start the newer version, or restore the backup/;
    await expect(used.open()).rejects.toThrow(sentence);
    await expect(used.open()).rejects.toThrow(sentence);
  });
});

describe('a node that runs', () => {
  const engine = postgresEngine();

  it('reads what it read before while a newer program adds columns', async () => {
    const used = await engine.place();
    const store = await used.open();
    await changeProfile(store, { title: 'Shared' });
    await extendProfile(store, 'site');
    const read = () => Promise.all(Array.from({ length: 20 }, () => store.reads.profile('acme', 'base')));
    await read();
    for (const table of ['profiles', 'sites', 'versions', 'audit'])
      await executeIn(used.options, `alter table ${table} add column more text`);
    expect((await read()).map((profile) => profile?.version)).toEqual(Array.from({ length: 20 }, () => 1));
    await changeProfile(store, { title: 'Changed' });
    await extendProfile(store, 'other');
    expect((await store.reads.site('acme', 'site'))?.aggregate.title).toBe('Changed');
  });
});
