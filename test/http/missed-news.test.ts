import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Store } from '@repoless/service/domain/ports.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { postgresEngine } from '../support/each-store.ts';

describe('a node that missed the news of another', () => {
  const engine = postgresEngine();
  let writer: TestBackend;
  let reader: TestBackend;
  const nodes: Store[] = [];

  beforeAll(async () => {
    const place = await engine.place();
    const open = async (): Promise<Store> => {
      const store = await openStore(place.options);
      nodes.push(store);
      return store;
    };
    writer = await startTestBackend({ open });
    reader = await startTestBackend({ claim: false, open: async () => ({ ...(await open()), onSiteChange: () => () => undefined }) });
  });
  afterAll(async () => {
    await reader.stop();
    await writer.stop();
    await Promise.allSettled(nodes.map((store) => store.close()));
  });

  it('reads its configurations anew once it is told so', async () => {
    await put('before');
    expect(await shown()).toContain('before');
    await put('after');
    expect(await shown()).toContain('before');
    await engine.cutConnections();
    await vi.waitFor(async () => expect(await shown()).toContain('after'), { timeout: 10_000 });
  });

  async function put(root: string): Promise<void> {
    const body = siteBody('wknd', 'site', { public: publicPart(root) });
    expect((await writer.call('PUT', '/config/wknd/sites/site.json', { as: OPERATOR, body })).status).toBeLessThan(300);
  }

  async function shown(): Promise<string> {
    return (await reader.visit('live', 'main--site--wknd', '/config.json')).text;
  }
});
