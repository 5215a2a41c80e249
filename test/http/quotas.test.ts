import type { TestAnswer } from '../support/ask.ts';
import { UsageReport } from '@repoless/contract/org.ts';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callsAs, OPERATOR, publicPart, siteBody } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { codeHostWith } from '../support/code-sources.ts';
import { cloneOf, startCodeWorld, untilStopped } from '../support/code-world.ts';
import { startBeforeAll, stopAfterTest } from '../support/start-before-all.ts';

const VERSIONS = 12;
const WEBHOOK_SECRET = 'the-secret-of-the-webhook';
/** More organizations than are queried at once. */
const FULL = Array.from({ length: 60 }, (_, index) => `full-${10 + index}`);
const world = startBeforeAll(() => {
  const settings = {
    ORG_SITES: '3',
    ORG_REPOSITORIES: '2',
    ORG_VERSIONS: String(VERSIONS),
    ORG_CONFIGURATION_BYTES: '200000',
    ORG_CODE_BYTES: '100000',
    ORG_SECRETS: '2',
    ORG_API_KEYS: '1',
    ORG_SYNCS_AT_ONCE: '1',
    GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
  };
  return startCodeWorld({ orgs: ['wknd', 'other', 'external', ...FULL], settings, repositories: codeHostWith() });
}, 60_000);

const as = OPERATOR;
const { call } = callsAs(world, as);
const put = (site: string, repo = 'wknd', more = {}, org = 'wknd') => {
  const code = { owner: 'wknd', repo };
  return call('PUT', `/config/${org}/sites/${site}.json`, siteBody(org, site, { code, ...more }));
};
const usage = async (org = 'wknd') => UsageReport.parse((await call('GET', `/config/${org}/usage.json`)).json());
const refused = (quota: string, sentence: string) => (answer: TestAnswer) => {
  expect([answer.status, answer.code]).toEqual(quota.endsWith('bytes') ? [413, 'STORAGE_QUOTA_REACHED'] : [403, 'QUOTA_REACHED']);
  expect(answer.error).toContain(sentence);
  expect(answer.text).toContain(`"quota": "${quota}"`);
};

it('reports the usage of an organization without sites', async () => {
  expect(await usage()).toMatchObject({
    sites: { used: 0, limit: 3 },
    repositories: { used: 0, limit: 2 },
    versions: { used: 1, limit: VERSIONS },
    secrets: { used: 0, limit: 2 },
    apiKeys: { used: 0, limit: 1 },
    codeBytes: { used: 0, limit: 100_000 },
    syncsAtOnce: 1,
  });
  expect((await world.backend.call('GET', '/config/wknd/usage.json', { as: 'sam@example.com' })).status).toBe(404);
});

it('limits repositories and sites, without affecting other organizations', async () => {
  expect((await put('one')).status).toBe(201);
  expect((await put('two', 'second')).status).toBe(201);
  refused('repositories', 'use 2 code repositories; 2 are allowed')(await put('three', 'third'));
  expect((await put('three')).status).toBe(201);
  refused('sites', 'The organization "wknd" has 3 sites, and 3 are allowed. Remove some')(await put('four'));
  expect((await put('four', 'wknd', {}, 'other')).status).toBe(201);
  expect(await usage()).toMatchObject({ sites: { used: 3 }, repositories: { used: 2 }, versions: { used: 4 } });
  expect((await call('DELETE', '/config/wknd/sites/three.json')).status).toBe(204);
  expect(await usage()).toMatchObject({ sites: { used: 2 }, versions: { used: 5 } });
  expect((await put('four')).status).toBe(201);
});

it('limits secrets and API keys', async () => {
  for (const name of ['a', 'b']) expect((await call('POST', `/config/wknd/sites/one/secrets/${name}.json`, {})).status).toBe(200);
  refused('secrets', 'has 2 secrets, and 2 are allowed')(await call('POST', '/config/wknd/sites/one/secrets/c.json', {}));
  refused('secrets', 'has 2 secrets')(await call('POST', '/config/wknd/sites/one/secrets.json', {}));
  expect((await call('POST', '/config/wknd/sites/one/secrets/a.json', {})).status).toBe(200);
  expect((await call('POST', '/config/wknd/apiKeys.json', {})).status).toBe(201);
  refused('apiKeys', 'has 1 API keys, and 1 are allowed')(await call('POST', '/config/wknd/sites/one/apiKeys.json', {}));
  expect((await call('DELETE', '/config/wknd/sites/one/secrets/a.json')).status).toBe(204);
  expect((await call('POST', '/config/wknd/sites/one/secrets/c.json', {})).status).toBe(200);
  expect(await usage()).toMatchObject({ secrets: { used: 2 }, apiKeys: { used: 1 } });
});

it('limits the bytes of configuration', async () => {
  const before = await usage();
  expect(before.configurationBytes.used).toBeGreaterThan(1000);
  refused(
    'bytes',
    'bytes of configuration, and 200000 are allowed. Delete versions',
  )(await call('POST', '/config/wknd/sites/one/public.json', { note: 'x'.repeat(200_000) }));
  expect((await usage()).configurationBytes).toEqual(before.configurationBytes);
});

