import { describe, expect, test } from 'vitest';
import { createClient } from '@repoless/core/api/client.ts';
import { pollDeviceSignIn, startDeviceSignIn } from '@repoless/core/api/sign-in.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { createSession } from '@repoless/core/api/session.ts';
import { ask } from '../support/ask.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA, startSetupWorld } from './setup-world.ts';
import { decodeJwt } from 'jose';
import { createSignInRequests } from '@repoless/core/api/sign-in-requests.ts';

const world = startBeforeAll(() => startSetupWorld());

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
  const session = createSession({ service: world.backend.address, hostToken: () => hostToken, storage });
  const client = createClient({
    service: world.backend.address,
    token: () => session.token(),
    renew: (refused) => session.renew(refused),
  });
  return { session, client, storage, profile: () => createServicePort(client).profile() };
}

describe("Signing in with the host's own sign-in", () => {
  test('needs no step, and stores only the token of the service', async () => {
    const hostToken = await world.author.issuer.token(ADA);
    const { profile, session, storage } = sessionOf(hostToken);
    expect(await profile()).toMatchObject({ state: 'known', value: { email: ADA } });
    expect([...storage.values.values()].join()).not.toContain(hostToken);
    const reloaded = sessionOf(undefined, storage);
    expect(await reloaded.session.token()).toBe(await session.token());
  });

  test('leaves nothing in the browser after the session has ended', async () => {
    const { session, storage } = sessionOf(await world.author.issuer.token(ADA));
    expect(await session.token()).toBeDefined();
    expect(storage.values.size).toBe(1);
    const later = createSession({ service: world.backend.address, storage, now: () => Date.now() + 7 * 86_400_000 });
    expect(await later.token()).toBeUndefined();
    expect(storage.values.size).toBe(0);
  });

  test('is not repeated for a token that the service refuses', async () => {
    const { profile, session } = sessionOf(await world.author.issuer.token(ADA, { audience: 'somebody else' }));
    expect(await profile()).toEqual({ state: 'missing' });
    expect(await session.token()).toBeUndefined();
  });

  test('signs in no one without a host', async () => {
    expect(await sessionOf(undefined).profile()).toEqual({ state: 'missing' });
  });
});

describe('Signing in by device', () => {
  const polling = () => ({ signal: new AbortController().signal, wait: async () => {}, now: () => new Date() });

  test('returns a token after the person has allowed it', async () => {
    const { client, session, profile } = sessionOf(undefined);
    const device = await startSignIn(client);
    await decide(device.user_code, 'allow');
    const signedIn = await pollDeviceSignIn(client, device, polling());
    if (signedIn.outcome !== 'signed-in') throw new Error(signedIn.outcome);
    session.accept(signedIn.token);
    expect(await profile()).toMatchObject({ state: 'known', value: { email: ADA } });
  });

  test('ends if the person denies it', async () => {
    const { client } = sessionOf(undefined);
    const device = await startSignIn(client);
    await decide(device.user_code, 'deny');
    expect(await pollDeviceSignIn(client, device, polling())).toEqual({ outcome: 'denied' });
  });

  test('can be cancelled while it waits, and ends when its code expires', async () => {
    const { client } = sessionOf(undefined);
    const device = await startSignIn(client);
    const stopper = new AbortController();
    const stopping = { ...polling(), signal: stopper.signal, wait: async () => stopper.abort() };
    expect(await pollDeviceSignIn(client, device, stopping)).toEqual({ outcome: 'stopped' });
    expect(await pollDeviceSignIn(client, { ...device, expires_in: 0 }, polling())).toEqual({ outcome: 'expired' });
  });
});

async function startSignIn(client: ReturnType<typeof sessionOf>['client']) {
  const device = await startDeviceSignIn(client);
  if (device.state !== 'known') throw new Error(JSON.stringify(device));
  return device.value;
}

