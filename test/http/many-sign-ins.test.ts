import type { Running } from '@repoless/sandbox/web.ts';
import { DEVICE_GRANT, DeviceAuthorization, DeviceTokenRefused } from '@repoless/contract/session.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { PASSWORD } from '@repoless/sandbox/identity-provider/accounts.ts';
import { startIdentityProvider } from '@repoless/sandbox/identity-provider/start-identity-provider.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createVisitor } from '../support/visitor.ts';
import { EXTENSION_ORIGIN, type SessionService, startSessionService } from './session-service.ts';

const ADA = { email: 'ada.admin@example.com', password: PASSWORD };
const FORM = new URLSearchParams({ client_id: 'x' });

let service: SessionService;
let provider: Running;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'repoless-provider-'));
  service = await startSessionService({
    trustedProxies: ['127.0.0.1', '::1'],
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

/** How many things of a kind are stored. */
function count(kind: string): number {
  const database = new Database(service.database);
  const row = database.prepare('select count(*) as many from short_lived where kind like ?').get(kind);
  database.close();
  return z.object({ many: z.number() }).parse(row).many;
}

/** Stores device authorizations as the service does, of one network. */
function fill(network: string, many: number): void {
  const database = new Database(service.database);
  const put = database.prepare("insert into short_lived (kind, key, value, expires) values ('user-code', ?, ?, ?)");
  const [begun, expires] = [Date.now() + 120 * 60_000, Date.now() + 130 * 60_000];
  database.transaction(() => {
    for (let index = 0; index < many; index += 1) {
      const request = { device: `device-${index}`, userCode: `FILL-${index}`, begun, expires, network };
      put.run(request.userCode, JSON.stringify(request), new Date(Date.now() + 600_000).toISOString());
    }
  })();
  database.close();
}

const from = (address: string) => ({ 'x-forwarded-for': address });
/** Numbers to 16 bits as the last group of a prefix of three. */
const of48 = (prefix: string, index: number) => from(`${prefix}:${index.toString(16)}::1`);

describe('Sign-ins', () => {
  const login = (headers: Record<string, string>) =>
    fetch(`${service.address}/login`, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });

  it('begin as often as anybody asks, leave nothing in the storage, and lock nobody of the same address out', async () => {
    for (let count = 0; count <= LIMITS.beginnings; count += 1) {
      const begun = await login({ 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' });
      await begun.body?.cancel();
    }
    expect(count('%')).toBe(0);
    const visitor = createVisitor();
    expect((await visitor.submit(await visitor.open(`${service.address}/login`), ADA)).status).toBe(200);
    expect(visitor.cookie('auth_token')).toBeDefined();
    expect(visitor.cookie('sign_in')).toBeUndefined();
  });

  it('tell nothing in the cookie that they are kept in, and end after a quarter of an hour', async () => {
    const visitor = createVisitor();
    const page = await visitor.open(`${service.address}/login?returnTo=/device`);
    const kept = (visitor.cookie('sign_in') ?? '').split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(kept.join(' ')).not.toMatch(/nonce|codeVerifier|device/);
    service.pass(15 * 60);
    const late = await visitor.submit(page, ADA);
    expect([late.status, late.headers.get('x-error-code')]).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('keep a way back of the greatest length, however it is written', async () => {
    const begun = await login(from('198.51.100.9'));
    expect(begun.status).toBe(302);
    const path = `/${'\u{8A9E}'.repeat(LIMITS.publicField - 1)}`;
    const long = await fetch(`${service.address}/login?returnTo=${encodeURIComponent(path)}`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    // What browsers keep of a name and its value (RFC 6265bis, section 5.6).
    expect((long.headers.getSetCookie()[0]?.split(';')[0] ?? '').length).toBeLessThanOrEqual(4096);
  });
});

describe('Device authorizations', () => {
  const begin = async (headers: Record<string, string>) =>
    await fetch(`${service.address}/auth/device`, { method: 'POST', headers, body: FORM });
  const pending = async (deviceCode: string) => {
    const body = new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: deviceCode });
    return DeviceTokenRefused.parse(await (await fetch(`${service.address}/auth/device/token`, { method: 'POST', body })).json()).error;
  };

  it('are begun by no page of another origin, in whatever browser of an office it is opened', async () => {
    const office = from('198.51.100.20');
    for (let count = 0; count <= LIMITS.beginnings; count += 1) {
      const origin = count === 0 ? 'null' : 'https://evil.example.com';
      const refused = await begin({ ...office, origin, 'sec-fetch-mode': 'no-cors' });
      expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'NOT_AUTHORIZED']);
    }
    for (let count = 0; count <= LIMITS.codeGuesses; count += 1) {
      const headers = { ...office, origin: 'https://evil.example.com' };
      const body = new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: 'made-up' });
      expect((await fetch(`${service.address}/auth/device/token`, { method: 'POST', headers, body })).status).toBe(403);
    }
    expect((await begin({ ...office, origin: EXTENSION_ORIGIN })).status).toBe(200);
    expect((await begin(office)).status).toBe(200);
  });

  it('begin so often in one network of IPv6, whatever parts of it they come from', async () => {
    const many = Array.from({ length: LIMITS.beginningsOfNetwork }, (_, index) => of48('2001:db8:1', index % 16));
    expect(new Set((await Promise.all(many.map(begin))).map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await begin(of48('2001:db8:1', 0xff));
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([429, 'RATE_LIMITED']);
    expect((await begin(of48('2001:db8:2', 1))).status).toBe(200);
  });

  it('of the network that has most of them make room where as many are open as may be', async () => {
    service.pass(60 * 60);
    const own = DeviceAuthorization.parse(await (await begin(from('198.51.100.30'))).json());
    const begun = DeviceAuthorization.parse(await (await begin(of48('2001:db8:3', 1))).json());
    fill('2001:db8:3::/48', LIMITS.openBeginnings - count('user-code'));
    const another = await begin(from('198.51.100.31'));
    expect(another.status).toBe(200);
    const { device_code: code } = DeviceAuthorization.parse(await another.json());
    expect([await pending(own.device_code), await pending(code)]).toEqual(['authorization_pending', 'authorization_pending']);
    // The oldest of those that are too many is one that nobody knows any more.
    expect(await pending(begun.device_code)).toBe('invalid_grant');
    expect(count('user-code')).toBeLessThanOrEqual(LIMITS.openBeginnings);
  });
});
