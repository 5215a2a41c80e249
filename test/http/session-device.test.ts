import { DEVICE_GRANT, DeviceAuthorization, DeviceToken, DeviceTokenRefused } from '@repoless/contract/session.ts';
import { Database } from '@repoless/service/db/sqlite/connect.ts';
import { decodeJwt } from 'jose';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startTestBackend } from '../support/backend.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';
import type { Visited } from '../support/visitor.ts';
import { LIFETIME, startSessionService } from './session-service.ts';

const ADA = 'ada.admin@example.com';

describe('device authorization', () => {
  let cookie: string;

  const service = startBeforeAll(() => startSessionService());

  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${service.address}${path}`, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' });
  const startDevice = async () => {
    cookie = `auth_token=${await service.token(ADA)}`;
    return DeviceAuthorization.parse(await (await post('/auth/device', { client_id: 'repoless command line' })).json());
  };
  const ask = (code: string) => post('/auth/device/token', { grant_type: DEVICE_GRANT, device_code: code });
  const errorOf = async (answer: Response) => {
    expect(answer.status).toBe(400);
    return DeviceTokenRefused.parse(await answer.json()).error;
  };
  const page = async (path: string, headers: Record<string, string> = { cookie }): Promise<Visited> => {
    const answer = await fetch(`${service.address}${path}`, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });
    return { address: path, status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const nonceOf = (visited: Visited) => /name="nonce" value="([^"]+)"/.exec(visited.text)?.[1] ?? '';
  const decide = async (userCode: string, decision: string, headers: Record<string, string> = { cookie }) => {
    const nonce = nonceOf(await page(`/device?user_code=${userCode}`));
    return await post('/device', { user_code: userCode, decision, nonce }, headers);
  };

  it('gives the device its token once its user has allowed it, and only once', async () => {
    const started = await startDevice();
    expect(started.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(started.verification_uri_complete).toBe(`${service.address}/device?user_code=${started.user_code}`);
    expect(await errorOf(await ask(started.device_code))).toBe('authorization_pending');
    const shown = await page(`/device?user_code=${started.user_code}`);
    expect(shown.text).toContain('repoless command line');
    expect(shown.text).toContain(ADA);
    expect(shown.text.replaceAll(/\s+/g, ' ')).toContain('For 60 minutes, it could then do everything that you may do');
    expect((await decide(started.user_code, 'allow')).status).toBe(200);
    service.pass(started.interval);
    const answer = await ask(started.device_code);
    expect(answer.status).toBe(200);
    const { access_token: token, token_type: type } = DeviceToken.parse(await answer.json());
    expect(type).toBe('Bearer');
    expect(decodeJwt(token)).toMatchObject({ email: ADA, iss: service.address });
    service.pass(started.interval);
    expect(await errorOf(await ask(started.device_code))).toBe('invalid_grant');
  });

  it('gives a token that ends with the session that allowed it, so that no session is prolonged', async () => {
    const session = await service.token(ADA);
    const { exp } = decodeJwt(session);
    service.pass(LIFETIME - 20 * 60);
    const ofSession = { cookie: `auth_token=${session}` };
    const started = await startDevice();
    const shown = await page(`/device?user_code=${started.user_code}`, ofSession);
    expect(shown.text.replaceAll(/\s+/g, ' ')).toContain('For 20 minutes, it could then do everything that you may do');
    const allowed = { user_code: started.user_code, decision: 'allow', nonce: nonceOf(shown) };
    expect((await post('/device', allowed, ofSession)).status).toBe(200);
    const { access_token: token, expires_in: left } = DeviceToken.parse(await (await ask(started.device_code)).json());
    expect(decodeJwt(token).exp).toBe(exp);
    expect(left).toBeLessThanOrEqual(20 * 60);
  });

  it('gives no token after the session that allowed it has ended', async () => {
    const ofSession = { 'x-auth-token': await service.token(ADA) };
    service.pass(LIFETIME - 60);
    const started = await startDevice();
    const shown = await page(`/device?user_code=${started.user_code}`, ofSession);
    const allowed = { user_code: started.user_code, decision: 'allow', nonce: nonceOf(shown) };
    expect((await post('/device', allowed, ofSession)).status).toBe(200);
    service.pass(61);
    const refused = await ask(started.device_code);
    expect(DeviceTokenRefused.parse(await refused.json())).toEqual({
      error: 'access_denied',
      error_description: 'The session that allowed the device has ended. Start again.',
    });
  });

  it('accepts a decision that an earlier version stored without the end of its session', async () => {
    const started = await startDevice();
    const device = createHash('sha256').update(started.device_code).digest('base64url');
    const decision = { decision: 'allow', identity: { email: ADA }, issuedAfter: 0 };
    await service.backend.store.shortLived.put('device', `${device}.decision`, decision, new Date(Date.now() + 10 * LIFETIME * 1000));
    expect(DeviceToken.parse(await (await ask(started.device_code)).json()).expires_in).toBe(LIFETIME);
  });

  it('accepts a code without its hyphen and in lower case', async () => {
    const started = await startDevice();
    const typed = started.user_code.toLowerCase().replace('-', ' ');
    expect((await page(`/device?user_code=${encodeURIComponent(typed)}`)).text).toContain(started.user_code);
  });

  it('gives the token to one of two concurrent requests', async () => {
    const started = await startDevice();
    await decide(started.user_code, 'allow');
    const answers = await Promise.all([ask(started.device_code), ask(started.device_code)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it('gives the token to one of many requests that reach several nodes at once', async () => {
    const open = async () => ({ ...service.backend.store, close: async () => undefined });
    const nodes = await Promise.all(
      Array.from({ length: 6 }, () => stopAfterTest(startTestBackend({ claim: false, dryRun: false, open }))),
    );
    const started = await startDevice();
    await decide(started.user_code, 'allow');
    // Each node counts the pace of polls by itself, so none of these comes too soon.
    const body = new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: started.device_code });
    const answers = await Promise.all(nodes.map(({ address }) => fetch(`${address}/auth/device/token`, { method: 'POST', body })));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    const errors = await Promise.all(answers.filter((answer) => !given.includes(answer)).map(errorOf));
    expect(errors).toEqual(nodes.slice(1).map(() => 'invalid_grant'));
  });

  it('requires slower requests, and even slower ones after that', async () => {
    const started = await startDevice();
    expect(await errorOf(await ask(started.device_code))).toBe('authorization_pending');
    expect(await errorOf(await ask(started.device_code))).toBe('slow_down');
    service.pass(started.interval + 1);
    expect(await errorOf(await ask(started.device_code))).toBe('slow_down');
    service.pass(started.interval + 10);
    expect(await errorOf(await ask(started.device_code))).toBe('authorization_pending');
  });

  it('writes nothing for requests that come too soon', async () => {
    const started = await startDevice();
    const database = new Database(service.database);
    // The data version of this connection, which increases with each commit of another.
    const version = () => JSON.stringify(database.prepare('pragma data_version').get());
    expect(await errorOf(await ask(started.device_code))).toBe('authorization_pending');
    const before = version();
    for (let count = 0; count < 100; count += 1) expect(await errorOf(await ask(started.device_code))).toBe('slow_down');
    expect(version()).toBe(before);
    await startDevice();
    expect(version()).not.toBe(before);
    database.close();
    // Also when it is due again, and its time has passed.
    service.pass(600);
    expect(await errorOf(await ask(started.device_code))).toBe('expired_token');
  });

  it('allows signing out on its page', async () => {
    const started = await startDevice();
    for (const path of ['/device', `/device?user_code=${started.user_code}`]) {
      expect((await page(path)).text).toContain('<a href="/logout">Sign out</a>');
    }
  });

  it('reports the denial to the device once', async () => {
    const started = await startDevice();
    expect((await decide(started.user_code, 'deny')).status).toBe(200);
    expect(await errorOf(await ask(started.device_code))).toBe('access_denied');
    service.pass(started.interval);
    expect(await errorOf(await ask(started.device_code))).toBe('invalid_grant');
  });

  it('expires: the device is notified, and the code can no longer be entered', async () => {
    const started = await startDevice();
    service.pass(started.expires_in + 1);
    expect(await errorOf(await ask(started.device_code))).toBe('expired_token');
    cookie = `auth_token=${await service.token(ADA)}`;
    expect((await page(`/device?user_code=${started.user_code}`)).text).toContain('No device is waiting');
  });

  it.each([
    ['an unknown code', { grant_type: DEVICE_GRANT, device_code: 'made-up' }, 'invalid_grant'],
    ['no code', { grant_type: DEVICE_GRANT }, 'invalid_request'],
    ['another grant', { grant_type: 'password', device_code: 'made-up' }, 'unsupported_grant_type'],
  ])('refuses %s in the form of RFC 8628', async (_, form, error) => {
    expect(await errorOf(await post('/auth/device/token', form))).toBe(error);
  });

  it('redirects to the sign-in, which returns to the code', async () => {
    const answer = await page('/device?user_code=BCDF-GHJK', {});
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`/login?returnTo=${encodeURIComponent('/device?user_code=BCDF-GHJK')}`);
  });

  it('accepts a decision only from its own page: not without its nonce, not twice, not from another session or origin', async () => {
    const started = await startDevice();
    const { user_code: code } = started;
    expect((await post('/device', { user_code: code, decision: 'allow', nonce: 'made-up' }, { cookie })).status).toBe(403);
    expect((await decide(code, 'allow', {})).status).toBe(401);
    expect((await decide(code, 'allow', { cookie, origin: 'http://evil.example.com' })).status).toBe(401);
    expect((await decide(code, 'allow', { cookie: `auth_token=${await service.token('sam@example.com')}` })).status).toBe(403);
    expect(await errorOf(await ask(started.device_code))).toBe('authorization_pending');
    const nonce = nonceOf(await page(`/device?user_code=${code}`));
    expect((await post('/device', { user_code: code, decision: 'allow', nonce }, { cookie })).status).toBe(200);
    expect((await post('/device', { user_code: code, decision: 'allow', nonce }, { cookie })).status).toBe(403);
  });

  it('escapes the name of a device', async () => {
    cookie = `auth_token=${await service.token(ADA)}`;
    const name = '<img src=x onerror=alert(1)>';
    const started = DeviceAuthorization.parse(await (await post('/auth/device', { client_id: name })).json());
    const { text } = await page(`/device?user_code=${started.user_code}`);
    expect(text).toContain('&#60;img src=x onerror=alert(1)&#62;');
    expect(text).not.toContain(name);
  });
});
