import { beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyInfo, ApiKeyList, CreatedApiKey } from '@repoless/contract/credentials.ts';
import { CreatedSubscription, type Subscription, SubscriptionList } from '@repoless/contract/event.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestAnswer } from '../support/ask.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const OTTO = 'otto@example.com';
const ORG_KEYS = '/config/wknd/apiKeys.json';
const SITE_KEYS = '/config/wknd/sites/first/apiKeys.json';
const SUBSCRIPTIONS = '/config/wknd/subscriptions.json';
const ADMIN = { roles: ['admin'] };
const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  await backend.call('PUT', '/config/wknd/sites/first.json', { as: OPERATOR, body: siteBody('wknd', 'first') });
  const user = await backend.call('POST', '/config/wknd/users.json', { as: OPERATOR, body: { email: OTTO, roles: ['admin'] } });
  expect(user.status, user.text).toBe(200);
});

describe('what somebody made with a key', () => {
  it('is shown as theirs, however many keys lie between, and the audit trail names the key', async () => {
    const first = made(await backend.call('POST', ORG_KEYS, { as: OTTO, body: ADMIN }));
    const tried = await by(first.value, 'POST', `${ORG_KEYS}?dryRun=true`, ADMIN);
    expect([tried.status, tried.json()]).toMatchObject([200, { result: { createdBy: OTTO } }]);
    const second = made(await by(first.value, 'POST', ORG_KEYS, ADMIN));
    const third = made(await by(second.value, 'POST', SITE_KEYS, ADMIN));
    const subscription = CreatedSubscription.parse((await by(second.value, 'POST', SUBSCRIPTIONS, WEBHOOK)).json());

    expect([second.createdBy, third.createdBy, subscription.createdBy]).toEqual([OTTO, OTTO, OTTO]);
    expect(Object.values(await keys(ORG_KEYS)).map(({ createdBy }) => createdBy)).toEqual([OTTO, OTTO]);
    expect(Object.values(await keys(SITE_KEYS)).map(({ createdBy }) => createdBy)).toEqual([OTTO]);
    expect((await subscriptions()).map(({ createdBy }) => createdBy)).toEqual([OTTO]);
    const audits = await backend.store.reads.audits('wknd', { limit: 50 });
    expect(audits).toContainEqual(expect.objectContaining({ user: `api-key:${first.id}`, action: `create-api-key/${second.id}` }));
    const subscribed = { user: `api-key:${second.id}`, action: `create-subscription/${subscription.id}` };
    expect(audits).toContainEqual(expect.objectContaining(subscribed));
  });

  it('is all gone, and nothing of it good any more, when what the lists show as theirs is deleted', async () => {
    const first = made(await backend.call('POST', ORG_KEYS, { as: OTTO, body: ADMIN }));
    const second = made(await by(first.value, 'POST', ORG_KEYS, ADMIN));
    const users = await backend.call('GET', '/config/wknd/users.json', { as: OPERATOR });
    const otto = (users.json() as { id: string; email: string }[]).find(({ email }) => email === OTTO);
    expect((await backend.call('DELETE', `/config/wknd/users/${otto?.id}.json`, { as: OPERATOR })).status).toBe(204);
    for (const path of [ORG_KEYS, SITE_KEYS])
      for (const { id, createdBy } of Object.values(await keys(path)))
        if (createdBy === OTTO)
          expect((await backend.call('DELETE', path.replace('.json', `/${id}.json`), { as: OPERATOR })).status).toBe(204);
    for (const { value } of [first, second]) expect((await by(value, 'GET', '/config/wknd.json')).status).toBe(401);
    expect([await keys(ORG_KEYS), await keys(SITE_KEYS)]).toEqual([{}, {}]);
  });

  it('is theirs as far as it is known, where a version before stored the key', async () => {
    const first = made(await backend.call('POST', ORG_KEYS, { as: OPERATOR, body: ADMIN }));
    const about = { org: 'wknd', roles: ['admin'] as const, created: new Date(), expires: new Date(Date.now() + 60_000) };
    await backend.store.write(async (writes) => {
      await writes.putApiKey({ ...about, id: 'older', createdBy: `api-key:${first.id}` });
      await writes.putApiKey({ ...about, id: 'oldest', createdBy: 'api-key:gone' });
    });
    const listed = await keys(ORG_KEYS);
    expect([listed['older']?.createdBy, listed['oldest']?.createdBy]).toEqual([OPERATOR, 'api-key:gone']);
    const one = await backend.call('GET', '/config/wknd/apiKeys/older.json', { as: OPERATOR });
    expect(ApiKeyInfo.parse(one.json())).toEqual(listed['older']);
    const ifMatch = { 'if-match': one.headers['etag'] ?? '' };
    expect((await backend.call('DELETE', '/config/wknd/apiKeys/older.json', { as: OPERATOR, headers: ifMatch })).status).toBe(204);
  });
});

const WEBHOOK = { channel: { type: 'webhook', url: 'https://hooks.example.com/events' } };

function made(answer: TestAnswer): CreatedApiKey {
  expect(answer.status, answer.text).toBe(201);
  return CreatedApiKey.parse(answer.json());
}

function by(token: string, method: string, path: string, body?: unknown): Promise<TestAnswer> {
  return backend.call(method, path, { headers: { 'x-auth-token': token }, ...(body !== undefined && { body }) });
}

async function keys(path: string): Promise<ApiKeyList> {
  return ApiKeyList.parse((await backend.call('GET', path, { as: OPERATOR })).json());
}

async function subscriptions(): Promise<Subscription[]> {
  return SubscriptionList.parse((await backend.call('GET', SUBSCRIPTIONS, { as: OPERATOR })).json()).subscriptions;
}
