import { beforeEach, describe, expect, beforeAll } from 'vitest';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { test } from '../support/shared-constellation.ts';
import { CALLS, closePanel, isSwitch, isWrite, openPanel, steps, visit } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const world = worldBeforeAll({ asPrograms: true });
let page: Page;
let context: BrowserContext;
beforeAll(async () => {
  ({ page, context } = await world.openConsole(ADA));
});
beforeEach(async () => {
  await context.unrouteAll();
  if (world.sandbox.backend.pid === undefined) await world.sandbox.backend.restart();
});

const isRegistration = (request: Request) => isWrite(request) && request.method() === 'PUT';
const SET_UP = /This page is set up for repoless/;

describe('The service is killed during a run and restarted', () => {
  test('before the site is registered: completed steps are recognized, the others are executed', async () => {
    const panel = await cutShort('unregistered', isRegistration, 'before');
    expect(await world.versions('unregistered')).toEqual([]);
    const plan = await steps(panel);
    expect(plan).toContain('Save the current values: Already done');
    expect(plan).toContain('Create the configuration page: Already done');
    expect(plan).toContain('Register the site: Will create');
    expect(plan.at(-1)).toBe('Switch the project type to repoless: Will change');
    await panel.getByRole('button', { name: 'Enable repoless' }).click();
    await panel.getByRole('heading', { name: SET_UP }).waitFor();
    expect(await world.versions('unregistered')).toEqual([1]);
    expect(await world.projectType('/conf/unregistered')).toBe('4');
  });

  test('after the site is registered without a response: it is not registered twice', async () => {
    const panel = await cutShort('unheard', isRegistration, 'after');
    expect(await world.versions('unheard')).toEqual([1]);
    const plan = await steps(panel);
    for (const title of ['Register the site', 'Map the paths', 'Grant access']) expect(plan).toContain(`${title}: Already done`);
    expect(plan.at(-1)).toBe('Switch the project type to repoless: Will change');
    await panel.getByRole('button', { name: /^Finish setup: \d+ steps?$/ }).click();
    await panel.getByRole('heading', { name: SET_UP }).waitFor();
    expect(await world.versions('unheard')).toEqual([1]);
  });

  test('after the project type is switched without a response: no step is left', async () => {
    const panel = await cutShort('switched', isSwitch, 'after');
    await panel.getByRole('heading', { name: SET_UP }).waitFor();
    expect(await world.versions('switched')).toEqual([1]);
    expect(await world.projectType('/conf/switched')).toBe('4');
  });

  test('while the panel stays open: the run waits and continues by itself', async () => {
    await visit(page, await world.addSite('patient'));
    const panel = await openPanel(page);
    const killed = killAt(isRegistration, 'after');
    await panel.getByRole('button', { name: 'Enable repoless' }).click();
    await killed;
    await panel.getByText(/Waiting, attempt/).waitFor();
    await world.sandbox.backend.restart();
    await panel.getByRole('heading', { name: SET_UP }).waitFor();
    expect(await world.versions('patient')).toEqual([1]);
  });
});

/** Enables a new site until the service is killed, closes the panel, starts the service, and opens the panel again. */
async function cutShort(site: string, at: (request: Request) => boolean, when: 'before' | 'after') {
  await visit(page, await world.addSite(site));
  const panel = await openPanel(page);
  const killed = killAt(at, when);
  await panel.getByRole('button', { name: 'Enable repoless' }).click();
  await killed;
  await panel.getByText(/Waiting, attempt/).waitFor();
  await closePanel(page);
  await world.sandbox.backend.restart();
  return openPanel(page);
}

/** Kills the service when the first such request arrives, or after it is carried out and before its answer arrives. */
function killAt(isWanted: (request: Request) => boolean, when: 'before' | 'after'): Promise<void> {
  let cut = false;
  return new Promise((resolve, reject) => {
    context
      .route(CALLS, async (route) => {
        if (cut || !isWanted(route.request())) return route.fallback();
        cut = true;
        if (when === 'after') await route.fetch();
        await world.sandbox.backend.kill('SIGKILL');
        await route.abort();
        resolve();
      })
      .catch(reject);
  });
}
