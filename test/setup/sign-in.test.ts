import { describe, expect, test } from 'vitest';
import { createClient } from '@repoless/core/api/client.ts';
import { pollDeviceSignIn, startDeviceSignIn } from '@repoless/core/api/sign-in.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { createSession } from '@repoless/core/api/session.ts';
import { ask } from '../support/ask.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA, startSetupWorld } from './setup-world.ts';

const around = startBeforeAll(() => startSetupWorld());

/** The browser's session storage, which survives a reload of the frame. */
function memory() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

function sessionOf(hostToken: string | undefined, storage = memory()) {
  const session = createSession({ service: around.backend.address, hostToken: () => hostToken, storage });
  const client = createClient({
    service: around.backend.address,
    token: () => session.token(),
    renew: (refused) => session.renew(refused),
  });
  return { session, client, storage, profile: () => createServicePort(client).profile() };
}

describe("Signing in with the host's own sign-in", () => {
  test('needs no step, and keeps only the token of the service', async () => {
    const hostToken = await around.author.issuer.token(ADA);
    const { profile, session, storage } = sessionOf(hostToken);
    expect(await profile()).toMatchObject({ state: 'known', value: { email: ADA } });
    expect([...storage.values.values()].join()).not.toContain(hostToken);
    const reloaded = sessionOf(undefined, storage);
    expect(await reloaded.session.token()).toBe(await session.token());
  });

  test('leaves nothing in the browser once the session is over', async () => {
    const { session, storage } = sessionOf(await around.author.issuer.token(ADA));
    expect(await session.token()).toBeDefined();
    expect(storage.values.size).toBe(1);
    const later = createSession({ service: around.backend.address, storage, now: () => Date.now() + 7 * 86_400_000 });
    expect(await later.token()).toBeUndefined();
    expect(storage.values.size).toBe(0);
  });

  test('is not repeated for a token that the service refuses', async () => {
    const { profile, session } = sessionOf(await around.author.issuer.token(ADA, { audience: 'somebody else' }));
    expect(await profile()).toEqual({ state: 'missing' });
    expect(await session.token()).toBeUndefined();
  });

  test('leaves nobody signed in where there is no host', async () => {
    expect(await sessionOf(undefined).profile()).toEqual({ state: 'missing' });
  });
});

describe('Signing in by device', () => {
  const polling = () => ({ signal: new AbortController().signal, wait: async () => {}, now: () => new Date() });

  test('hands over a token once the person has allowed it', async () => {
    const { client, session, profile } = sessionOf(undefined);
    const device = await begin(client);
    await decide(device.user_code, 'allow');
    const signedIn = await pollDeviceSignIn(client, device, polling());
    if (signedIn.outcome !== 'signed-in') throw new Error(signedIn.outcome);
    session.accept(signedIn.token);
    expect(await profile()).toMatchObject({ state: 'known', value: { email: ADA } });
  });

  test('ends where the person denies it', async () => {
    const { client } = sessionOf(undefined);
    const device = await begin(client);
    await decide(device.user_code, 'deny');
    expect(await pollDeviceSignIn(client, device, polling())).toEqual({ outcome: 'denied' });
  });

  test('can be cancelled while it waits, and ends with its code', async () => {
    const { client } = sessionOf(undefined);
    const device = await begin(client);
    const stopper = new AbortController();
    const stopping = { ...polling(), signal: stopper.signal, wait: async () => stopper.abort() };
    expect(await pollDeviceSignIn(client, device, stopping)).toEqual({ outcome: 'stopped' });
    expect(await pollDeviceSignIn(client, { ...device, expires_in: 0 }, polling())).toEqual({ outcome: 'expired' });
  });
});

async function begin(client: ReturnType<typeof sessionOf>['client']) {
  const device = await startDeviceSignIn(client);
  if (device.state !== 'known') throw new Error(JSON.stringify(device));
  return device.value;
}

/** The person enters the code on the service's page, in a browser where they are signed in. */
async function decide(userCode: string, decision: 'allow' | 'deny'): Promise<void> {
  const { backend } = around;
  const cookie = `auth_token=${await backend.token(ADA)}`;
  const page = await ask(backend.address, `/device?user_code=${encodeURIComponent(userCode)}`, {
    headers: { cookie, accept: 'text/html' },
  });
  const nonce = /name="nonce" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const cookies = [cookie, ...(page.headers['set-cookie'] ?? '').split(/, (?=[^;]+=)/).map((one) => one.split(';')[0] ?? '')];
  const answer = await ask(backend.address, '/device', {
    method: 'POST',
    headers: {
      cookie: cookies.filter((one) => one !== '').join('; '),
      origin: backend.address,
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ user_code: userCode, decision, nonce }).toString(),
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
}
