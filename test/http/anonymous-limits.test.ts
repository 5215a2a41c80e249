import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { DEVICE_GRANT, DeviceAuthorization, DeviceTokenRefused } from '@repoless/contract/session.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXTENSION_ORIGIN, OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { startSessionService } from './session-service.ts';
import { z } from 'zod';
import { PASSWORD } from '@repoless/sandbox/identity-provider/accounts.ts';
import { createVisitor } from '../support/visitor.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('limits of calls open to anyone', () => {
  const backend = startBeforeAll(() =>
    startTestBackend({ dryRun: false, orgs: ['acme'], claim: false, settings: { TRUST_PROXY: '127.0.0.1,::1' } }),
  );

  const sized = allEndpoints().filter(([, { permission, body }]) => permission === 'public' && body !== undefined && body.raw !== true);
  it.each(sized)('%s refuses a body above its limit', async (_, row) => {
    const limit = row.body?.limit ?? LIMITS.publicBody;
    expect(limit).toBeLessThanOrEqual(LIMITS.exchangeBody);
    const send = (length: number) => backend.call(row.method, row.path, { headers: { ...FORM }, body: 'x'.repeat(length) });
    expect((await send(limit + 1)).code).toBe('BODY_TOO_LARGE');
    expect((await send(limit)).code).not.toBe('BODY_TOO_LARGE');
  });

  it.each(['client_id', 'scope'])('/auth/device accepts a %s of at most 256 characters', async (field) => {
    const start = (length: number) => backend.call('POST', '/auth/device', { headers: FORM, body: `${field}=${'x'.repeat(length)}` });
    expect((await start(LIMITS.publicField)).status).toBe(200);
    expect(await start(LIMITS.publicField + 1)).toMatchObject({ status: 400, code: 'BODY_INVALID' });
  });

  it.each(['returnTo', 'origin'])('/login accepts a %s of at most 256 characters', async (name) => {
    const value = (length: number) => (name === 'origin' ? 'http://a.example/' : '/').padEnd(length, 'x');
    const login = (length: number) => backend.call('GET', `/login?${name}=${value(length)}`);
    expect((await login(LIMITS.publicField)).status).toBe(200);
    expect((await login(LIMITS.publicField + 1)).code).toBe('QUERY_INVALID');
  });

  it('/auth/exchange accepts a token of at most LIMITS.exchangedToken characters', async () => {
    const exchange = async (length: number) => (await backend.call('POST', '/auth/exchange', { body: { token: 'x'.repeat(length) } })).code;
    expect(await exchange(LIMITS.exchangedToken)).toBe('TOKEN_REFUSED');
    expect(await exchange(LIMITS.exchangedToken + 1)).toBe('BODY_INVALID');
  });

  it('/auth/device stores nothing for a client_id of a megabyte', async () => {
    const body = `client_id=${'x'.repeat(1_000_000)}`;
    const before = await backend.store.shortLived.count('device');
    for (let count = 0; count < 40; count += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => backend.call('POST', '/auth/device', { headers: FORM, body })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]));
    }
    expect(await backend.store.shortLived.count('device')).toBe(before);
  });

  it('LIMITS.openDeviceAuthorizations device authorizations are open at most, and expired ones are removed', async () => {
    const { shortLived } = backend.store;
    const fill = (expires: Date) => {
      const database = new Database(join(backend.dataDir, 'repoless.sqlite'));
      const put = database.prepare("insert or replace into short_lived (kind, key, value, expires) values ('user-code', ?, '1', ?)");
      database.transaction(() => {
        for (let index = 0; index < LIMITS.openDeviceAuthorizations; index += 1) put.run(`filled-${index}`, expires.toISOString());
      })();
      database.close();
    };
    const start = (host: number) =>
      backend.call('POST', '/auth/device', { headers: { ...FORM, 'x-forwarded-for': `198.51.100.${host}` }, body: 'client_id=x' });
    fill(new Date(Date.now() + 60_000));
    expect(await start(1)).toMatchObject({ status: 429, code: 'RATE_LIMITED', headers: { 'retry-after': '60' } });
    expect(await shortLived.count('user-code')).toBeGreaterThanOrEqual(LIMITS.openDeviceAuthorizations);
    fill(new Date(Date.now() - 1));
    expect((await start(2)).status).toBe(200);
    expect(await shortLived.count('user-code')).toBeLessThan(20);
  });

  it('a person has at most LIMITS.challenges challenges in all organizations', async () => {
    const { shortLived } = backend.store;
    const expires = new Date(Date.now() + 60_000);
    for (let index = 1; index < LIMITS.challenges; index += 1)
      await shortLived.put('challenge', `${encodeURIComponent(OPERATOR)}:org-${index}:x`, { repository: 'x' }, expires);
    const ask = (as: string, repository = 'site') => backend.call('POST', '/config/acme/challenge.json', { as, body: { repository } });
    expect((await ask(OPERATOR)).status).toBe(200);
    expect((await ask(OPERATOR, 'one-more')).code).toBe('RATE_LIMITED');
    expect((await ask('somebody.else@example.com')).status).toBe(200);
  });

  it('challenges of many people displace those of the people with the most, and lock no one out', async () => {
    const { shortLived } = backend.store;
    const ask = (as: string) => backend.call('POST', '/config/acme/challenge.json', { as, body: { repository: 'site' } });
    const early = (await ask('early@example.com')).text;
    const open = await shortLived.count('challenge');
    const database = new Database(join(backend.dataDir, 'repoless.sqlite'));
    const put = database.prepare("insert or replace into short_lived (kind, key, value, expires) values ('challenge', ?, '{}', ?)");
    database.transaction(() => {
      for (let index = open; index < LIMITS.openDeviceAuthorizations; index += 1)
        put.run(`many-${index % LIMITS.challenges}%40example.com:org-${index}:x`, new Date(Date.now() + 48 * 3_600_000).toISOString());
    })();
    database.close();
    expect((await ask('late@example.com')).status).toBe(200);
    expect(await shortLived.count('challenge')).toBeLessThanOrEqual(LIMITS.openDeviceAuthorizations);
    expect((await ask('early@example.com')).text).toBe(early);
  });
});

