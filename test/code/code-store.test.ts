import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { OPERATOR } from '../support/backend.ts';
import { postgresEngine, sqliteEngine } from '../support/each-store.ts';
import { codeJourneys } from '../support/code-journeys.ts';
import { openFolderStorage } from '@repoless/service/code/blob-store.ts';

describe('code in a folder', () => {
  const running = codeJourneys({ options: async () => ({}), place: ({ backend }) => openFolderStorage(join(backend.dataDir, 'code')) });

  it('ends a stopped sync, and keeps serving the previous code', async () => {
    const { world } = running();
    await world.fault('slow', { path: '/wknd/wknd', delay: 600_000, times: 1 });
    const { json } = await world.start('site');
    const { links } = json() as { links: { self: string } };
    // Git waits for the answer of the code host.
    const faults = async () => (await fetch(`${world.codeHost.address}/sandbox/faults`)).text();
    await expect.poll(faults, { timeout: 10_000 }).toContain('"none"');
    expect((await world.backend.call('DELETE', links.self, { as: OPERATOR })).status).toBe(204);
    const status = await world.status('site');
    expect([status.state, status.cancelled]).toEqual(['stopped', true]);
    expect((await world.backend.visit('live', 'main--site--wknd', '/many/7.txt')).text).toBe('changed');
    expect((await world.sync('site')).error).toBeUndefined();
  });
});

describe.each(['SQLite', 'PostgreSQL'] as const)('code in %s', (name) => {
  const engine = name === 'SQLite' ? sqliteEngine() : postgresEngine();
  codeJourneys({
    options: async () => {
      const { options } = await engine.newDatabase();
      const databaseUrl = options.databaseUrl;
      const open = (dataDir: string) => openStore({ dataDir, ...(databaseUrl !== undefined && { databaseUrl }) });
      return { settings: { CODE_STORE: 'database' }, open };
    },
    place: async ({ backend }) => backend.store.blobs,
  });
});
