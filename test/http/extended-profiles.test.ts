import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestAnswer } from '../support/ask.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SITE_ADMIN = 'ada@agency.example.com';
const SITE_CARL = 'carl@agency.example.com';
const ORG_CARLA = 'carla@example.com';
const SITE = '/config/wknd/sites/agency';
const backend = startBeforeAll(() => startTestBackend({ orgs: ['wknd'] }));
beforeAll(async () => {
  const users = [
    { email: OPERATOR, roles: ['admin'] },
    { email: ORG_CARLA, roles: ['config_admin'] },
  ];
  await made('PUT', '/config/wknd.json', { users });
  const cdn = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 's1', authToken: 'PROFILE-TOKEN' } };
  await made('PUT', '/config/wknd/profiles/hidden.json', { cdn });
  await made('PUT', '/config/wknd/profiles/shared.json', { sidekick: { project: 'shared' } });
});
beforeEach(async () => {
  await backend.call('DELETE', `${SITE}.json`, { as: OPERATOR });
  await made('PUT', `${SITE}.json`, agency());
});

const agency = (more: object = {}) =>
  siteBody('wknd', 'agency', { access: { admin: { role: { admin: [SITE_ADMIN], config_admin: [SITE_CARL] } } }, ...more });
const call = (method: string, path: string, as: string, body?: unknown) =>
  backend.call(method, path, { as, ...(body === undefined ? {} : { body }) });
async function made(method: string, path: string, body: unknown): Promise<void> {
  const { status, text } = await call(method, path, OPERATOR, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
}

/** Every way to let a site extend a profile. */
const WAYS: Readonly<Record<string, (as: string, profile: string) => Promise<TestAnswer>>> = {
  'its part': (as, profile) => call('POST', `${SITE}/extends.json`, as, { profile }),
  'a dry run of it': (as, profile) => call('POST', `${SITE}/extends.json?dryRun=true`, as, { profile }),
  'an update of the site': (as, profile) => call('PUT', `${SITE}.json`, as, { extends: { profile } }),
  'a replacement of the site': (as, profile) => call('POST', `${SITE}.json`, as, agency({ extends: { profile } })),
};

describe('A site comes to extend a profile', () => {
  describe.each(Object.keys(WAYS))('by %s', (way) => {
    it.each([SITE_CARL, SITE_ADMIN])('not by who has a role on the site alone, who learns nothing of the profile: %s', async (who) => {
      const answers = [await WAYS[way]?.(who, 'hidden'), await WAYS[way]?.(who, 'made-up')];
      for (const answer of answers) {
        expect([answer?.status, answer?.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
        expect(answer?.headers['x-error']).toBe(
          'To make a site extend another profile, you need permission to read the profiles of the organization.',
        );
      }
      expect(answers[0]?.text.replaceAll('hidden', 'made-up').replaceAll(/"requestId": "[^"]+"/g, '')).toBe(
        answers[1]?.text.replaceAll(/"requestId": "[^"]+"/g, ''),
      );
      expect((await call('GET', '/config/wknd/aggregated/agency.json', who)).text).not.toContain('PROFILE-TOKEN');
    });

    it('by who may read the profiles, who is told that there is none of the name', async () => {
      expect((await WAYS[way]?.(ORG_CARLA, 'hidden'))?.status).toBe(200);
      expect((await WAYS[way]?.(ORG_CARLA, 'made-up'))?.headers['x-error']).toMatch(/^The profile "wknd\/made-up" does not exist/);
    });
  });

  it('by no version that is brought back by who has a role on the site alone', async () => {
    await made('POST', `${SITE}/extends.json`, { profile: 'hidden' });
    const { current } = (await call('GET', `${SITE}/versions.json`, SITE_ADMIN)).json() as { current: number };
    await made('POST', `${SITE}/extends.json`, { profile: 'shared' });
    const restored = await call('POST', `${SITE}.json?restoreVersion=${current}`, SITE_ADMIN);
    expect([restored.status, restored.headers['x-error-code']]).toEqual([403, 'NOT_AUTHORIZED']);
  });

  it('and goes on to be configured by who has a role on it: it keeps the profile, leaves it, or takes the default one', async () => {
    await made('POST', `${SITE}/extends.json`, { profile: 'shared' });
    for (const body of [{ extends: { profile: 'shared' }, sidekick: { project: 'mine' } }, { sidekick: { project: 'other' } }])
      expect((await call('PUT', `${SITE}.json`, SITE_CARL, body)).status).toBe(200);
    expect((await call('POST', `${SITE}/extends.json`, SITE_CARL, {})).status).toBe(200);
    expect((await call('DELETE', `${SITE}/extends.json`, SITE_CARL)).status).toBe(204);
    await made('PUT', '/config/wknd/profiles/default.json', { sidekick: { project: 'default' } });
    expect((await call('POST', `${SITE}/extends.json`, SITE_CARL, { profile: 'default' })).status).toBe(200);
    expect((await call('DELETE', `${SITE}/extends.json`, SITE_CARL)).status).toBe(204);
    expect((await call('DELETE', '/config/wknd/profiles/default.json', OPERATOR)).status).toBe(204);
  });
});
