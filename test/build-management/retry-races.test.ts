import pg from 'pg';
import { expect, it } from 'vitest';
import { postgresEngine } from '../support/each-store.ts';
import { startBuildWorld } from './world.ts';

const engine = postgresEngine();

it('each concurrent check has its own number, so that none concludes for another', async () => {
  const { databaseUrl = '' } = (await engine.emptyPlace()).options;
  const world = await startBuildWorld({ DATABASE_URL: databaseUrl });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const attempts = async () => (await database.query<{ attempt: number }>('select attempt from bm_repositories')).rows[0]?.attempt ?? 0;
  try {
    const { repositoryId: id } = await world.ready();
    const before = await attempts();
    const tokens = Array.from({ length: 8 }, (_, index) => `token-${index}`);
    const retry = (accessToken: string) => world.call('POST', `/organizations/wknd/repositories/${id}/retry`, { body: { accessToken } });
    const statuses = (await Promise.all(tokens.map(retry))).map(({ status }) => status);
    expect(statuses).toEqual(tokens.map(() => 202));
    expect((await attempts()) - before).toBe(tokens.length);
  } finally {
    await database.end();
    await world.stop();
  }
});