describe('device codes', () => {
  let cookie: string;
  const service = startBeforeAll(() => startSessionService({ settings: { TRUST_PROXY: '127.0.0.1,::1' } }));

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const start = (address: string) =>
    fetch(`${service.address}/auth/device`, { method: 'POST', headers: from(address), body: new URLSearchParams({ client_id: 'x' }) });

  it('are issued LIMITS.deviceAuthorizations times per address, and again after 15 minutes', async () => {
    for (let count = 0; count < LIMITS.deviceAuthorizations; count += 1) expect((await start('198.51.100.1')).status).toBe(200);
    const refused = await start('198.51.100.1');
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600);
    expect((await start('198.51.100.2')).status).toBe(200);
    service.pass(15 * 60);
    expect((await start('198.51.100.1')).status).toBe(200);
  });

  const enter = async (code: string, address: string, who: string) => {
    cookie = `auth_token=${await service.token(who)}`;
    const headers = { ...from(address), cookie, accept: 'text/html' };
    return await fetch(`${service.address}/device?user_code=${code}`, { headers, redirect: 'manual' });
  };

  it('cannot be guessed: after 20 wrong ones the right one is refused, too', async () => {
    const { user_code: right } = DeviceAuthorization.parse(await (await start('198.51.100.3')).json());
    for (let count = 0; count < LIMITS.codeGuesses; count += 1)
      expect((await enter(`BCDF-GH${count}`, '198.51.100.4', `guesser${count}@example.com`)).status).toBe(200);
    const refused = await enter(right, '198.51.100.4', 'another@example.com');
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([429, 'RATE_LIMITED']);
    for (let count = 0; count < LIMITS.codeGuesses; count += 1)
      expect((await enter(`BCDF-GH${count}`, `198.51.101.${count}`, 'guesser@example.com')).status).toBe(200);
    expect((await enter(right, '198.51.102.1', 'guesser@example.com')).status).toBe(429);
    expect(await (await enter(right, '198.51.102.2', 'ada.admin@example.com')).text()).toContain(right);
    service.pass(15 * 60);
    expect((await enter('BCDF-GHJK', '198.51.100.4', 'guesser@example.com')).status).toBe(200);
  });

  it('that are made up are answered slow_down after LIMITS.codeGuesses attempts', async () => {
    const ask = async (address: string) => {
      const body = new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: 'made-up' });
      return DeviceTokenRefused.parse(
        await (await fetch(`${service.address}/auth/device/token`, { method: 'POST', headers: from(address), body })).json(),
      );
    };
    for (let count = 0; count < LIMITS.codeGuesses; count += 1) expect((await ask('198.51.100.5')).error).toBe('invalid_grant');
    expect((await ask('198.51.100.5')).error).toBe('slow_down');
    expect((await ask('198.51.100.6')).error).toBe('invalid_grant');
  });
});

