import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { openFields, openPanel, steps, visit } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll();

describe('An author enables a site whose repository is not there', () => {
  test('the button waits for its developer, and finishes once there is one', async () => {
    const { page } = await world.openConsole(ADA, { at: '/content/summit' });
    await visit(page, await world.addSite('awaiting'));
    const panel = await openPanel(page);
    const repository = panel.getByRole('textbox', { name: 'Code repository', exact: true });
    await openFields(panel);
    await repository.fill('awaited');
    await repository.blur();
    await panel.getByText('The code host has no repository wknd/awaited.').waitFor();
    await panel.getByText('Waiting for the developer of wknd/awaited.').waitFor();
    expect(await steps(panel)).toContain('Check the repository: Blocked');
    expect(await panel.getByRole('button', { name: 'Enable repoless' }).isDisabled()).toBe(true);
    expect(await world.projectType('/conf/awaiting')).toBe('1');

    const repositories = join(world.sandbox.dataDir, 'code-host', 'repositories', 'wknd');
    await cp(join(repositories, 'wknd.git'), join(repositories, 'awaited.git'), { recursive: true });
    await panel.getByRole('button', { name: 'Refresh' }).click();
    await panel.getByRole('button', { name: 'Enable repoless', disabled: false }).click();
    await panel.getByRole('heading', { name: /This page is set up for repoless/ }).waitFor();
    expect(await world.projectType('/conf/awaiting')).toBe('4');
  });
});
