import { beforeAll, describe, expect, it } from 'vitest';
import { Rollout } from '@repoless/contract/rollout.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestAnswer } from '../support/ask.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ADA = 'ada@example.com';
const CARL = 'carl@agency.example.com';
const ORG_CARLA = 'carla@example.com';
const SITE = '/config/wknd/sites/guarded';
const PROFILE = '/config/wknd/profiles/guards';
const READERS = { live: { allow: ['boss@example.com'] } };
const backend = startBeforeAll(() => startTestBackend({ orgs: ['wknd'] }));
beforeAll(async () => {
  const users = [
    { email: OPERATOR, roles: ['admin'] },
    { email: ORG_CARLA, roles: ['config_admin'] },
  ];
  expect((await call('PUT', '/config/wknd.json', OPERATOR, { users })).status).toBe(200);
  expect((await call('PUT', `${PROFILE}.json`, OPERATOR, { access: READERS, sidekick: { project: 'x' } })).status).toBe(201);
  expect((await call('PUT', '/config/wknd/profiles/open.json', OPERATOR, { sidekick: { project: 'x' } })).status).toBe(201);
  expect((await call('PUT', `${SITE}.json`, OPERATOR, siteBody('wknd', 'guarded', { access: access() }))).status).toBe(201);
  const inheriting = siteBody('wknd', 'inheriting', { extends: { profile: 'guards' } });
  expect((await call('PUT', '/config/wknd/sites/inheriting.json', OPERATOR, inheriting)).status).toBe(201);
});

const access = (more: object = READERS) => ({ admin: { role: { admin: [ADA], config_admin: [CARL] } }, ...more });
const call = (method: string, path: string, as: string, body?: unknown) =>
  backend.call(method, path, { as, ...(body === undefined ? {} : { body }) });
const refusal = ({ status, headers }: TestAnswer) => [status, headers['x-error-code']];
const REFUSED = [403, 'NOT_AUTHORIZED'];

describe('Who reads the hosts of a site', () => {
  it.each(['site', 'preview', 'live'])('is said by its admins alone: access/%s', async (host) => {
    for (const query of ['', '?dryRun=true'])
      expect(refusal(await call('POST', `${SITE}/access/${host}.json${query}`, CARL, { requireAuth: false }))).toEqual(REFUSED);
    expect(refusal(await call('DELETE', `${SITE}/access/${host}.json`, CARL))).toEqual(REFUSED);
    expect((await call('POST', `${SITE}/access/${host}.json`, ADA, { allow: ['boss@example.com'] })).status).toBe(200);
  });

  it('is changed by no whole site of somebody else, who goes on to configure the rest', async () => {
    const present = (await call('GET', `${SITE}/access.json`, CARL)).json() as object;
    for (const other of [
      { ...present, live: { allow: [CARL] } },
      { ...present, live: undefined },
      { ...present, preview: { requireAuth: false } },
    ]) {
      const answer = await call('PUT', `${SITE}.json`, CARL, { access: other });
      expect(refusal(answer)).toEqual(REFUSED);
      expect(answer.headers['x-error']).toBe('Only an admin may change who administers the site or reads its hosts (access and groups).');
    }
    expect((await call('PUT', `${SITE}.json`, CARL, { access: present, sidekick: { project: 'mine' } })).status).toBe(200);
    expect((await call('GET', `${SITE}/access/live.json`, CARL)).status).toBe(200);
  });

  it('is changed by no other profile either', async () => {
    for (const profile of ['open', undefined]) {
      const answer = await call('POST', '/config/wknd/sites/inheriting/extends.json', ORG_CARLA, profile === undefined ? {} : { profile });
      expect(refusal(answer)).toEqual(REFUSED);
    }
  });

  it('is said in profiles by admins of the organization alone, and others go on to configure the rest of them', async () => {
    expect(refusal(await call('POST', `${PROFILE}/access/live.json`, ORG_CARLA, { requireAuth: false }))).toEqual(REFUSED);
    expect(refusal(await call('PUT', `${PROFILE}.json`, ORG_CARLA, { sidekick: { project: 'y' } }))).toEqual(REFUSED);
    expect((await call('PUT', `${PROFILE}.json`, ORG_CARLA, { access: READERS, sidekick: { project: 'y' } })).status).toBe(200);
    expect((await call('POST', `${PROFILE}/access/live.json`, OPERATOR, READERS.live)).status).toBe(200);
  });

  it('is kept by a rollout of a profile, which who configures the organization may start', async () => {
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

  it('is made by who configures the organization, whom its profile names without being asked about', async () => {
    const groups = { g: { members: [{ email: 'x@example.com' }] } };
    const people = { access: { admin: { role: { author: ['groups/g'] } }, ...READERS }, groups };
    expect((await call('PUT', '/config/wknd/profiles/default.json', OPERATOR, people)).status).toBe(201);
    expect((await fresh('by-default')).status).toBe(201);
    expect((await fresh('by-name', { extends: { profile: 'guards' } })).status).toBe(201);
    expect((await fresh('by-none', { extends: {} })).status).toBe(201);
    const aggregate = (await call('GET', '/config/wknd/aggregated/by-default.json', ORG_CARLA)).json();
    expect(aggregate).toMatchObject(people);
  });

  it('names no people of its own where an admin of the organization does not make it', async () => {
    const own = [
      { access: access({}) },
      { access: { live: { allow: ['z@example.com'] } } },
      { groups: { h: { members: [{ email: 'y@example.com' }] } } },
    ];
    for (const more of own) expect(refusal(await fresh('named', more))).toEqual(REFUSED);
  });
});
