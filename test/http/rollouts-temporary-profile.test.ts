import { beforeAll, expect, it } from 'vitest';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { rolloutCalls } from './rollout-calls.ts';

const as = OPERATOR;
/** Of the organization, the profiles, the sites, and what the rollout makes of them before the first sites get their own profile back. */
const VERSIONS = 9;
const brand = (value: string) => ({ headers: { '/**': [{ key: 'x-brand', value }] } });
let calls: ReturnType<typeof rolloutCalls>;

const backend = startBeforeAll(() => startTestBackend({ settings: { ORG_VERSIONS: String(VERSIONS) } }));
beforeAll(async () => {
  calls = rolloutCalls(backend);
});

it('is not done while its first sites extend the temporary profile, and goes on from there', async () => {
  const { register, siteOf, start, ordered, rested, rows } = calls;
  await backend.call('PUT', '/config/wknd/profiles/brand.json', { as, body: brand('old') });
  for (const site of ['b1', 'b2', 'b3']) await register(site, { extends: { profile: 'brand' } });
  const id = await start({ title: 'New', profile: 'brand', config: brand('new'), waves: [2, '100%'] });
  const stopped = await rested(id);
  expect(stopped).toMatchObject({ state: 'stopped', sites: { changed: 1, staged: 2 }, stuck: 2, stopped: { reason: 'blocked' } });
  expect(stopped.stopped?.detail).toMatch(/^2 sites could not be restored\. b1: .*versions/);
  expect(stopped.stopped).not.toHaveProperty('undoing');
  expect(await rows(id, '?stuck=true')).toMatchObject([{ name: 'b1', state: 'staged', code: 'QUOTA_REACHED' }, { name: 'b2' }]);
  expect(await siteOf('b1')).toMatchObject({ extends: { profile: expect.stringMatching(/^rollout-/) } });
  // Somebody gives one of them another profile meanwhile, and versions that are not needed go.
  for (const place of ['sites/b1', 'sites/b2', 'profiles/brand']) {
    const gone = await backend.call('DELETE', `/config/wknd/${place}/versions/1.json`, { as });
    expect(gone.status, gone.text).toBe(204);
  }
  expect((await backend.call('POST', '/config/wknd/sites/b2/extends.json', { as, body: {} })).status).toBe(200);
  await ordered(id, 'resume');
  expect(await rested(id)).toMatchObject({ state: 'done', sites: { changed: 2, kept: 1 } });
  expect(await siteOf('b1')).toMatchObject({ extends: { profile: 'brand' } });
  expect(await siteOf('b2')).toMatchObject({ extends: {} });
  expect((await backend.call('GET', '/config/wknd/profiles.json', { as })).text).not.toContain('rollout-');
});
