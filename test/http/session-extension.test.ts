import { ExtensionMessage, LoginLinks } from '@repoless/contract/session.ts';
import { PASSWORD } from '@repoless/sandbox/identity-provider/accounts.ts';
import { startIdentityProvider } from '@repoless/sandbox/identity-provider/start-identity-provider.ts';
import type { Running } from '@repoless/sandbox/web.ts';
import { decodeJwt } from 'jose';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVisitor } from '../support/visitor.ts';
import { EXTENSION_ID, type SessionService, startSessionService } from './session-service.ts';

const ADA = { email: 'ada.admin@example.com', password: PASSWORD };

let service: SessionService;
let provider: Running;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'repoless-provider-'));
  service = await startSessionService({
    async identityProvider(backend) {
      provider = await startIdentityProvider({ port: 0, backend, console: 'http://localhost:1', dataDir });
      return provider.address;
    },
  });
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
  await rm(dataDir, { recursive: true });
});

/** What the script of a page sends to extensions, as a browser runs it. */
function sentBy(page: string): { to: string; message: unknown }[] {
  const sent: { to: string; message: unknown }[] = [];
  const sendMessage = (to: string, message: unknown) => sent.push({ to, message });
  const [, script = ''] = /<script nonce="[^"]+">([^]*?)<\/script>/.exec(page) ?? [];
  const window = { chrome: { runtime: { sendMessage } } };
  runInNewContext(script, { window, ...window });
  return sent;
}

it.each([
  [`/login/wknd/first/main?extensionId=${EXTENSION_ID}`, { org: 'wknd', site: 'first', owner: 'wknd', repo: 'first' }],
  [`/login?extensionId=${EXTENSION_ID}&org=wknd&site=first`, { org: 'wknd', site: 'first', owner: 'wknd', repo: 'first' }],
  [`/wknd/sites/first/login?extensionId=${EXTENSION_ID}`, { org: 'wknd', site: 'first' }],
  [`/login?extensionId=${EXTENSION_ID}`, {}],
])('%s hands the token to the extension, and sets no cookie', async (path, place) => {
  const visitor = createVisitor();
  const arrived = await visitor.submit(await visitor.open(`${service.address}${path}`), ADA);
  expect([arrived.status, arrived.headers.getSetCookie().join(' ').includes('auth_token')]).toEqual([200, false]);
  const [handed, ...others] = sentBy(arrived.text);
  expect([handed?.to, others]).toEqual([EXTENSION_ID, []]);
  expect(handed?.message).toMatchObject(place);
  const { authToken, exp } = ExtensionMessage.parse(handed?.message);
  const claims = decodeJwt(authToken);
  expect([claims['email'], claims.exp]).toEqual([ADA.email, exp / 1000]);
  expect((await fetch(`${service.address}/profile`, { headers: { 'x-auth-token': authToken } })).status).toBe(200);
});

it('An extension that is not listed is refused before anybody signs in', async () => {
  for (const id of ['ponmlkjihgfedcbaponmlkjihgfedcba', 'cookie', '']) {
    for (const accept of ['text/html', 'application/json']) {
      const answer = await fetch(`${service.address}/login?extensionId=${id}`, { headers: { accept }, redirect: 'manual' });
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'QUERY_INVALID']);
    }
  }
});

it('A client that asks for JSON gets a link that goes on for the extension', async () => {
  const asked = await fetch(`${service.address}/login/wknd/first/main?extensionId=${EXTENSION_ID}`);
  const [link = ''] = Object.values(LoginLinks.parse(await asked.json()).links);
  expect(Object.fromEntries(new URL(link).searchParams)).toEqual({ extensionId: EXTENSION_ID, org: 'wknd', site: 'first' });
});
