import { describe, expect, it } from 'vitest';
import { callTool, describeAssistants, sitesFile } from '../command-line/mcp-journey.ts';
import { ADA, startSetupWorld } from '../setup/setup-world.ts';
import { connectAs, connectTo } from './mcp-client.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

describeAssistants(async () => undefined, connectAs, /^\/version: The only version is 1\./m);

describe('an assistant without a token of the authoring system', () => {
  const world = startBeforeAll(() => startSetupWorld({ sites: true }));

  it('reports what it cannot read, and does the rest', async () => {
    const { backend } = world;
    const client = await connectTo(backend.address, { authorization: `Bearer ${await backend.token(ADA)}` });
    const file = sitesFile(world, { 'service-alone': '/content/wknd/de/en' });
    const clue = 'set the header x-content-source-authorization';
    const planned = await callTool(client, 'plan_sites', { file });
    expect(planned).toMatchObject({ exitCode: 3, result: { reach: 'service' }, text: expect.stringContaining(clue) });
    expect(await callTool(client, 'simulate_mappings', { file })).toMatchObject({ isError: true, text: expect.stringContaining(clue) });
    expect((await callTool(client, 'apply_plan', { planId: planned.planId })).result).toMatchObject({ summary: { created: 1 } });
    expect((await callTool(client, 'check_sites', { file })).text).toContain(clue);
    expect((await callTool(client, 'history', { organization: 'wknd', site: 'service-alone' })).text).not.toContain(clue);
    await client.close();

    // A plan made without the authoring system cannot be applied with it, because it would do more.
    const second = sitesFile(world, { 'service-first': '/content/wknd/de/de' });
    const alone = await connectTo(backend.address, { authorization: `Bearer ${await backend.token(ADA)}` });
    const { planId } = await callTool(alone, 'plan_sites', { file: second });
    await alone.close();
    const whole = await connectAs(world, ADA);
    expect(await callTool(whole, 'apply_plan', { planId })).toMatchObject({
      isError: true,
      text: expect.stringContaining('changed since'),
    });
    await whole.close();
  });
});
