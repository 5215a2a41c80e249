import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callTool } from '../command-line/mcp-journey.ts';
import { startFrontWorld } from './hosted-world.ts';
import { connectTo } from './mcp-client.ts';

const world = startFrontWorld();
const organization = EXAMPLE.org;
const EDITOR_FILES = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'];
let ada: Client;
let stranger: Client;
beforeAll(async () => {
  const { hosted, backend } = world;
  hosted.set({ codeFiles: { 'wknd/wknd': Object.fromEntries(EDITOR_FILES.map((name) => [`/${name}`, '{}'])) } });
  const as = (email: string) => connectTo(backend.address, { authorization: `Bearer ${hosted.token('session', { email })}` });
  [ada, stranger] = [await as(EXAMPLE.admin), await as(EXAMPLE.stranger)];
});
afterAll(() => Promise.all([ada.close(), stranger.close()]));

const file = JSON.stringify({
  version: 1,
  organization,
  author: 'https://author-p100-e200.example.com',
  code: { owner: 'wknd', repo: 'wknd' },
  access: { role: { admin: [EXAMPLE.admin] } },
  sites: [{ name: 'by-assistant', contentRoot: '/content/wknd/ch/de' }],
});

test('sets a site up by a plan, with the caller’s own token, which is not stored', async () => {
  const { backend, hosted, lines } = world;
  const planned = await callTool(ada, 'plan_sites', { file });
  expect(planned, planned.text).toMatchObject({ exitCode: 3, result: { summary: { create: 1 } } });
  expect(hosted.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(await callTool(stranger, 'apply_plan', { planId: planned.planId })).toMatchObject({ isError: true });
  const applied = await callTool(ada, 'apply_plan', { planId: planned.planId });
  expect(applied, applied.text).toMatchObject({ exitCode: 0, result: { summary: { created: 1 } } });
  expect(await callTool(ada, 'apply_plan', { planId: planned.planId })).toMatchObject({ isError: true });
  expect((await callTool(ada, 'site_status', { file })).text).toContain('1 in sync');

  const put = hosted.requests.filter(({ method, path }) => method === 'PUT' && path.includes('by-assistant'));
  expect(put).toHaveLength(1);
  const changes = await backend.store.hosted.list('change', organization);
  expect(changes).toEqual([expect.objectContaining({ subject: 'sites/by-assistant', user: EXAMPLE.admin })]);
  const token = hosted.token('session', { email: EXAMPLE.admin });
  const [, claims = ''] = token.split('.');
  const kept = JSON.stringify([changes, await backend.store.shortLived.list('plan', ''), lines]);
  expect([claims.length > 40, kept.includes(claims.slice(0, 40))]).toEqual([true, false]);
  expect(lines.some((line) => line.includes('mcp apply_plan') && line.includes(EXAMPLE.admin))).toBe(true);
});

test('reads the hosts of the hosted service anonymously, including guarded ones', async () => {
  const { hosted } = world;
  const open = await callTool(ada, 'check_sites', { file });
  expect(open.text).toContain('by-assistant');
  // Both were read, and serve the stored configuration.
  expect(open.text).not.toMatch(/config-(?:preview|live):/);
  hosted.change('POST', `/config/${organization}/sites/by-assistant/access/site.json`, { allow: ['*@example.com'] });
  expect((await callTool(ada, 'check_sites', { file })).text).toMatch(/page-live: \S+ is protected \(status 401\)/);
});

test('reports changes, restores a version, and changes many sites', async () => {
  const site = 'by-assistant';
  const history = await callTool(ada, 'history', { organization, site });
  expect(history.text).toMatch(/^Version 2, .*\nVersion 1, \S+, by ada\.admin@example\.com/);
  const restored = await callTool(ada, 'plan_restore', { organization, site, version: 1 });
  expect((await callTool(ada, 'apply_plan', { planId: restored.planId })).text).toBe('by-assistant is as it was in version 1.');
  expect((await callTool(ada, 'fleet_health', { organization })).text).toMatch(/^2 sites: /);
  const rollout = { title: 'Robots', edits: [{ op: 'set', path: '/robots/txt', value: 'of {site}' }], sites: [site] };
  const planned = await callTool(ada, 'plan_rollout', { organization, rollout });
  expect(planned.text).toContain('1 would change');
  expect((await callTool(ada, 'apply_plan', { planId: planned.planId })).text).toMatch(/Rollout \S+ is done\./);
  expect((await callTool(ada, 'rollouts', { organization })).text).toContain(`done, 1 site, started by ${EXAMPLE.admin}`);
  const sync = await callTool(ada, 'plan_sync', { organization, sites: [site] });
  expect(sync.text).toContain('Sync wknd/wknd for by-assistant.');
});

test('lets nobody do what the hosted service refuses them', async () => {
  const planned = await callTool(stranger, 'plan_sites', { file });
  expect(planned).toMatchObject({ planId: '', text: expect.stringMatching(/role|access/i) });
  expect(await callTool(stranger, 'history', { organization, site: 'by-assistant' })).toMatchObject({ isError: true });
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await world.backend.call('POST', '/mcp', { body })).code).toBe('NOT_AUTHENTICATED');
});
