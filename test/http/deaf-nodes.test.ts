import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { startNetwork } from '../support/network.ts';
import type { Network } from '../support/network.ts';
import { migrated } from '../support/migrated.ts';
import { startPostgres } from '../support/postgres.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

/** Milliseconds after which every node shows an acknowledged write or answers 503, whatever fails. */
const BOUND = 2000;
const as = OPERATOR;

describe('a node whose connections to the database fail', () => {
  let network: Network;
  let writer: TestBackend;
  let reader: TestBackend;
  let direct: string;
  let version = 0;

  const cluster = startBeforeAll(() => startPostgres());
  beforeEach(async () => {
    network = await startNetwork({ path: cluster.socket });
    direct = await cluster.database(migrated);
    writer = await startTestBackend({ open: (dataDir) => openStore({ dataDir, databaseUrl: direct }) });
    const through = new URL(direct);
    through.search = '';
    through.host = `127.0.0.1:${network.port}`;
    reader = await startTestBackend({ claim: false, open: (dataDir) => openStore({ dataDir, databaseUrl: through.href }) });
    await put();
    expect(await shown()).toBe(version);
  });
  afterEach(async () => {
    network.thaw();
    await reader.stop();
    await writer.stop();
    await network.close();
  });

  it('never answers old once they are silent, and says 503 until they are back', { timeout: 40_000 }, async () => {
    const begun = performance.now();
    network.freeze();
    await put();
    await neverOldAfter(begun);
    expect((await health()).status).toBe(503);
    network.thaw();
    await vi.waitFor(async () => expect(await shown()).toBe(version), WAIT);
    await vi.waitFor(async () => expect(await health()).toMatchObject({ status: 200, body: { status: 'ready' } }), WAIT);
  });

  it('replaces connections that the network has forgotten', { timeout: 40_000 }, async () => {
    await Promise.all(Array.from({ length: 30 }, () => reader.call('GET', '/config/wknd/sites/site.json', { as })));
    network.forget();
    await put();
    // All ten together: one after the other, each would cost somebody an answer.
    const statuses: number[] = [];
    while (statuses.at(-1) !== 200) statuses.push((await reader.call('GET', '/config/wknd/sites/site.json', { as })).status);
    expect(statuses).toBeOneOf([[200], [503, 200]]);
    await vi.waitFor(async () => expect(await shown()).toBe(version), WAIT);
  });

  it('never answers old while its connections are cut again and again', { timeout: 40_000 }, async () => {
    const cuts = setInterval(() => network.cut(), 200);
    await put();
    await neverOldAfter(performance.now());
    clearInterval(cuts);
    await vi.waitFor(async () => expect(await shown()).toBe(version), WAIT);
  });

  it('never answers old though it hears of no change', { timeout: 40_000 }, async () => {
    const deaf = await startTestBackend({
      claim: false,
      open: async (dataDir) => ({ ...(await openStore({ dataDir, databaseUrl: direct })), onSiteChange: () => () => undefined }),
    });
    await shownBy(deaf);
    await put();
    const acknowledged = performance.now();
    expect(await shownBy(deaf)).toBeOneOf([version, version - 1]);
    await vi.waitFor(async () => expect(await shownBy(deaf)).toBe(version), WAIT);
    await neverOldAfter(acknowledged, deaf);
    await deaf.stop();
  });

  async function neverOldAfter(begun: number, node = reader): Promise<void> {
    while (performance.now() - begun < BOUND + 3000) {
      const asked = performance.now() - begun;
      const seen = await Promise.race([shownBy(node), new Promise<'waits'>((resolve) => setTimeout(() => resolve('waits'), 500))]);
      if (asked > BOUND) expect(seen).not.toBe(version - 1);
    }
  }

  async function put(): Promise<void> {
    version += 1;
    const body = siteBody('wknd', 'site', { public: { ...publicPart('site'), count: version } });
    expect((await writer.call('PUT', '/config/wknd/sites/site.json', { as, body })).status).toBeLessThan(300);
  }

  function shown(): Promise<number> {
    return shownBy(reader);
  }

  /** The version that the host shows, or the status of its refusal. */
  async function shownBy(node: TestBackend): Promise<number> {
    const { status, text } = await node.visit('live', 'main--site--wknd', '/config.json');
    return status === 200 ? Number(/"count": (\d+)/.exec(text)?.[1]) : status;
  }

  async function health() {
    const { status, text } = await reader.call('GET', '/health');
    return { status, body: JSON.parse(text) as unknown };
  }
});

const WAIT = { timeout: 15_000, interval: 50 };
