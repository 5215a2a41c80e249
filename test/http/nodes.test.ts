import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { createTokens, type Tokens } from '@repoless/service/sessions/tokens.ts';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask } from '../support/ask.ts';
import { migrated, OPERATOR, publicPart, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { buildBackend, type ChildBackend, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { eachStore, postgresEngine, type StoreDatabase } from '../support/each-store.ts';
import { type Network, startNetwork } from '../support/network.ts';
import { startPostgres } from '../support/postgres.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';

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

  it('serves nothing stale for longer than two seconds if they hang, and answers 503 until they recover', { timeout: 40_000 }, async () => {
    network.freeze();
    await put();
    const late = await seenAfterBound(performance.now());
    expect(late.filter((seen) => seen !== 503 && seen !== 'waits')).toEqual([]);
    expect(late).not.toEqual([]);
    expect((await health()).status).toBe(503);
    network.thaw();
    await vi.waitFor(async () => expect(await shown()).toBe(version), WAIT);
    await vi.waitFor(async () => expect(await health()).toMatchObject({ status: 200, body: { status: 'ready' } }), WAIT);
  });

  it('replaces connections that the network has dropped', { timeout: 40_000 }, async () => {
    await Promise.all(Array.from({ length: 30 }, () => reader.call('GET', '/config/wknd/sites/site.json', { as })));
    network.clear();
    await put();
    // All ten together: one by one, each would fail a request.
    const statuses: number[] = [];
    while (statuses.at(-1) !== 200) statuses.push((await reader.call('GET', '/config/wknd/sites/site.json', { as })).status);
    expect(statuses).toBeOneOf([[200], [503, 200]]);
    await vi.waitFor(async () => expect(await shown()).toBe(version), WAIT);
  });

  it('serves nothing stale for longer than two seconds while they are cut repeatedly', { timeout: 40_000 }, async () => {
    const cuts = setInterval(() => network.cut(), 200);
    await put();
    const late = await seenAfterBound(performance.now());
    clearInterval(cuts);
    expect(late.filter((seen) => seen !== version && seen !== 503 && seen !== 'waits')).toEqual([]);
    expect(late).not.toEqual([]);
    await vi.waitFor(async () => expect(await shown()).toBe(version), WAIT);
  });

  it('serves nothing stale for longer than two seconds if it is not notified of changes', { timeout: 40_000 }, async () => {
    const unnotified = await stopAfterTest(
      startTestBackend({
        claim: false,
        open: async (dataDir) => ({ ...(await openStore({ dataDir, databaseUrl: direct })), onSiteChange: () => () => undefined }),
      }),
    );
    expect(await shownBy(unnotified)).toBe(version);
    await put();
    expect(new Set(await seenAfterBound(performance.now(), unnotified))).toEqual(new Set([version]));
  });

  /** Reads until three seconds after the bound. Returns what requests after the bound got: a version, a status, or nothing within 500 ms. */
  async function seenAfterBound(acknowledged: number, node = reader): Promise<(number | 'waits')[]> {
    const late: (number | 'waits')[] = [];
    for (let waited = 0; waited < BOUND + 3000;) {
      waited = performance.now() - acknowledged;
      const seen = await Promise.race([shownBy(node), new Promise<'waits'>((resolve) => setTimeout(() => resolve('waits'), 500))]);
      if (waited > BOUND) late.push(seen);
    }
    return late;
  }

  async function put(): Promise<void> {
    version += 1;
    const body = siteBody('wknd', 'site', { public: { ...publicPart('site'), count: version } });
    expect((await writer.call('PUT', '/config/wknd/sites/site.json', { as, body })).status).toBeLessThan(300);
  }

  function shown(): Promise<number> {
    return shownBy(reader);
  }

  /** The version that the host serves, or the status of its refusal. */
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

/** All nodes have one public address and accept its tokens. */
const PUBLIC_ADDRESS = 'http://repoless.example.com';
const ADA = 'ada@example.com';
const BOB = 'bob@example.com';

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  await buildBackend();
  folder = await temporaryDirectory();
});
afterAll(() => folder.remove());

interface Program {
  status(token: string): Promise<number>;
  send(method: string, path: string, token: string): Promise<number>;
  end(signal: NodeJS.Signals): Promise<unknown>;
}

async function startProgram(database: StoreDatabase, port: number): Promise<Program> {
  const { dataDir, databaseUrl } = database.options;
  const child: ChildBackend = await startChildBackend(dataDir, {
    PORT: String(port),
    PUBLIC_ADDRESS,
    OPERATORS: OPERATOR,
    SIGNING_KEY_FILE: join(folder.path, 'signing.json'),
    SECRET_KEY_FILE: join(folder.path, 'secret.json'),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  });
  const send = async (method: string, path: string, token: string) => {
    const request = { method, host: new URL(PUBLIC_ADDRESS).host, headers: { 'x-auth-token': token } };
    return (await ask(`http://127.0.0.1:${port}`, path, request)).status;
  };
  return {
    send,
    status: (token) => send('GET', '/profile', token),
    end(signal) {
      child.child.kill(signal);
      return child.ended;
    },
  };
}

/** Signs people in, as another node that shares the storage and the keys. */
async function signingIn(database: StoreDatabase): Promise<(email: string) => Promise<string>> {
  const keys = await openSigningKeys(join(folder.path, 'signing.json'));
  const tokens: Tokens = createTokens({
    keys,
    issuer: PUBLIC_ADDRESS,
    lifetime: 3600,
    store: await database.open(),
    now: () => new Date(),
  });
  return async (email) => (await tokens.issue({ email })).token;
}

describe('two programs on one database', () => {
  const engine = postgresEngine();
  let database: StoreDatabase;
  let ports: Awaited<ReturnType<typeof freePorts>>;
  beforeEach(async () => {
    database = await engine.newDatabase();
    ports = await freePorts();
  });

  it('both refuse the tokens of a person as soon as one of them has ended the sessions', async () => {
    const [first, second] = [await startProgram(database, ports.backend), await startProgram(database, ports.extension)];
    const signIn = await signingIn(database);
    const operator = await signIn(OPERATOR);
    for (let times = 0; times < 5; times += 1) {
      const [ada, bob] = [await signIn(ADA), await signIn(BOB)];
      for (const node of [first, second]) expect([await node.status(ada), await node.status(bob)]).toEqual([200, 200]);
      const ended =
        times % 2 === 0 ? first.send('GET', '/logout?everywhere=true', ada) : first.send('DELETE', `/auth/sessions/${ADA}`, operator);
      expect(await ended).toBe(times % 2 === 0 ? 302 : 204);
      // The next request, at the node that received the change.
      expect([await second.status(ada), await first.status(ada)]).toEqual([401, 401]);
      const again = await signIn(ADA);
      for (const node of [second, first]) expect([await node.status(again), await node.status(bob)]).toEqual([200, 200]);
    }
    await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')]);
  });
});

eachStore((engine) => {
  it('ended sessions stay ended after the program is killed', async () => {
    const database = await engine.newDatabase();
    const { backend: port } = await freePorts();
    const before = await startProgram(database, port);
    const signIn = await signingIn(database);
    const [ada, bob] = [await signIn(ADA), await signIn(BOB)];
    expect(await before.send('GET', '/logout?everywhere=true', ada)).toBe(302);
    await before.end('SIGKILL');
    const after = await startProgram(database, port);
    expect([await after.status(ada), await after.status(bob)]).toEqual([401, 200]);
    await after.end('SIGTERM');
  });
});
