import { afterAll, describe, expect } from 'vitest';
import { z } from 'zod';
import { SiteList } from '@repoless/contract/site.ts';
import { signInAtConsole } from '../support/constellation.ts';
import { IS_LONG } from '../support/long-tests.ts';
import { startUnreliableProxy, type UnreliableProxy } from '../support/unreliable-proxy.ts';
import { chooseLocales, openTree, review, treeRow } from './sites-panel.ts';
import { test } from '../support/shared-constellation.ts';
import { ADA, startWorld, type World } from './world.ts';

/** Enough to close the tab in the middle. */
const LOCALES = IS_LONG ? 200 : 40;
/** Milliseconds for a run on a busy machine. */
const RUN_WITHIN = 150_000;
let world: World;
let unreliable: UnreliableProxy;
let isUnreliable = false;
test.beforeAll(async ({ kept }) => {
  world = await startWorld({ kept, grown: { sites: LOCALES, pagesPerSite: 1 } });
  unreliable = await startUnreliableProxy({ target: world.sandbox.addresses.backend, fate: ({ method, count }) => fateOf(method, count) });
});
afterAll(async () => {
  await unreliable.stop();
  await world.stop();
});

/** Refuses some calls, and loses the answers of others. */
function fateOf(method: string, count: number) {
  if (!isUnreliable || method === 'OPTIONS') return 'pass';
  if (count % 29 === 0) return 'answer-lost';
  if (count % 41 === 0) return 429;
  return count % 13 === 0 ? 503 : 'pass';
}

const Settings = z.looseObject({ backend: z.string() });

describe('A run over many locales', () => {
  test('creates each one once, although the service refuses some requests and the tab is closed halfway', async () => {
    // The service is called by another address than the extension's policy names.
    const { context } = await world.openConsole(ADA, { bypassCSP: true, viewport: { width: 1440, height: 1100 } });
    await context.route('**/console/settings.json', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...Settings.parse(await answer.json()), backend: unreliable.address } });
    });
    const first = await context.newPage();
    await signInAtConsole(first, world.sandbox, ADA, '/content/wknd');
    let panel = await openTree(first);
    isUnreliable = true;
    await treeRow(panel, /Grown grown Root/).click();
    await treeRow(panel, /Grown grown Root/).click();
    await chooseLocales(panel);
    await panel.getByText(`${LOCALES} pages selected`).waitFor();
    await review(panel, RUN_WITHIN);
    await panel.getByRole('button', { name: `Set up ${LOCALES} sites` }).click();
    await panel.getByText(new RegExp(`^[1-9]\\d+ of ${LOCALES} done`)).waitFor({ timeout: RUN_WITHIN });
    await first.close();
    isUnreliable = false;
    const half = await names();
    expect(half.length).toBeGreaterThanOrEqual(10);
    expect(half.length).toBeLessThan(LOCALES);

    const second = await context.newPage();
    await signInAtConsole(second, world.sandbox, ADA, '/content/wknd');
    panel = await openTree(second);
    isUnreliable = true;
    await panel
      .getByRole('region', { name: 'Unfinished run' })
      .getByRole('button', { name: `Continue with ${LOCALES} sites` })
      .click();
    await panel.getByRole('button', { name: `Set up ${LOCALES} sites` }).click({ timeout: RUN_WITHIN });
    const end = panel.getByText(new RegExp(`All ${LOCALES} sites are set up\\. \\d+ needed no change\\.| failed; `));
    await end.waitFor({ timeout: RUN_WITHIN });
    if ((await end.innerText()).includes(' failed; ')) {
      await panel.getByRole('button', { name: /^Try the/ }).click();
      await panel.getByText(`All ${LOCALES} sites are set up`).waitFor({ timeout: RUN_WITHIN });
    }

    const created = await names();
    expect(created).toHaveLength(LOCALES);
    expect(new Set(created).size).toBe(LOCALES);
    expect(await Promise.all(created.map((name) => world.versions(name)))).toEqual(created.map(() => [1]));
    expect(unreliable.passed.filter(({ fate }) => fate !== 'pass').length).toBeGreaterThan(20);
    isUnreliable = false;
    await panel.getByRole('button', { name: 'Back to the tree' }).click();
    await treeRow(panel, /Grown grown Root/).waitFor();
    expect(await panel.getByRole('region', { name: 'Unfinished run' }).count()).toBe(0);
    await context.close();
  }, 480_000);
});

async function names(): Promise<string[]> {
  const { body } = await world.stored('/config/wknd/sites.json?limit=1000');
  return SiteList.parse(body)
    .sites.map(({ name }) => name)
    .filter((name) => name.startsWith('grown-'));
}
