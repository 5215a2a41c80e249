import { UsageReport } from '@repoless/contract/org.ts';
import { expect, it } from 'vitest';
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

it('a profile lets its sites take no more bytes than the organization may have', async () => {
  const backend = await startTestBackend({ settings: { ORG_CONFIGURATION_BYTES: '200000' } });
  const call = (method: string, path: string, body?: unknown) => backend.call(method, `/config/wknd/${path}.json`, { as: OPERATOR, body });
  const used = async () => UsageReport.parse((await call('GET', 'usage')).json()).configurationBytes.used;
  const profile = (text: string) => call('PUT', 'profiles/default', { robots: { txt: text } });
  try {
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      const made = await call('PUT', `sites/${name}`, siteBody('wknd', name));
      expect(made.status, made.text).toBe(201);
    }
    const before = await used();
    for (const method of ['made', 'changed']) {
      const refused = await profile('x'.repeat(40_000));
      expect([method, refused.status, refused.headers['x-error-code']]).toEqual([method, 413, 'STORAGE_QUOTA_REACHED']);
      expect((await profile(method)).status).toBe(method === 'made' ? 201 : 200);
    }
    expect((await profile('x'.repeat(20_000))).status).toBe(200);
    const after = await used();
    expect(after - before).toBeGreaterThan(7 * 20_000);
    expect(after).toBeLessThan(200_000);
    // Unchanged sites take no more space, and a shorter text takes less.
    expect((await profile('short')).status).toBe(200);
    expect(await used()).toBeLessThan(after);
  } finally {
    await backend.stop();
  }
});
