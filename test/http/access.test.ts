import { beforeAll, describe, expect, it } from 'vitest';
import { Rollout } from '@repoless/contract/rollout.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestAnswer } from '../support/ask.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ApiKeyInfo, ApiKeyList, CreatedApiKey } from '@repoless/contract/credentials.ts';
import { CreatedSubscription, SubscriptionList, type Subscription } from '@repoless/contract/event.ts';

const ADA = 'ada@example.com';
const CARL = 'carl@agency.example.com';
const ORG_CARLA = 'carla@example.com';
const SITE = '/config/wknd/sites/guarded';
const PROFILE = '/config/wknd/profiles/guards';
const READERS = { live: { allow: ['boss@example.com'] } };
const backend = startBeforeAll(() =>
  startTestBackend({
    users: [
      { email: OPERATOR, roles: ['admin'] },
      { email: ORG_CARLA, roles: ['config_admin'] },
    ],
    profiles: { guards: { access: READERS, sidekick: { project: 'x' } }, open: { sidekick: { project: 'x' } } },
    sites: { guarded: { access: access() }, inheriting: { extends: { profile: 'guards' } } },
  }),
);

const access = (more: object = READERS) => ({ admin: { role: { admin: [ADA], config_admin: [CARL] } }, ...more });
const call = (method: string, path: string, as: string, body?: unknown) =>
  backend.call(method, path, { as, ...(body === undefined ? {} : { body }) });
const refusal = ({ status, headers }: TestAnswer) => [status, headers['x-error-code']];
const REFUSED = [403, 'NOT_AUTHORIZED'];

describe('Host access of a site', () => {
  it('is shown by a dry run without members of organization groups, unless the caller may read those', async () => {
    const group = { members: [{ email: 'hidden@example.com' }] };
    expect((await call('POST', '/config/wknd/groups/agency.json', OPERATOR, group)).status).toBe(200);
    const draft = { admin: { role: { admin: [ADA, 'groups/agency'], config_admin: [CARL] } }, ...READERS };
    const dryRunAs = async (as: string) => JSON.stringify((await call('POST', `${SITE}/access.json?dryRun=true`, as, draft)).json());
    expect(await dryRunAs(OPERATOR)).toContain('hidden@example.com');
    expect((await call('GET', '/config/wknd/groups/agency.json', ADA)).status).toBe(404);
    const answer = await dryRunAs(ADA);
    expect(answer).toContain('groups/agency');
    expect(answer).not.toContain('hidden@example.com');
  });

  it.each(['site', 'preview', 'live'])('is changed only by admins of the site: access/%s', async (host) => {
    for (const query of ['', '?dryRun=true'])
      expect(refusal(await call('POST', `${SITE}/access/${host}.json${query}`, CARL, { requireAuth: false }))).toEqual(REFUSED);
    expect(refusal(await call('DELETE', `${SITE}/access/${host}.json`, CARL))).toEqual(REFUSED);
    expect((await call('POST', `${SITE}/access/${host}.json`, ADA, { allow: ['boss@example.com'] })).status).toBe(200);
  });

  it('cannot be changed by a config_admin who replaces the site, unlike the rest', async () => {
    const current = (await call('GET', `${SITE}/access.json`, CARL)).json() as object;
    for (const other of [
      { ...current, live: { allow: [CARL] } },
      { ...current, live: undefined },
      { ...current, preview: { requireAuth: false } },
    ]) {
      const answer = await call('PUT', `${SITE}.json`, CARL, { access: other });
      expect(refusal(answer)).toEqual(REFUSED);
      expect(answer.error).toBe('Only an admin may change who administers the site or reads its hosts (access and groups).');
    }
    expect((await call('PUT', `${SITE}.json`, CARL, { access: current, sidekick: { project: 'mine' } })).status).toBe(200);
    expect((await call('GET', `${SITE}/access/live.json`, CARL)).status).toBe(200);
  });

  it('cannot be changed by a config_admin who selects another profile', async () => {
    for (const profile of ['open', undefined]) {
      const answer = await call('POST', '/config/wknd/sites/inheriting/extends.json', ORG_CARLA, profile === undefined ? {} : { profile });
      expect(refusal(answer)).toEqual(REFUSED);
    }
  });

  it('is changed in profiles only by admins of the organization; a config_admin may change the rest', async () => {
    expect(refusal(await call('POST', `${PROFILE}/access/live.json`, ORG_CARLA, { requireAuth: false }))).toEqual(REFUSED);
    expect(refusal(await call('PUT', `${PROFILE}.json`, ORG_CARLA, { sidekick: { project: 'y' } }))).toEqual(REFUSED);
    expect((await call('PUT', `${PROFILE}.json`, ORG_CARLA, { access: READERS, sidekick: { project: 'y' } })).status).toBe(200);
    expect((await call('POST', `${PROFILE}/access/live.json`, OPERATOR, READERS.live)).status).toBe(200);
  });

  it('is preserved by a profile rollout, which a config_admin of the organization may start', async () => {
    const second = siteBody('wknd', 'inheriting-too', { extends: { profile: 'guards' } });
    expect((await call('PUT', '/config/wknd/sites/inheriting-too.json', OPERATOR, second)).status).toBe(201);
    const config = { access: READERS, sidekick: { project: 'rolled out' } };
    const rollout = { title: 'Sidekick', profile: 'guards', config, waves: [1, '100%'] };
    const started = Rollout.parse((await call('POST', '/config/wknd/rollouts.json', ORG_CARLA, rollout)).json());
    const state = async () => Rollout.parse((await call('GET', `/config/wknd/rollouts/${started.id}.json`, ORG_CARLA)).json()).state;
    await expect.poll(state, { timeout: 20_000, interval: 20 }).not.toMatch(/running|undoing/);
    expect(await state()).toBe('done');
    for (const site of ['inheriting', 'inheriting-too'])
      expect((await call('GET', `/config/wknd/aggregated/${site}.json`, ORG_CARLA)).json()).toMatchObject(config);
    const open = { ...rollout, config: { sidekick: { project: 'x' } } };
    expect(refusal(await call('POST', '/config/wknd/rollouts.json', ORG_CARLA, open))).toEqual(REFUSED);
  });
});