describe('many sign-ins', () => {
  const ADA = { email: 'ada.admin@example.com', password: PASSWORD };
  const FORM = new URLSearchParams({ client_id: 'x' });

  const service = startBeforeAll(() => startSessionService({ identityProvider: 'sandbox', settings: { TRUST_PROXY: '127.0.0.1,::1' } }));

  /** How many values of a kind are stored. */
  function count(kind: string): number {
    const database = new Database(service.database);
    const row = database.prepare('select count(*) as many from short_lived where kind like ?').get(kind);
    database.close();
    return z.object({ many: z.number() }).parse(row).many;
  }

  /** Stores device authorizations of one network as the service does. */
  function fill(network: string, many: number): void {
    const database = new Database(service.database);
    const put = database.prepare("insert into short_lived (kind, key, value, expires) values ('user-code', ?, ?, ?)");
    const [started, expires] = [Date.now() + 120 * 60_000, Date.now() + 130 * 60_000];
    database.transaction(() => {
      for (let index = 0; index < many; index += 1) {
        const request = { device: `device-${index}`, userCode: `FILL-${index}`, started, expires, network };
        put.run(request.userCode, JSON.stringify(request), new Date(Date.now() + 600_000).toISOString());
      }
    })();
    database.close();
  }

  const from = (address: string) => ({ 'x-forwarded-for': address });
  /** An address whose /48 is this prefix of two groups and the index. */
  const of48 = (prefix: string, index: number) => from(`${prefix}:${index.toString(16)}::1`);

  describe('Sign-ins', () => {
    const login = (headers: Record<string, string>) =>
      fetch(`${service.address}/login`, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });

    it('start without a limit, store nothing, and lock out no one at the same address', async () => {
      for (let count = 0; count <= LIMITS.deviceAuthorizations; count += 1) {
        const started = await login({ 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' });
        await started.body?.cancel();
      }
      expect(count('%')).toBe(0);
      const visitor = createVisitor();
      expect((await visitor.submit(await visitor.open(`${service.address}/login`), ADA)).status).toBe(200);
      expect(visitor.cookie('auth_token')).toBeDefined();
      expect(visitor.cookie('sign_in')).toBeUndefined();
    });

    it('reveal nothing in their cookie and expire after 15 minutes', async () => {
      const visitor = createVisitor();
      const page = await visitor.open(`${service.address}/login?returnTo=/device`);
      const cookie = (visitor.cookie('sign_in') ?? '').split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      expect(cookie.join(' ')).not.toMatch(/nonce|codeVerifier|device/);
      service.pass(15 * 60);
      const late = await visitor.submit(page, ADA);
      expect([late.status, late.headers.get('x-error-code')]).toEqual([401, 'NOT_AUTHENTICATED']);
    });

    it('keep their cookie within 4096 bytes for a return path of the maximum length', async () => {
      expect((await login(from('198.51.100.9'))).status).toBe(302);
      const path = `/${'\u{8A9E}'.repeat(LIMITS.publicField - 1)}`;
      const long = await fetch(`${service.address}/login?returnTo=${encodeURIComponent(path)}`, {
        headers: { accept: 'text/html' },
        redirect: 'manual',
      });
      // The size up to which browsers store a name and its value (RFC 6265bis, section 5.6).
      const [cookie = ''] = long.headers.getSetCookie()[0]?.split(';') ?? [];
      expect(cookie.length).toBeGreaterThan(LIMITS.publicField);
      expect(cookie.length).toBeLessThanOrEqual(4096);
    });
  });

  describe('Device authorizations', () => {
    const start = async (headers: Record<string, string>) =>
      await fetch(`${service.address}/auth/device`, { method: 'POST', headers, body: FORM });
    const pending = async (deviceCode: string) => {
      const body = new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: deviceCode });
      return DeviceTokenRefused.parse(await (await fetch(`${service.address}/auth/device/token`, { method: 'POST', body })).json()).error;
    };

    it('cannot be started by pages of other origins, whose requests do not count against the address', async () => {
      const office = from('198.51.100.20');
      for (let count = 0; count <= LIMITS.deviceAuthorizations; count += 1) {
        const origin = count === 0 ? 'null' : 'https://evil.example.com';
        const refused = await start({ ...office, origin, 'sec-fetch-mode': 'no-cors' });
        expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'NOT_AUTHORIZED']);
      }
      for (let count = 0; count <= LIMITS.codeGuesses; count += 1) {
        const headers = { ...office, origin: 'https://evil.example.com' };
        const body = new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: 'made-up' });
        expect((await fetch(`${service.address}/auth/device/token`, { method: 'POST', headers, body })).status).toBe(403);
      }
      expect((await start({ ...office, origin: EXTENSION_ORIGIN })).status).toBe(200);
      expect((await start(office)).status).toBe(200);
    });

    it('are limited to LIMITS.startsOfNetwork per IPv6 network', async () => {
      const many = Array.from({ length: LIMITS.startsOfNetwork }, (_, index) => of48('2001:db8:1', index % 16));
      expect(new Set((await Promise.all(many.map(start))).map(({ status }) => status))).toEqual(new Set([200]));
      const refused = await start(of48('2001:db8:1', 0xff));
      expect([refused.status, refused.headers.get('x-error-code')]).toEqual([429, 'RATE_LIMITED']);
      expect((await start(of48('2001:db8:2', 1))).status).toBe(200);
    });

    it('of the network with the most are displaced at the limit', async () => {
      service.pass(60 * 60);
      const own = DeviceAuthorization.parse(await (await start(from('198.51.100.30'))).json());
      const started = DeviceAuthorization.parse(await (await start(of48('2001:db8:3', 1))).json());
      fill('2001:db8:3::/48', LIMITS.openDeviceAuthorizations - count('user-code'));
      const another = await start(from('198.51.100.31'));
      expect(another.status).toBe(200);
      const { device_code: code } = DeviceAuthorization.parse(await another.json());
      expect([await pending(own.device_code), await pending(code)]).toEqual(['authorization_pending', 'authorization_pending']);
      // The oldest above the limit is no longer known.
      expect(await pending(started.device_code)).toBe('invalid_grant');
      expect(count('user-code')).toBeLessThanOrEqual(LIMITS.openDeviceAuthorizations);
    });
  });
});
