import { expect, it } from 'vitest';
import { UsageReport } from '#contract/usage.ts';
import { OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';

it('a profile brings its sites to no more repositories than the organization may use', async () => {
  const backend = await startTestBackend({ settings: { ORG_REPOSITORIES: '1' } });
  const put = (path: string, body: unknown) => backend.call('PUT', `/config/wknd/${path}.json`, { as: OPERATOR, body });
  const profile = (repo: string, title = '') =>
    put('profiles/shared', { code: { owner: 'wknd', repo }, ...(title !== '' && { title }), public: { shared: true } });
  try {
    expect((await profile('wknd')).status).toBe(201);
    const { code: _code, ...rest } = siteBody('wknd', 'one');
    const site = { ...rest, extends: { profile: 'shared' }, public: publicPart('one') };
    expect((await put('sites/one', site)).status).toBe(201);
    const refused = await profile('another');
    expect([refused.status, refused.headers['x-error-code']]).toEqual([403, 'QUOTA_REACHED']);
    expect(refused.headers['x-error']).toContain('use 1 code repositories; 1 are allowed');
    expect((await profile('wknd', 'The same repository')).status).toBe(200);
    const usage = UsageReport.parse((await backend.call('GET', '/config/wknd/usage.json', { as: OPERATOR })).json());
    expect(usage.repositories).toEqual({ used: 1, limit: 1 });
  } finally {
    await backend.stop();
  }
});
