import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { buildCommandLine } from '../support/child-backend.ts';
import { ADA, startSetupWorld, type SetupWorld } from '../setup/setup-world.ts';
import { callTool, describeAssistants, sitesFile } from './mcp-journey.ts';

const PROGRAM = new URL('../../command-line/dist/main.js', import.meta.url).pathname;

/** The program as an assistant starts it. */
async function connectAs(world: SetupWorld, person: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const authoring = await world.author.issuer.token(person, { expires: '1h' });
  const env = {
    REPOLESS_AUTHORING_TOKEN: authoring,
    REPOLESS_TOKEN: await world.backend.token(person),
    REPOLESS_SERVICE: world.backend.address,
    PATH: process.env['PATH'] ?? '',
  };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env, stderr: 'ignore' }));
  return client;
}

describeAssistants(buildCommandLine, connectAs, /^1:13: The only version is 1\./m);

test('A file cannot decide where the token is sent', async () => {
  const world = await startSetupWorld();
  const ada = await connectAs(world, ADA);
  const elsewhere = await startReceiver((_, response) => void response.writeHead(404).end());
  const service = elsewhere.address;
  const sites = JSON.stringify({ ...(JSON.parse(sitesFile(world, { lured: '/content/wknd/de/lured' })) as object), service });
  for (const tool of ['plan_sites', 'site_status', 'check_sites']) await callTool(ada, tool, { file: sites });

  const client = new Client({ name: 'test', version: '1' });
  const env = { REPOLESS_TOKEN: await world.backend.token(ADA), PATH: process.env['PATH'] ?? '' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env, stderr: 'ignore' }));
  expect(await callTool(client, 'plan_sites', { file: sites })).toMatchObject({
    isError: true,
    text: expect.stringContaining('REPOLESS_SERVICE'),
  });
  await client.close();
  await ada.close();
  await elsewhere.stop();
  await world.stop();
  expect(elsewhere.requests).toEqual([]);
});

test('The server ends when its client leaves', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  await client.connect(transport);
  const { pid } = transport;
  expect(pid).not.toBeNull();
  await client.close();
  await expect.poll(() => isRunning(pid ?? 0)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