/** The person enters the code on the service's page, in a browser where they are signed in. */
async function decide(userCode: string, decision: 'allow' | 'deny'): Promise<void> {
  const { backend } = world;
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
interface Place {
  hostToken: string | undefined;
  readonly now?: () => number;
}

/** A session in a host's frame, with its requests recorded. */
function sessionIn(place: Place) {
  const service = world.backend.address;
  const exchanges: string[] = [];
  const watched: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith('/auth/exchange')) exchanges.push(await request.clone().text());
    return await fetch(request);
  };
  const requests = createSignInRequests();
  const session = createSession({
    service,
    hostToken: () => place.hostToken,
    requests,
    fetch: watched,
    ...(place.now === undefined ? {} : { now: place.now }),
  });
  const client = createClient({ service, token: () => session.token(), renew: (refused) => session.renew(refused), fetch: watched });
  const revoke = async () => {
    await ask(service, '/logout', { headers: { 'x-auth-token': (await session.token()) ?? '' } });
  };
  return { session, requests, exchanges, revoke, profile: () => createServicePort(client).profile() };
}

const adas = () => world.author.issuer.token(ADA);

describe('A token that is no longer accepted', () => {
  test('is renewed once for all concurrent calls', async () => {
    const { profile, exchanges, revoke } = sessionIn({ hostToken: await adas() });
    await revoke();
    const answers = await Promise.all(Array.from({ length: 6 }, profile));
    expect(answers.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'known'));
    expect(exchanges).toHaveLength(2);
  });

  test('is renewed with the current sign-in of the host', async () => {
    const place: Place = { hostToken: await adas() };
    const { profile, exchanges, revoke } = sessionIn(place);
    await revoke();
    place.hostToken = await world.author.issuer.token(ADA, { expires: '2h' });
    expect((await profile()).state).toBe('known');
    expect(exchanges.at(-1)).toContain(place.hostToken);
  });

  test('is not requested repeatedly by a browser with a wrong clock', async () => {
    const { session, exchanges } = sessionIn({ hostToken: await adas(), now: () => Date.now() + 7 * 86_400_000 });
    for (let call = 0; call < 5; call++) expect(await session.token()).toBeDefined();
    expect(exchanges).toHaveLength(1);
  });

  test('is renewed in the background before it expires, and only once', async () => {
    let ahead = 0;
    const { session, exchanges } = sessionIn({ hostToken: await adas(), now: () => Date.now() + ahead });
    const first = await session.token();
    ahead = 0.85 * lifeOf(first ?? '');
    expect(await session.token()).toBe(first);
    await expect.poll(() => session.token()).not.toBe(first);
    await session.token();
    expect(exchanges).toHaveLength(2);
  });
});

describe('If no silent sign-in is possible', () => {
  test('the person is asked once for all calls, and every call continues with that sign-in', async () => {
    const { session, requests, profile } = sessionIn({ hostToken: undefined });
    const seen: unknown[] = [];
    requests.subscribe(() => seen.push(requests.get()));
    const answers = Promise.all([profile(), profile(), profile()]);
    await expect.poll(() => requests.get()).toBe('service');
    session.accept({ token: await world.backend.token(ADA), exp: Math.floor(Date.now() / 1000) + 3600 });
    requests.settle(true);
    expect((await answers).map(({ state }) => state)).toEqual(['known', 'known', 'known']);
    expect(seen).toEqual(['service', undefined]);
  });

  test('a person who declines is not asked until they act again', async () => {
    const { requests, profile } = sessionIn({ hostToken: undefined });
    let questions = 0;
    requests.subscribe(() => (questions += requests.get() === undefined ? 0 : 1));
    const first = profile();
    await expect.poll(() => requests.get()).toBe('service');
    requests.settle(false);
    expect((await first).state).toBe('missing');
    expect((await profile()).state).toBe('missing');
    expect(questions).toBe(1);
    requests.resume();
    const again = profile();
    await expect.poll(() => requests.get()).toBe('service');
    requests.settle(false);
    await again;
    expect(questions).toBe(2);
  });

  test('no one is asked if there is no view to answer in', async () => {
    expect(await sessionIn({ hostToken: undefined }).profile()).toEqual({ state: 'missing' });
  });
});

/** Milliseconds. */
function lifeOf(token: string): number {
  const { exp = 0, iat = 0 } = decodeJwt(token);
  return (exp - iat) * 1000;
}
