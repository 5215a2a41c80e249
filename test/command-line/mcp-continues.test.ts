import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { createToolServer } from '@repoless/command-line/mcp/create-tool-server.ts';
import { plansInMemory } from '@repoless/command-line/mcp/tool.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { publicPaths, siteInput } from '../support/builders.ts';
import { ADA, startSetupWorld } from '../setup/setup-world.ts';
import { callTool } from './mcp-journey.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

/** While true, no work is done on rollouts. */
let isPaused = true;

const backend = startBeforeAll(() => startTestBackend({ dryRun: false, open: async (dataDir) => paused(await openStore({ dataDir })) }));
beforeAll(async () => {
  const body = siteInput('slow', 'wknd', { public: publicPaths('/content/slow') });
  await backend.call('PUT', '/config/wknd/sites/slow.json', { as: OPERATOR, body });
});
afterAll(async () => {
  isPaused = false;
});

function paused(store: Store): Store {
  const open: Store['rollouts']['open'] = async (...args) => (isPaused ? [] : store.rollouts.open(...args));
  return Object.create(store, { rollouts: { value: Object.create(store.rollouts, { open: { value: open } }) } }) as Store;
}

/** An assistant whose calls end as soon as one has to wait. */
async function impatient(service: string, token: string): Promise<Client> {
  const over = new AbortController();
  const nothing = () => undefined;
  const server = createToolServer({
    context: {
      env: { REPOLESS_SERVICE: service, REPOLESS_TOKEN: token },
      cwd: '',
      configDirectory: '',
      fetch,
      signal: over.signal,
      out: nothing,
      err: nothing,
      readIn: async () => '',
      wait: async () => over.abort(),
      now: () => new Date(),
    },
    options: { service },
    plans: plansInMemory(() => new Date()),
  });
  const client = new Client({ name: 'test', version: '1' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  await client.connect(other);
  return client;
}

test('A rollout that takes longer than a call continues in the service, which is not an error', async () => {
  const client = await impatient(backend.address, await backend.token(OPERATOR));
  const rollout = { title: 'Slow', edits: [{ op: 'set', path: '/robots/txt', value: 'x' }], sites: ['slow'] };
  const { planId } = await callTool(client, 'plan_rollout', { organization: 'wknd', rollout });
  const applied = await callTool(client, 'apply_plan', { planId });
  expect(applied.text).toMatch(/^1 waiting\nRollout \S+ is in progress\. The service continues it\.$/);
  expect(applied).toMatchObject({ isError: false, exitCode: 0, result: { rollout: { state: 'running' } } });
  await client.close();
});

test('A sync that takes longer than a call continues in the service, which is not an error; one that cannot start is', async () => {
  const world = await startSetupWorld({ sites: true });
  try {
    await world.codeHost.fault({ mode: 'slow', delay: 600_000, path: '/wknd/legacy' });
    const token = await world.backend.token(ADA);
    const client = await impatient(world.backend.address, token);
    const { planId } = await callTool(client, 'plan_sync', { organization: 'wknd', sites: ['legacy'] });
    const applied = await callTool(client, 'apply_plan', { planId });
    expect(applied.text).toMatch(/^wknd\/legacy, main: started as job-\S+ It continues in the service\.$/m);
    expect(applied).toMatchObject({ isError: false, exitCode: 0, result: { summary: { started: 1 } } });

    await client.close();

    const other = await impatient(world.backend.address, token);
    const missing = await callTool(other, 'plan_sync', { organization: 'wknd', branch: 'not-there', sites: ['wknd'] });
    expect(await callTool(other, 'apply_plan', { planId: missing.planId })).toMatchObject({
      isError: true,
      exitCode: 1,
      text: expect.stringContaining('has no branch “not-there”'),
    });
    await other.close();
  } finally {
    await world.stop();
  }
});
