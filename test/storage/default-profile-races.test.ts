import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import type { Store } from '@repoless/service/domain/ports.ts';
import { profileRow } from '@repoless/service/db/write-rows.ts';
import { eachStore, postgresEngine } from '../support/each-store.ts';
import { somebodyWaits } from '../support/somebody-waits.ts';
import { changeProfile, meanwhile, profile, putPlain } from './profiles.ts';
import type { Run } from './profiles.ts';

const makeDefault = (store: Store, run?: Run) => changeProfile(store, { title: 'Default' }, run, 'default');
const title = async (store: Store, site: string) => (await store.reads.site('acme', site))?.aggregate.title;

eachStore((engine) => {
  it('decides a site again where the default profile is made meanwhile', async () => {
    const store = await engine.open();
    const { seen, run } = meanwhile(() => makeDefault(store));
    await putPlain(store, 'site', run);
    expect(seen).toEqual([0, 1]);
    expect(await title(store, 'site')).toBe('Default');
  });

  it('reaches a site that is stored while the default profile is made', async () => {
    const store = await engine.open();
    const { seen, run } = meanwhile(() => putPlain(store, 'site'));
    await makeDefault(store, run);
    expect(seen).toEqual([0, 1]);
    expect(await title(store, 'site')).toBe('Default');
  });

  it('reaches a site that is stored while the default profile is removed', async () => {
    const store = await engine.open();
    await makeDefault(store);
    const { seen, run } = meanwhile(() => store.write((writes) => writes.deleteProfile('acme', 'default')));
    await putPlain(store, 'site', run);
    expect(seen).toEqual([1, 0]);
    expect(await title(store, 'site')).toBeUndefined();
  });
});

describe('on PostgreSQL', () => {
  const engine = postgresEngine();

  it.each([1, 3])('%d sites wait for the transaction of another node that makes the default profile', async (sites) => {
    const place = await engine.place();
    const store = await place.open();
    await putPlain(store, 'present');
    const client = new pg.Client({ connectionString: place.options.databaseUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query("select repoless_default_profile('acme')");
      const seen: number[] = [];
      const names = Array.from({ length: sites }, (_, index) => `site-${index}`);
      const stored = Promise.all(names.map((name) => putPlain(store, name, (version) => void seen.push(version))));
      await vi.waitFor(() => expect(seen).toHaveLength(sites));
      await somebodyWaits(client);
      const row = profileRow(profile({ title: 'Default' }, 1, 'default'));
      const columns = Object.keys(row);
      const places = columns.map((_, index) => `$${index + 1}`);
      await client.query(`insert into profiles (${columns.join(', ')}) values (${places.join(', ')})`, Object.values(row));
      await client.query('commit');
      await stored;
      expect(seen.toSorted((one, other) => one - other)).toEqual([...names.map(() => 0), ...names.map(() => 1)]);
      expect(await Promise.all(names.map((name) => title(store, name)))).toEqual(names.map(() => 'Default'));
    } finally {
      await client.end();
    }
  });
});
