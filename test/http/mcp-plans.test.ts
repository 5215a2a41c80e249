import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LIMITS } from '@repoless/contract/limits.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { callTool } from '../command-line/mcp-journey.ts';
import { callsAs, OPERATOR, siteBody, startTestBackend, type TestBackend, type TestBackendOptions } from '../support/backend.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { eachStore } from '../support/each-store.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { connectTo } from './mcp-client.ts';

const ADMIN = 'second.admin@example.com';
const SITE = '/config/wknd/sites/planned.json';
const OWN = { organization: 'wknd', site: 'planned' };

/** Starts a backend with a site of two versions, and a second person who may change it. */
async function startWithSite(options: TestBackendOptions): Promise<TestBackend> {
  const backend = await startTestBackend(options);
  const body = { version: 1, users: [OPERATOR, ADMIN].map((email) => ({ email, roles: ['admin'] })) };
  expect((await backend.call('POST', '/config/wknd.json', { as: OPERATOR, body })).status).toBe(200);
  for (const title of ['One', 'Two']) await setTitle(backend, title);
  return backend;
}

const setTitle = (backend: TestBackend, title: string) =>
  callsAs(backend, OPERATOR).done('PUT', SITE, siteBody('wknd', 'planned', { title }));

const title = async (backend: TestBackend) => (await backend.call('GET', SITE, { as: OPERATOR })).json();
const as = async (backend: TestBackend, person: string): Promise<Client> =>
  connectTo(backend.address, { authorization: `Bearer ${await backend.token(person)}` });
/** The answer for a plan that was applied, displaced, or is another person's. */
const GONE = { isError: true, text: expect.stringMatching(/^The plan \S+ doesn’t exist/) };
const plan = async (client: Client, version = 1) => {
  const planned = await callTool(client, 'plan_restore', { ...OWN, version });
  expect(planned.planId, planned.text).not.toBe('');
  return planned.planId;
};

