import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Row } from '@repoless/service/db/row.ts';
import { countingThread } from '@repoless/service/db/sqlite/counting-thread.ts';
import type { CountingThread } from '@repoless/service/db/sqlite/counting-thread.ts';
import { connectWriter } from '@repoless/service/db/sqlite/connect.ts';
import type { Statement } from '@repoless/service/db/statement.ts';
import { org, siteWrite } from '../support/builders.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { eachStore } from '../support/each-store.ts';
import { turnsDuring } from '../support/turns-during.ts';
import { putSite } from './put-site.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function open(): Promise<CountingThread> {
  const folder = await temporaryDirectory();
  closing.push(() => folder.remove());
  const file = join(folder.path, 'some.sqlite');
  const writer = connectWriter(file);
  writer.exec('create table numbers (number integer)');
  closing.push(async () => writer.close());
  const thread = countingThread(file);
  closing.push(() => thread.close());
  return thread;
}

const statement = (name: string, sql: string): Statement => ({ name, sql, bind: ({ most = 0 }) => (sql.includes('?') ? [most] : []) });
const COUNT = statement(
  'count',
  'with recursive n (i) as (select 1 union all select i + 1 from n where i < ?) select count(*) as count from n',
);
const count = (thread: CountingThread, most: number): Promise<readonly Row[]> => thread.query(COUNT, { most });

it('answers each what it asked, and others have their turn meanwhile', async () => {
  const thread = await open();
  const sizes = [200_000, 3, 50_000, 1];
  let counted: unknown;
  const turns = await turnsDuring(async () => {
    counted = await Promise.all(sizes.map((most) => count(thread, most)));
  });
  expect(counted).toEqual(sizes.map((most) => [{ count: most }]));
  expect(turns).toBeGreaterThan(0);
});

it('says what the storage says, and goes on', async () => {
  const thread = await open();
  const failing = thread.query(statement('none', 'select * from nowhere'), {});
  await expect(failing).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', cause: { message: 'no such table: nowhere' } });
  const changing = thread.query(statement('change', 'insert into numbers values (1) returning number'), {});
  await expect(changing).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  expect(await count(thread, 2)).toEqual([{ count: 2 }]);
});

it('leaves nobody waiting when it is closed', async () => {
  const thread = await open();
  const begun = count(thread, 2_000_000);
  begun.catch(() => undefined);
  await thread.close();
  await expect(begun).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  await expect(count(thread, 1)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});

eachStore((engine) => {
  it('others have their turn while all sites of an organization are counted', async () => {
    const store = await engine.open();
    await store.write((writes) => writes.putOrg(org()));
    for (const name of ['one', 'two', 'three']) await putSite(store, siteWrite(name));
    let counted: unknown;
    const turns = await turnsDuring(async () => {
      for (let round = 0; round < 20; round += 1) counted = await store.checks.states('acme');
    });
    expect(counted).toEqual([{ state: undefined, isComplete: false, sites: 3 }]);
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});