describe('A new site', () => {
  const fresh = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
    call('PUT', `/config/wknd/sites/${name}.json`, ORG_CARLA, siteBody('wknd', name, more));

  it('can be created by a config_admin of the organization, with the access and groups of its profile', async () => {
    const groups = { g: { members: [{ email: 'x@example.com' }] } };
    const people = { access: { admin: { role: { author: ['groups/g'] } }, ...READERS }, groups };
    expect((await call('PUT', '/config/wknd/profiles/default.json', OPERATOR, people)).status).toBe(201);
    expect((await fresh('by-default')).status).toBe(201);
    expect((await fresh('by-name', { extends: { profile: 'guards' } })).status).toBe(201);
    expect((await fresh('by-none', { extends: {} })).status).toBe(201);
    const aggregate = (await call('GET', '/config/wknd/aggregated/by-default.json', ORG_CARLA)).json();
    expect(aggregate).toMatchObject(people);
  });

  it('cannot be given its own access or groups by a config_admin', async () => {
    const own = [
      { access: access({}) },
      { access: { live: { allow: ['z@example.com'] } } },
      { groups: { h: { members: [{ email: 'y@example.com' }] } } },
    ];
    for (const more of own) expect(refusal(await fresh('named', more))).toEqual(REFUSED);
  });
});