describe('a plan', () => {
  let now = Date.now();
  let [ada, other]: Client[] = [];
  const clients = () => {
    if (ada === undefined || other === undefined) throw new Error('No client is connected.');
    return { ada, other };
  };
  const backend = startBeforeAll(() => startWithSite({ now: () => new Date((now += 1)) }));
  const { call } = callsAs(backend, OPERATOR);
  beforeAll(async () => {
    [ada, other] = await Promise.all([as(backend, OPERATOR), as(backend, ADMIN)]);
  });
  afterAll(async () => {
    await Promise.all([ada?.close(), other?.close()]);
  });

  it('is applied once by concurrent calls', async () => {
    const { ada: client } = clients();
    const planId = await plan(client);
    const answers = await Promise.all([1, 2, 3].map(() => callTool(client, 'apply_plan', { planId })));
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
    expect(answers.filter(({ text }) => text.includes('doesn’t exist'))).toHaveLength(2);
    expect(await title(backend)).toMatchObject({ title: 'One' });
    await setTitle(backend, 'Two');
  });

  it('is only applied by its creator, even after an attempt by another person', async () => {
    const { ada: client, other: otherClient } = clients();
    const planId = await plan(client);
    expect(await callTool(otherClient, 'apply_plan', { planId })).toMatchObject(GONE);
    expect(await title(backend)).toMatchObject({ title: 'Two' });
    expect((await callTool(client, 'apply_plan', { planId })).isError).toBe(false);
    await setTitle(backend, 'Two');
  });

  it('is valid for 30 minutes', async () => {
    const { ada: client } = clients();
    const [early, late] = [await plan(client), await plan(client)];
    now += 29 * 60_000;
    expect((await callTool(client, 'apply_plan', { planId: early })).isError).toBe(false);
    await setTitle(backend, 'Two');
    now += 60_000;
    expect(await callTool(client, 'apply_plan', { planId: late })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/older than 30/),
    });
    expect(await title(backend)).toMatchObject({ title: 'Two' });
  });

  it('is not applied if the site has changed since', async () => {
    const { ada: client } = clients();
    const planId = await plan(client);
    await setTitle(backend, 'Three');
    expect(await callTool(client, 'apply_plan', { planId })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Something has changed since the plan was made/),
    });
    expect(await title(backend)).toMatchObject({ title: 'Three' });
  });

  it('is not applied by a person who has lost the role', async () => {
    const { other: client } = clients();
    const planId = await plan(client);
    const before = await title(backend);
    const users = (emails: readonly string[]) => ({ version: 1, users: emails.map((email) => ({ email, roles: ['admin'] })) });
    expect((await call('POST', '/config/wknd.json', users([OPERATOR]))).status).toBe(200);
    expect((await callTool(client, 'apply_plan', { planId })).isError).toBe(true);
    expect(await title(backend)).toEqual(before);
    expect((await call('POST', '/config/wknd.json', users([OPERATOR, ADMIN]))).status).toBe(200);
  });

  it('can be created and applied with an API key, within its roles', async () => {
    const keyOf = async (roles: readonly string[]) => {
      const created = await call('POST', '/config/wknd/apiKeys.json', { roles });
      const { value } = z.object({ value: z.string() }).parse(created.json());
      return connectTo(backend.address, { authorization: `Bearer ${value}` });
    };
    const [publisher, administrator] = [await keyOf(['publish']), await keyOf(['config_admin'])];
    expect(await callTool(publisher, 'plan_restore', { ...OWN, version: 1 })).toMatchObject({ isError: true, planId: '' });
    const planId = await plan(administrator);
    expect((await callTool(publisher, 'apply_plan', { planId })).isError).toBe(true);
    expect((await callTool(administrator, 'apply_plan', { planId })).isError).toBe(false);
    expect(await title(backend)).toMatchObject({ title: 'One' });
    await Promise.all([publisher.close(), administrator.close()]);
    await setTitle(backend, 'Two');
  });

  it('is stored sealed, and displaces the oldest of its creator above LIMITS.assistantPlans', async () => {
    const { ada: client } = clients();
    const first = await plan(client);
    for (let created = 0; created < LIMITS.assistantPlans; created += 1) await plan(client);
    const stored = await backend.store.shortLived.list('plan', '');
    expect(stored).toHaveLength(LIMITS.assistantPlans);
    expect(JSON.stringify(stored)).not.toMatch(/plan_restore|planned|operator/);
    expect(await callTool(client, 'apply_plan', { planId: first })).toMatchObject(GONE);
  });

  it('displaces plans of the creator with the most above LIMITS.openAssistantPlans', async () => {
    const { ada: client, other: otherClient } = clients();
    const planId = await plan(client);
    const stored = await backend.store.shortLived.count('plan');
    const until = new Date(Date.now() + 60_000);
    const rival = 'r'.repeat(43);
    for (let key = stored; key < LIMITS.openAssistantPlans; key += 1)
      await backend.store.shortLived.add('plan', `${rival} ${key}`, {}, until);
    const last = await plan(otherClient);
    expect(await backend.store.shortLived.count('plan')).toBe(LIMITS.openAssistantPlans - 99);
    expect((await callTool(client, 'apply_plan', { planId })).isError).toBe(false);
    // It is known, but the plan before it changed the site.
    expect((await callTool(otherClient, 'apply_plan', { planId: last })).text).toMatch(/^Something has changed since the plan was made/);
    await setTitle(backend, 'Two');
    await backend.store.shortLived.retainLatest('plan', 0, rival);
  });

  it('of an API key displaces the oldest of the organization’s keys above LIMITS.assistantPlansOfKeys', async () => {
    const { ada: client } = clients();
    const planId = await plan(client);
    const before = await backend.store.shortLived.count('plan');
    const clientOfKey = async () => {
      const { value } = Object((await call('POST', '/config/wknd/apiKeys.json', { roles: ['admin'] })).json());
      return connectTo(backend.address, { authorization: `Bearer ${String(value)}` });
    };
    const keys = await Promise.all(Array.from({ length: LIMITS.assistantPlansOfKeys / LIMITS.assistantPlans + 1 }, clientOfKey));
    for (const key of keys) for (let created = 0; created < LIMITS.assistantPlans; created += 1) await plan(key);
    expect(await backend.store.shortLived.count('plan')).toBe(before + LIMITS.assistantPlansOfKeys);
    expect((await callTool(client, 'apply_plan', { planId })).isError).toBe(false);
    await setTitle(backend, 'Two');
    for (const key of keys) await key.close();
  });
});

describe('a plan of one node', () => {
  eachStore((engine) => {
    it('can be applied by another node, once', async () => {
      const keys = await temporaryDirectory();
      const database = await engine.newDatabase();
      const { backend: first, extension: second } = await freePorts();
      const settings = {
        SIGNING_KEY_FILE: join(keys.path, 'signing.json'),
        SECRET_KEY_FILE: join(keys.path, 'secret.json'),
        PUBLIC_ADDRESS: `http://localhost:${first}`,
      };
      const open = () => openStore(database.options);
      const here = await startWithSite({ settings: { ...settings, PORT: String(first) }, open });
      const headers = { authorization: `Bearer ${await here.token(OPERATOR)}` };
      const client = await connectTo(here.address, headers);
      const planId = await plan(client);
      await client.close();
      // SQLite allows one node at a time, so the other starts after this one.
      if (engine.name === 'SQLite') await here.stop();
      const there = await startTestBackend({ settings: { ...settings, PORT: String(second) }, open, claim: false });
      const next = await connectTo(`http://127.0.0.1:${second}`, headers);
      expect((await callTool(next, 'apply_plan', { planId })).text).toBe('planned is as it was in version 1.');
      expect(await callTool(next, 'apply_plan', { planId })).toMatchObject(GONE);
      await next.close();
      await there.stop();
      if (engine.name !== 'SQLite') await here.stop();
      await keys.remove();
    });
  });
});
