import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SERVICE_CLIENT } from '@repoless/sandbox/identity-provider/accounts.ts';
import { assemble, seconds } from './session-forge.ts';
import { startSessionService } from './session-service.ts';
import type { SessionService } from './session-service.ts';

interface Told {
  readonly issuer: string;
  readonly nonce: string;
}

/** An identity provider that answers each code with the ID token that a test makes. */
let provider: Server;
let service: SessionService;
let own: CryptoKey;
let strange: CryptoKey;
let make: (told: Told) => Promise<string>;
let nonce = '';

beforeAll(async () => {
  const pair = await generateKeyPair('RS256');
  own = pair.privateKey;
  strange = (await generateKeyPair('RS256')).privateKey;
  const keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] };
  provider = createServer((request, response) => void answer(request.url ?? '').then((body) => response.end(JSON.stringify(body))));
  const issuer = () => `http://localhost:${(provider.address() as AddressInfo).port}`;
  const answer = async (path: string) => {
    if (path === '/keys') return keys;
    if (path === '/token') return { access_token: 'a', token_type: 'Bearer', id_token: await make({ issuer: issuer(), nonce }) };
    const at = issuer();
    return { issuer: at, authorization_endpoint: `${at}/auth`, token_endpoint: `${at}/token`, jwks_uri: `${at}/keys` };
  };
  provider.prependListener('request', (_, response) => response.setHeader('content-type', 'application/json'));
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  service = await startSessionService({ identityProvider: async () => issuer() });
});
afterAll(async () => {
  await service.stop();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

const claims = ({ issuer, nonce: sent }: Told) => ({
  iss: issuer,
  aud: SERVICE_CLIENT.clientId,
  sub: 'ada',
  email: 'ada.admin@example.com',
  nonce: sent,
  iat: seconds(0),
  exp: seconds(600),
});
const signed = (told: Told, over: Readonly<Record<string, unknown>> = {}, key = own) =>
  new SignJWT({ ...claims(told), ...over }).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key);

/** Goes through a sign-in whose ID token is made so. Out: the status of the page that it ends with, and its cookie. */
async function signIn(by: (told: Told) => Promise<string>) {
  make = by;
  const headers = { accept: 'text/html' };
  const begun = await fetch(`${service.address}/login`, { headers, redirect: 'manual' });
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  nonce = asked.get('nonce') ?? '';
  const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
  const back = `${service.address}/auth/sandbox/ack?code=c&state=${asked.get('state')}`;
  const arrived = await fetch(back, { headers: { ...headers, cookie }, redirect: 'manual' });
  return { status: arrived.status, cookie: arrived.headers.get('set-cookie') };
}

it('an ID token of the provider, for this service and this sign-in, signs in', async () => {
  const { status, cookie } = await signIn((told) => signed(told));
  expect([status, cookie]).toEqual([200, expect.stringMatching(/^auth_token=/)]);
});

it.each<[string, (told: Told) => Promise<string>]>([
  ['signed by somebody else', (told) => signed(told, {}, strange)],
  [
    'with an altered claim',
    async (told) =>
      (await signed(told)).replace(
        /\.[^.]+\./,
        `.${Buffer.from(JSON.stringify({ ...claims(told), email: 'root@example.com' })).toString('base64url')}.`,
      ),
  ],
  ['that says alg none', async (told) => assemble({ alg: 'none' }, claims(told), '')],
  ['of another issuer', (told) => signed(told, { iss: 'http://localhost:1' })],
  ['for another client', (told) => signed(told, { aud: 'another' })],
  ['of another sign-in', (told) => signed(told, { nonce: 'another' })],
  ['without a nonce', (told) => signed(told, { nonce: undefined })],
  ['that has expired', (told) => signed(told, { iat: seconds(-1200), exp: seconds(-600) })],
  ['with an address that the provider has not verified', (told) => signed(told, { email_verified: false })],
])('an ID token %s signs nobody in', async (_, by) => {
  expect(await signIn(by)).toEqual({ status: 401, cookie: null });
});