describe('requireAuth of a site', () => {
  const STRANGER = 'sam.stranger@example.com';
  const ADA = 'ada.admin@example.com';
  const VALUES = { auto: 'auto', yes: true, no: false, none: undefined } as const;
  const OPEN = ['no', 'no-text'];

  const backend = startBeforeAll(() => {
    const sites = Object.entries(VALUES).map(([site, requireAuth]) => {
      const admin = { role: { admin: [ADA], author: ['groups/writers'] }, ...(requireAuth !== undefined && { requireAuth }) };
      const groups = { writers: { members: [{ email: 'wanda.writer@example.com' }] } };
      const cdn = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 's1', authToken: 'hush-hush' } };
      return [site, { access: { admin }, groups, cdn, public: publicPart(site) }];
    });
    return startTestBackend({ sites: Object.fromEntries(sites) });
  });

  describe.each(Object.keys(VALUES))('requireAuth on the site "%s"', (site) => {
    it('opens all reads of the site or none', async () => {
      const paths = ['', '/content', '/code', '/public', '/cdn'].map((part) => `/config/wknd/sites/${site}${part}.json`);
      for (const path of [...paths, `/config/wknd/aggregated/${site}.json`, `/job/wknd/${site}/main/code`, `/code/wknd/${site}/*`]) {
        const expected = OPEN.includes(site) ? [200, 200] : [401, 404];
        const answers = [await backend.call('GET', path), await backend.call('GET', path, { as: STRANGER })];
        expect([path, ...answers.map(({ status }) => status)]).toEqual([path, ...expected]);
        for (const { text } of answers) expect(text).not.toMatch(/hush-hush|ada\.admin|wanda\.writer/);
      }
    });

    it('never opens access, groups, keys, secrets, history or writes', async () => {
      const closed = [
        'access',
        'access/admin',
        'groups/writers',
        'versions',
        'versions/1',
        'log',
        'secrets',
        'secrets/any',
        'apiKeys',
        'apiKeys/any',
      ];
      for (const part of closed) expect([part, await status('GET', `/config/wknd/sites/${site}/${part}.json`)]).toEqual([part, [401, 404]]);
      for (const path of ['/config/wknd.json', '/config/wknd/sites.json', '/config/wknd/users.json', '/config/wknd/log.json'])
        expect([path, await status('GET', path)]).toEqual([path, [401, 404]]);
      for (const query of ['migrate=true', 'migrate=true&owner=wknd&repo=legacy'])
        expect([query, await status('GET', `${address(site)}?${query}`)]).toEqual([query, [401, 404]]);
      expect(await status('POST', `/config/wknd/sites/${site}/sidekick.json`, { project: 'mine' })).toEqual([401, 404]);
      expect(await status('DELETE', address(site))).toEqual([401, 404]);
    });

    it('shows everything to an admin of the site', async () => {
      const answer = await backend.call('GET', address(site), { as: ADA });
      expect(answer.json()).toMatchObject({
        access: { admin: { role: { admin: [ADA] } } },
        groups: {},
        cdn: { prod: { authToken: 'hush-hush' } },
      });
    });
  });

  it.each(['never', 'true', 'false', 1, null])('refuses any other value: %j', async (requireAuth) => {
    const answer = await backend.call('POST', '/config/wknd/sites/auto/access/admin.json', { as: ADA, body: { requireAuth } });
    expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    expect(answer.error).toContain('Write true, false or "auto"');
  });

  function address(site: string): string {
    return `/config/wknd/sites/${site}.json`;
  }

  async function status(method: string, path: string, body?: unknown): Promise<number[]> {
    const request = body === undefined ? {} : { body };
    const answers = [await backend.call(method, path, request), await backend.call(method, path, { ...request, as: STRANGER })];
    return answers.map((answer) => answer.status);
  }
});

describe('API keys of a person who leaves', () => {
  const OTTO = 'otto@example.com';
  const ORG_KEYS = '/config/wknd/apiKeys.json';
  const SITE_KEYS = '/config/wknd/sites/first/apiKeys.json';
  const SUBSCRIPTIONS = '/config/wknd/subscriptions.json';
  const ADMIN = { roles: ['admin'] };
  const backend = startBeforeAll(() => startTestBackend({ sites: { first: {} } }));
  beforeAll(async () => {
    const user = await backend.call('POST', '/config/wknd/users.json', { as: OPERATOR, body: { email: OTTO, roles: ['admin'] } });
    expect(user.status, user.text).toBe(200);
  });

  describe('what a person creates with a key', () => {
    it('is listed as theirs through a chain of keys, and the audit trail names the key', async () => {
      const first = createdKey(await backend.call('POST', ORG_KEYS, { as: OTTO, body: ADMIN }));
      const dryRun = await by(first.value, 'POST', `${ORG_KEYS}?dryRun=true`, ADMIN);
      expect([dryRun.status, dryRun.json()]).toMatchObject([200, { result: { createdBy: OTTO } }]);
      const second = createdKey(await by(first.value, 'POST', ORG_KEYS, ADMIN));
      const third = createdKey(await by(second.value, 'POST', SITE_KEYS, ADMIN));
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

    it('is removed and invalid once everything listed as theirs is deleted', async () => {
      const first = createdKey(await backend.call('POST', ORG_KEYS, { as: OTTO, body: ADMIN }));
      const second = createdKey(await by(first.value, 'POST', ORG_KEYS, ADMIN));
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

    it('is attributed as far as known if an earlier version stored the key', async () => {
      const first = createdKey(await backend.call('POST', ORG_KEYS, { as: OPERATOR, body: ADMIN }));
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

  function createdKey(answer: TestAnswer): CreatedApiKey {
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
});
