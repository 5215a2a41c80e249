import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { ask } from '../support/ask.ts';
import { startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';

const HOST = 'admin.example.com';
/** 32 bytes in hexadecimal digits, of which UUIDs fix twelve bits. */
const UNGUESSABLE = /^[0-9a-f]{64}$/;

let provider: Server;
let backend: TestBackend;
let port: number;
/** What the provider was asked to change for tokens. */
let redeemed = 0;

beforeAll(async () => {
  provider = createServer((request, response) => {
    const { port: own } = provider.address() as AddressInfo;
    const issuer = `http://localhost:${own}`;
    if (request.url === '/token') redeemed += 1;
    const found = request.url === '/.well-known/openid-configuration';
    const metadata = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
    response.writeHead(found ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ? metadata : { error: 'invalid_grant' }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  ({ backend: port } = await freePorts());
  const settings = {
    PORT: String(port),
    PUBLIC_ADDRESS: `https://${HOST}`,
    IDP_ISSUER: `http://localhost:${(provider.address() as AddressInfo).port}`,
    IDP_CLIENT_ID: 'service',
    IDP_CLIENT_SECRET: 'secret',
  };
  backend = await startTestBackend({ settings, claim: false });
});
afterAll(async () => {
  await backend.stop();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

const open = (path: string, headers: Record<string, string> = {}) =>
  ask(`http://127.0.0.1:${port}`, path, { host: HOST, headers: { accept: 'text/html', ...headers } });

/** Begins a sign-in. Out: its state, and the name and value of the cookie that holds the browser to it. */
async function begin() {
  const begun = await open('/login');
  expect(begun.status).toBe(302);
  const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]+); (.*)$/.exec(begun.headers['set-cookie'] ?? '') ?? [];
  const state = new URL(begun.headers['location'] ?? '').searchParams.get('state') ?? '';
  return { state, name, value, attributes };
}

describe('the cookie that holds a browser to the sign-in that it began', () => {
  it('is one that browsers take from this very host alone, over HTTPS', async () => {
    const { name, attributes } = await begin();
    expect(name).toBe('__Host-sign_in');
    expect(attributes).toMatch(/^Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  });

  it('is not taken by a name that a page of a neighbouring host could have set', async () => {
    const { state, name, value } = await begin();
    const before = redeemed;
    const planted = await open(`/auth/idp/ack?code=c&state=${state}`, { cookie: `sign_in=${value}` });
    expect([planted.status, redeemed]).toEqual([401, before]);
    const again = await begin();
    const own = await open(`/auth/idp/ack?code=c&state=${again.state}`, { cookie: `${name}=${again.value}` });
    expect([own.status, redeemed]).toEqual([401, before + 1]);
  });

  it('opens with the state that it was made for alone, and unaltered', async () => {
    const [one, other] = [await begin(), await begin()];
    const before = redeemed;
    const altered = `${one.value.slice(0, -2)}${one.value.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const value of [other.value, altered, 'v1.made.up.value', one.state, 'x'.repeat(4000)]) {
      const refused = await open(`/auth/idp/ack?code=c&state=${one.state}`, { cookie: `${one.name}=${value}` });
      expect([refused.status, redeemed]).toEqual([401, before]);
    }
  });

  it('and the state cannot be guessed, nor what lets a page run its script', async () => {
    const [one, other] = [await begin(), await begin()];
    for (const value of [one.state, other.state]) expect(value).toMatch(UNGUESSABLE);
    expect(new Set([one.state, one.value, other.state, other.value]).size).toBe(4);
    const page = await open('/profile');
    expect(/'nonce-([^']+)'/.exec(page.headers['content-security-policy'] ?? '')?.[1]).toMatch(UNGUESSABLE);
  });
});
