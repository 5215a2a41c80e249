import { describe, expect, it, vi } from 'vitest';
import { eachStore, postgresEngine } from '../support/each-store.ts';
import { executeIn } from '../support/execute-in.ts';
import { siteWrite } from '../support/builders.ts';
import { changeProfile, extendProfile } from './profiles.ts';
import { putSite } from './put-site.ts';

const TIME = '2100-01-01T00:00:00.000Z';
/** What a newer program leaves in the record of migrations; `needs` is the one that others must know, empty where they need not know any. */
const newer = (needs: string) => `insert into kysely_migration (name, timestamp, needs) values ('9999-of-the-future', '${TIME}', ${needs})`;

eachStore(({ emptyPlace: place }) => {
  it('goes on with tables to which a newer program only added, and so does one that rolls back to it', async () => {
    const used = await place();
    await used.open().then((store) => store.close());
    for (const change of ['alter table sites add column more text', 'create table more (id integer)', newer("''")])
      await executeIn(used.options, change);
    const store = await used.open();
    await putSite(store, siteWrite());
    expect(await store.reads.site('acme', 'site')).toBeDefined();
  });

  it('goes on where a newer program took away what this one does not use any more', async () => {
    const used = await place();
    await used.open().then((store) => store.close());
    await executeIn(used.options, newer("'0019-rollouts'"));
    await expect(used.open().then((store) => store.ping())).resolves.toBeUndefined();
  });

  it.each([
    ['took away what this one needs', newer("'9999-of-the-future'")],
    ['did not say what it did', newer('null')],
  ])('does not open on tables from which a newer program %s, and leaves them as they are', async (_what, left) => {
    const used = await place();
    await used.open().then((store) => store.close());
    await executeIn(used.options, left);
    const sentence = /A newer version has migrated the tables \("9999-of-the-future"\), .*Start the newer version, or restore the backup/;
    await expect(used.open()).rejects.toThrow(sentence);
    await expect(used.open()).rejects.toThrow(sentence);
  });
});

describe('a node that runs while a newer program changes the tables', () => {
  const engine = postgresEngine();

  it('reads what it read before, whatever columns were added', async () => {
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

  it('says that it is not usable where what it needs was taken away', async () => {
    const used = await engine.place();
    const store = await used.open();
    await store.ping();
    await executeIn(used.options, newer("'9999-of-the-future'"));
    await vi.waitFor(() => expect(store.ping()).rejects.toThrow(/this node can no longer use them/), { timeout: 5000, interval: 100 });
  });
});
