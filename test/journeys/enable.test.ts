import { describe, expect } from 'vitest';
import { IS_HOSTED } from '../support/on-both.ts';
import { test } from '../support/shared-constellation.ts';
import { closePanel, enable, hold, isSwitch, isWrite, openPanel, undoSetup, steps } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll();

const PUBLIC = {
  paths: {
    mappings: ['/content/summit/:/', '/content/summit/configuration:/.helix/config.json'],
    includes: ['/content/summit/'],
  },
};

describe('An author enables repoless from page properties', () => {
  test('from sign-in to the switch, which comes last, and back', async () => {
    const { sandbox, content, stored, versions } = world;
    const before = { content: await content('/content/summit'), conf: await content('/conf/summit') };
    const { page, context } = await world.openConsole(ADA, { at: '/content/summit' });
    const writes: string[] = [];
    context.on('request', (request) => isWrite(request) && writes.push(`${request.method()} ${new URL(request.url()).pathname}`));

    let panel = await openPanel(page);
    expect(await steps(panel)).toEqual([
      'Sign in: Already done',
      'Claim the organization: Already done',
      'Check the repository: Already done',
      'Save the current values: Will create',
      'Create the configuration page: Will create',
      'Register the site: Will create',
      'Map the paths: Will create',
      'Grant access: Will create',
      'Sync the code: Will sync',
      'Check the editor files: Will verify',
      'Verify the preview host: Will verify',
      'Verify the live host: Will verify',
      'Check the publishing account: Will verify',
      'Set organization and site name in the authoring system: Already done',
      'Check the configuration page on the preview host: Will verify',
      'Check the start page on the preview host: Will verify',
      'Switch the project type to repoless: Will change',
    ]);

    const verifying = await hold(
      context,
      (request) => request.url().includes('.preview.') && writes.some((write) => write.startsWith('PUT')),
    );
    const switching = await hold(context, isSwitch);
    await panel.getByRole('button', { name: 'Enable repoless' }).click();
    await verifying.reached;
    expect(await world.projectType('/conf/summit')).toBe('1');
    verifying.release();
    await switching.reached;
    expect(await world.projectType('/conf/summit')).toBe('1');
    expect((await steps(panel)).at(-1)).toBe('Switch the project type to repoless: In progress');
    expect((await stored('/config/wknd/sites/summit/public.json')).body).toEqual(PUBLIC);
    for (const domain of [sandbox.addresses.previewDomain, sandbox.addresses.liveDomain]) {
      expect(await world.served(`http://main--summit--wknd.${domain}/config.json`)).toEqual({ public: PUBLIC });
    }
    switching.release();
    await panel.getByRole('heading', { name: 'This page is set up for repoless as site “summit” of “wknd”.' }).waitFor();
    expect(await world.projectType('/conf/summit')).toBe('4');
    expect(writes.filter((write) => write.startsWith('PUT') && !write.endsWith('/checks.json'))).toEqual([
      'PUT /config/wknd/sites/summit.json',
    ]);
    expect((await steps(panel)).filter((step) => !step.endsWith(': Already done'))).toEqual([]);

    await closePanel(page);
    await page.getByRole('row', { name: /^Tarnfell Harbour House/ }).click();
    await page.getByRole('row', { name: /^Tarnfell Summit School/ }).click();
    await page.getByRole('article', { name: 'Page properties' }).getByText('Edge Delivery with repoless configuration').waitFor();

    panel = await openPanel(page);
    await panel.getByRole('heading', { name: 'This page is set up for repoless as site “summit” of “wknd”.' }).waitFor();
    await undoSetup(panel);
    expect(await content('/content/summit')).toEqual(before.content);
    expect(await content('/conf/summit')).toEqual(before.conf);
    expect((await stored('/config/wknd/sites/summit.json')).status).toBe(404);
    expect(await versions('summit')).toEqual([2, 1]);
    expect(await world.served(`http://main--summit--wknd.${sandbox.addresses.liveDomain}/config.json`)).toBe(404);
    await expect.poll(async () => (await steps(panel)).filter((step) => step.endsWith('Already done')).length).toBe(4);
  });

  test('again after an undo, under the same name', async () => {
    const path = await world.addSite('again');
    const { page } = await world.openConsole(ADA, { at: path });
    const panel = await openPanel(page);
    await enable(panel);
    await undoSetup(panel);
    await enable(panel);
    // The hosted service deletes a site's versions with the site; those stored here are shown until there is a new one.
    expect(await world.versions('again')).toHaveLength(IS_HOSTED ? 1 : 3);
  });
});
