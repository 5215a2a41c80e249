import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApiKeyCache } from '@repoless/service/access/api-key-cache.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { ask } from '../support/ask.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { postgresEngine } from '../support/each-store.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { withNewKey, withoutOldKey } from './session-forge.ts';

/** All nodes answer for one address, whose tokens they take. */
const PUBLIC_ADDRESS = 'http://repoless.example.com';
let keyFile: string;
const keys = startBeforeAll(() => temporaryDirectory());
beforeAll(async () => {
  keyFile = join(keys.path, 'keys.json');
});

async function startNode(port: number, open?: () => Promise<Store>) {
  const settings = { SIGNING_KEY_FILE: keyFile, PUBLIC_ADDRESS, PORT: String(port) };
  const node = await startTestBackend({ settings, claim: false, ...(open !== undefined && { open }) });
  const get = (path: string, token: string) =>
    ask(`http://127.0.0.1:${port}`, path, { host: new URL(PUBLIC_ADDRESS).host, headers: { 'x-auth-token': token } });
  return {
    token: () => node.token(OPERATOR),
    status: async (token: string) => (await get('/profile', token)).status,
    signOut: (token: string) => get('/logout', token),
    stop: () => node.stop(),
  };
}

describe('a token on two nodes that share their storage and their keys', () => {
  const engine = postgresEngine();

  it('ends at once where it is revoked, and on the other', async () => {
    const place = await engine.place();
    const ports = await freePorts();
    const open = () => openStore(place.options);
    const here = await startNode(ports.backend, open);
    const there = await startNode(ports.extension, open);
    const token = await here.token();
    expect([await here.status(token), await there.status(token)]).toEqual([200, 200]);
    await here.signOut(token);
    expect(await here.status(token)).toBe(401);
    // The news travels for a moment; asked for anew by itself it would be after five seconds.
    await expect.poll(() => there.status(token), { timeout: 2_000, interval: 50 }).toBe(401);
    await here.stop();
    await there.stop();
  });

  it('of an API key ends on the other too', async () => {
    const place = await engine.place();
    const [here, there] = [await place.open(), await place.open()];
    const known = createApiKeyCache({ store: there, now: () => new Date() });
    const expires = new Date(Date.now() + 60_000);
    const key = { id: 'key', org: 'wknd', roles: ['author'] as const, created: new Date(), createdBy: OPERATOR, expires };
    await here.write((writes) => writes.putApiKey(key));
    expect(await known.find('key')).toMatchObject({ org: 'wknd' });
    await here.write((writes) => writes.deleteApiKey('key'));
    await expect.poll(() => known.find('key'), { timeout: 2_000, interval: 20 }).toBeUndefined();
  });
});

it('a token outlives a renewal of the key that signed it, until that key is taken away', async () => {
  const { backend: port } = await freePorts();
  const before = await startNode(port);
  const token = await before.token();
  await before.stop();

  await writeFile(keyFile, await withNewKey(await readFile(keyFile, 'utf8')));
  const renewed = await startNode(port);
  expect(await renewed.status(token)).toBe(200);
  const later = await renewed.token();
  expect(decodeProtectedHeader(later).kid).not.toBe(decodeProtectedHeader(token).kid);
  expect(await renewed.status(later)).toBe(200);
  await renewed.stop();

  await writeFile(keyFile, withoutOldKey(await readFile(keyFile, 'utf8')));
  const after = await startNode(port);
  expect(await after.status(token)).toBe(401);
  expect(await after.status(later)).toBe(200);
  await after.stop();
});