it('limits versions; deleting one allows another', async () => {
  const change = (count: number) => call('POST', '/config/wknd/sites/one/public.json', { ...publicPart('one'), count });
  for (let count = (await usage()).versions.used; count < VERSIONS; count += 1) expect((await change(count)).status).toBe(200);
  refused('versions', `has ${VERSIONS} versions, and ${VERSIONS} are allowed`)(await change(99));
  expect((await call('DELETE', '/config/wknd/sites/one/versions/1.json')).status).toBe(204);
  expect((await change(99)).status).toBe(200);
  // Writes that free space are never refused.
  expect((await call('DELETE', '/config/wknd/sites/two.json')).status).toBe(204);
});

it('limits code; a sync beyond the limit fails with the reason, and the served code stays', async () => {
  const served = async () => (await usage()).codeBytes.used;
  expect((await world.sync('one')).error).toBeUndefined();
  const before = await served();
  expect(before).toBeGreaterThan(100);
  await world.clone.push({ 'large.txt': 'x'.repeat(100_001 - before) });
  const { error } = await world.sync('one');
  expect(error).toContain(
    'The organizations that use this repository have no quota left for this branch: 100000 bytes of code are allowed',
  );
  // "other" also has a site on it.
  expect(error).not.toMatch(/wknd|other/);
  expect(await served()).toBe(before);
  await world.clone.push({ 'large.txt': 'x'.repeat(100_000 - before) });
  expect((await world.sync('one')).error).toBeUndefined();
  expect(await served()).toBe(100_000);
});

it('counts a repository once, whatever the case of its name in sites', async () => {
  expect((await put('spelled', 'Wknd', {}, 'other')).status).toBe(201);
  expect(await usage('other')).toMatchObject({ sites: { used: 2 }, repositories: { used: 1 } });
  expect((await put('further', 'second', {}, 'other')).status).toBe(201);
  expect((await call('DELETE', '/config/other/sites/further.json')).status).toBe(204);
  expect((await call('DELETE', '/config/other/sites/spelled.json')).status).toBe(204);
});

it('checks the quota if a push names the repository in another case than the sites', async () => {
  await world.clone.push({ 'large.txt': 'x'.repeat(100_001) });
  const repository = { name: 'Wknd', owner: { login: 'WKND' } };
  const body = JSON.stringify({ ref: 'refs/heads/main', repository });
  const signature = `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-github-event': 'push', 'x-hub-signature-256': signature };
  expect((await world.backend.call('POST', '/webhook/github', { body, headers })).status).toBe(202);
  expect((await world.ended('one')).error).toContain('have no quota left for this branch');
});

it('allows a sync if any organization of the repository has quota left, whatever their order', async () => {
  await world.clone.push({ 'large.txt': 'x' });
  expect((await world.sync('one')).error).toBeUndefined();
  const folder = await mkdtemp(join(tmpdir(), 'repoless-quotas-'));
  const other = await cloneOf(world.codeHost.address, 'wknd/legacy', join(folder, 'clone'));
  await other.push({ 'large.txt': 'x'.repeat(75_000) });
  await rm(folder, { recursive: true });
  for (const org of FULL) for (const repo of ['wknd', 'legacy']) expect((await put(repo, repo, {}, org)).status).toBe(201);
  const sync = async (org: string, site: string) => {
    expect((await call('POST', `/code/${org}/${site}/main/*`)).status).toBe(202);
    return await untilStopped(world.backend.address, `/job/${org}/${site}/main/code`, {
      'x-auth-token': await world.backend.token(OPERATOR),
    });
  };
  expect((await sync('full-10', 'legacy')).error).toBeUndefined();
  expect((await usage('full-10')).codeBytes.used).toBeGreaterThan(75_000);
  await world.clone.push({ 'large.txt': 'x'.repeat(20_000) });
  // "wknd" and "other" have space, and are the last.
  expect((await sync('full-10', 'wknd')).error).toBeUndefined();
  await world.clone.push({ 'large.txt': 'x'.repeat(100_000) });
  expect((await sync('full-10', 'wknd')).error).toContain('have no quota left for this branch');
});

it('counts the code of an external repository while a site uses it', async () => {
  const byogit = await stopAfterTest(startByogit('the-secret-of-the-repository'));
  const source = { type: 'byogit', url: byogit.url, raw_url: byogit.rawUrl, secretId: 'cm-byog' };
  const body = siteBody('external', 'site', { code: { owner: '100', repo: '200', source } });
  expect((await call('PUT', '/config/external/sites/site.json?unchecked=true', body)).status).toBe(201);
  await call('POST', '/config/external/sites/site/secrets/cm-byog.json', { value: byogit.secret });
  expect((await call('POST', '/code/external/site/main/*')).status).toBe(202);
  const token = { 'x-auth-token': await world.backend.token(OPERATOR) };
  expect((await untilStopped(world.backend.address, '/job/external/site/main/code', token)).error).toBeUndefined();
  expect((await usage('external')).codeBytes.used).toBeGreaterThan(0);
  expect((await call('DELETE', '/config/external/sites/site.json')).status).toBe(204);
  expect((await usage('external')).codeBytes.used).toBe(0);
});
