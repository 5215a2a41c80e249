import { freePorts } from '@repoless/sandbox/addresses.ts';
import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { createTokens, type Tokens } from '@repoless/service/sessions/tokens.ts';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { OPERATOR } from '../support/backend.ts';
import { buildBackend, type ChildBackend, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { eachStore, postgresEngine, type StorePlace } from '../support/each-store.ts';

/** All nodes answer for one address, whose tokens they take. */
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

async function startProgram(place: StorePlace, port: number): Promise<Program> {
  const { dataDir, databaseUrl } = place.options;
  const child: ChildBackend = await startChildBackend(dataDir, {
    PORT: String(port),
    PUBLIC_ADDRESS,
    OPERATORS: OPERATOR,
    SIGNING_KEY_FILE: join(folder.path, 'signing.json'),
    SECRET_KEY_FILE: join(folder.path, 'secret.json'),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  });
  const send = async (method: string, path: string, token: string) => {
    const asked = { method, host: new URL(PUBLIC_ADDRESS).host, headers: { 'x-auth-token': token } };
    return (await ask(`http://127.0.0.1:${port}`, path, asked)).status;
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

/** Signs people in, as a node of its own that shares the storage and the keys. */
async function signingIn(place: StorePlace): Promise<(email: string) => Promise<string>> {
  const keys = await openSigningKeys(join(folder.path, 'signing.json'));
  const tokens: Tokens = createTokens({
    keys,
    issuer: PUBLIC_ADDRESS,
    lifetime: 3600,
    store: await place.open(),
    now: () => new Date(),
  });
  return async (email) => (await tokens.issue({ email })).token;
}

describe('two programs on one database', () => {
  const engine = postgresEngine();
  let place: StorePlace;
  let ports: Awaited<ReturnType<typeof freePorts>>;
  beforeEach(async () => {
    place = await engine.place();
    ports = await freePorts();
  });

  it('both refuse the tokens of a person whose sessions one of them has ended, from its answer on', async () => {
    const [here, there] = [await startProgram(place, ports.backend), await startProgram(place, ports.extension)];
    const signIn = await signingIn(place);
    const operator = await signIn(OPERATOR);
    for (let times = 0; times < 5; times += 1) {
      const [ada, bob] = [await signIn(ADA), await signIn(BOB)];
      for (const node of [here, there]) expect([await node.status(ada), await node.status(bob)]).toEqual([200, 200]);
      const ended =
        times % 2 === 0 ? here.send('GET', '/logout?everywhere=true', ada) : here.send('DELETE', `/auth/sessions/${ADA}`, operator);
      expect(await ended).toBe(times % 2 === 0 ? 302 : 204);
      // The very next question, at the node that was told.
      expect([await there.status(ada), await here.status(ada)]).toEqual([401, 401]);
      const again = await signIn(ADA);
      for (const node of [there, here]) expect([await node.status(again), await node.status(bob)]).toEqual([200, 200]);
    }
    await Promise.all([here.end('SIGTERM'), there.end('SIGTERM')]);
  });
});

eachStore((engine) => {
  it('the end of sessions outlasts a program that is killed', async () => {
    const place = await engine.place();
    const { backend: port } = await freePorts();
    const before = await startProgram(place, port);
    const signIn = await signingIn(place);
    const [ada, bob] = [await signIn(ADA), await signIn(BOB)];
    expect(await before.send('GET', '/logout?everywhere=true', ada)).toBe(302);
    await before.end('SIGKILL');
    const after = await startProgram(place, port);
    expect([await after.status(ada), await after.status(bob)]).toEqual([401, 200]);
    await after.end('SIGTERM');
  });
});
