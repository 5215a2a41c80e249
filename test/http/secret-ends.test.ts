import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventList } from '@repoless/contract/event.ts';
import { GeneratedSecret, SecretList } from '@repoless/contract/secret.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { eachStore } from '../support/each-store.ts';

const DAY = 24 * 60 * 60_000;
const SITE = '/config/wknd/sites/one';
const VALUE = 'a-value-that-nobody-sees';

eachStore((engine) => {
  let backend: TestBackend;
  /** Milliseconds by which the service's clock is ahead. */
  let ahead = 0;

  beforeEach(async () => {
    ahead = 0;
    const store = await engine.open();
    backend = await startTestBackend({ open: async () => store, now: () => new Date(Date.now() + ahead) });
    expect((await call('PUT', `${SITE}.json`, siteBody('wknd', 'one'))).status).toBe(201);
  });
  afterEach(() => backend.stop());

  const call = (method: string, path: string, body?: unknown) =>
    backend.call(method, path, { as: OPERATOR, ...(body === undefined ? {} : { body }) });
  const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  const kept = (more: object) => ({ id: 'x', type: 'key', created: inDays(-1), lastModified: inDays(-1), ...more });
  const secrets = async () => SecretList.parse((await call('GET', `${SITE}/secrets.json`)).json());
  const events = async () => EventList.parse((await call('GET', '/config/wknd/events.json')).json()).events;
  const told = async () => (await events()).map(({ about, phase, site }) => [about, phase, site ?? ''].join(' ').trim());

  /** Waits until the service has looked for what ends, as it does every ten minutes: `until` holds. */
  async function look(until: () => Promise<unknown>): Promise<void> {
    ahead += 11 * 60_000;
    await vi.waitFor(until, { timeout: 10_000, interval: 50 });
  }

  it('is told once of each secret that ends within two weeks, wherever it belongs', async () => {
    const [soon, late] = [inDays(13), inDays(20)];
    expect((await call('POST', `${SITE}/secrets/vendor.json`, { value: VALUE, expires: soon })).json()).toMatchObject({ expires: soon });
    expect((await call('POST', `${SITE}/secrets/later.json`, { value: VALUE, expires: late })).status).toBe(200);
    const made = GeneratedSecret.parse((await call('POST', `${SITE}/secrets.json`, { expires: '2999-01-31T12:00:00+02:00' })).json());
    expect(made.expires).toBe('2999-01-31T10:00:00.000Z');
    const profile = { secrets: { shared: kept({ value: VALUE, expires: soon }) } };
    expect((await call('PUT', '/config/wknd/profiles/base.json', profile)).status).toBe(201);
    const users = [{ id: '1', email: OPERATOR, roles: ['admin'] }];
    const organization = { users, secrets: { own: kept({ value: VALUE, expires: soon }) } };
    expect((await call('POST', '/config/wknd.json', organization)).status).toBe(200);

    const all = ['own began', 'profiles/base/shared began', 'vendor began one'];
    await look(async () => expect((await told()).toSorted()).toEqual(all));
    expect((await events())[0]).toMatchObject({ kind: 'secret-ends', detail: soon, open: true });
    const listed = await secrets();
    expect([listed['vendor']?.expires, listed['later']?.expires, listed[made.id]?.expires]).toEqual([soon, late, made.expires]);
    await look(async () => expect((await told()).toSorted()).toEqual(all));

    expect((await call('POST', '/config/wknd.json', { users })).status).toBe(200);
    expect((await call('PUT', '/config/wknd/profiles/base.json', { secrets: { shared: kept({ expires: late }) } })).status).toBe(200);
    expect((await call('POST', `${SITE}/secrets/vendor.json`, { value: VALUE })).json()).not.toHaveProperty('expires');
    await look(async () => expect((await told()).filter((one) => one.includes('ended'))).toHaveLength(3));
    expect((await events()).filter(({ open }) => open)).toEqual([]);
    expect(JSON.stringify([await events(), await secrets()])).not.toContain(VALUE);
  });

  it('is told of no secret that was removed, and goes on with one whose document comes back redacted', async () => {
    const [soon, sooner] = [inDays(13), inDays(5)];
    const put = async (secret: object) =>
      expect((await call('PUT', `${SITE}.json`, siteBody('wknd', 'one', { secrets: { vendor: secret } }))).status).toBe(200);
    await put(kept({ value: VALUE, expires: soon }));
    await call('POST', `${SITE}/secrets/removed.json`, { value: VALUE, expires: soon });
    await call('DELETE', `${SITE}/secrets/removed.json`);
    await put(kept({}));
    expect((await secrets())['vendor']?.expires).toBe(soon);
    await look(async () => expect(await told()).toEqual(['vendor began one']));
    await put(kept({ expires: sooner }));
    expect((await secrets())['vendor']?.expires).toBe(sooner);

    // A version that is brought back says when another value ended.
    await call('POST', `${SITE}/secrets/vendor.json`, { value: 'another-value', expires: soon });
    expect((await call('POST', `${SITE}.json?restoreVersion=4`)).status).toBe(200);
    expect((await secrets())['vendor']?.expires).toBe(soon);
  });

  it('refuses an end that is over, and one that is no time', async () => {
    for (const expires of [inDays(-1), 'tomorrow', '2999-01-31', 5]) {
      const answers = await Promise.all([
        call('POST', `${SITE}/secrets/vendor.json`, { value: VALUE, expires }),
        call('POST', `${SITE}/secrets.json`, { expires }),
        call('PUT', `${SITE}.json`, siteBody('wknd', 'one', { secrets: { vendor: kept({ value: VALUE, expires }) } })),
      ]);
      for (const { status, headers, text } of answers) {
        expect([status, headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
        expect(text).not.toContain(VALUE);
      }
    }
    expect(await secrets()).toEqual({});
  });

  it('lets nobody in by a secret of the service that has ended', async () => {
    const { id, value } = GeneratedSecret.parse((await call('POST', `${SITE}/secrets.json`, { expires: inDays(1) })).json());
    expect((await call('POST', `${SITE}/access.json`, { site: { secretId: [id] } })).status).toBe(200);
    const visit = async () =>
      (await backend.visit('live', 'main--one--wknd', '/page', { headers: { authorization: `token ${value}` } })).status;
    expect(await visit()).not.toBe(401);
    ahead = 1.1 * DAY;
    expect(await visit()).toBe(401);
  });
});
