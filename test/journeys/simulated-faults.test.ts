import { DeliveryList, ExternalRepository, LinkOutcome } from '@repoless/contract/build-management.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { test } from '../support/shared-constellation.ts';
import { choosePlace, closePanel, enable, openAlone, openPanel, visit, windowOf } from './panel.ts';
import { openRail } from './sync-panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA, type Fault, type Stand, type World } from './world.ts';

const world = worldBeforeAll();
let page: Page;
beforeAll(async () => {
  ({ page } = await world.openConsole(ADA));
});
afterEach(async () => {
  for (const stand of ['authoring-system', 'code-host', 'identity-provider', 'vendor-host'] as const)
    await world.fault(stand, { mode: 'none' });
});

/** Longer than any timeout. */
const FOR_EVER = 600_000;
const SLOW: Fault = { mode: 'slow', delay: FOR_EVER };
const GREEN = /^This page is set up for repoless/;

/** Modes of “Simulate faults” with the message expected. Those that are no problem for a stand-in have a test of their own. */
type ExpectedMessages = readonly (readonly [Fault['mode'], RegExp])[];
const faultOf = (mode: Fault['mode']): Fault => (mode === 'slow' ? SLOW : { mode });

describe('On a site that is set up', () => {
  let panel: FrameLocator;
  beforeAll(async () => {
    await visit(page, await world.addSite('green'));
    panel = await openPanel(page);
    await enable(panel);
  });
  afterAll(() => closePanel(page));

  /** Waits until the site is set up and nothing is being read that a fault could delay. */
  const green = async () => {
    await choosePlace(panel, 'Health');
    await panel.getByRole('button', { name: 'Check now', disabled: false }).waitFor();
    await choosePlace(panel, 'Setup');
    await panel.getByRole('heading', { name: GREEN }).waitFor();
  };
  const check = async () => {
    await choosePlace(panel, 'Health');
    await panel.getByRole('button', { name: 'Check now' }).click();
  };

  const authoring: ExpectedMessages = [
    ['down', /^The authoring system cannot be reached: \S+ does not respond\.$/],
    ['unavailable', /^The authoring system is not available right now \(status 503\)\.$/],
    ['forbidden', /^You don’t have permission to read or change this in the authoring system\.$/],
    ['unauthorized', /^The authoring system no longer accepts your sign-in\.$/],
    ['limited', /^The authoring system receives too many requests \(status 429\)\. It asks to wait 1 second\.$/],
    ['alternatives', /^The authoring system has too many resources there to list at once \(status 300\)\.$/],
    ['slow', /^The authoring system did not respond within 20 seconds\./],
  ];
  test.each(authoring)('a fault of the authoring system is explained: %s', async (mode, sentence) => {
    await green();
    await fault('authoring-system', mode);
    await check();
    await panel.getByRole('alert').getByText(sentence).waitFor({ timeout: 40_000 });
    await world.fault('authoring-system', { mode: 'none' });
    await panel.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await panel.getByRole('alert').waitFor({ state: 'detached' });
    await green();
  });

  const codeHost: ExpectedMessages = [
    ['down', /^Could not check \S+ on the code host: \S+ does not respond\./],
    ['unavailable', /^The code host \S+ answered 503 for /],
    ['forbidden', /^The code host no longer lets the configuration service read the repository wknd\/wknd\./],
    ['unauthorized', /^The code host no longer lets the configuration service read the repository wknd\/wknd\./],
    ['limited', /^The code host \S+ answered 429 for /],
    ['slow', /^Could not check \S+ on the code host: \S+ did not respond in time\./],
  ];
  test.each(codeHost)('a fault of the code host is explained without blaming other systems: %s', async (mode, sentence) => {
    await green();
    await fault('code-host', mode);
    await check();
    await settled();
    await choosePlace(panel, 'Setup');
    await panel
      .getByRole('group', { name: /^Some steps are blocked/ })
      .getByText(sentence)
      .waitFor({ timeout: 30_000 });
    expect(await panel.getByText(/authoring system (is not|cannot)|configuration service does not respond/).count()).toBe(0);
    await world.fault('code-host', { mode: 'none' });
    await check();
    await green();
  });

  test('a site stays set up if the code host answers 300 where a file is not', async () => {
    await green();
    await fault('code-host', 'alternatives');
    await check();
    await settled();
    expect(await panel.getByRole('alert').count()).toBe(0);
    await green();
  });

  /** Waits until the requested read has ended. */
  async function settled(): Promise<void> {
    const reading = panel.locator('[aria-labelledby="rp-check"][aria-busy="true"]');
    await reading.waitFor();
    await reading.waitFor({ state: 'detached', timeout: 40_000 });
  }
});

describe('On a repository that receives events', () => {
  let rail: FrameLocator;
  let deliveries: string;
  beforeAll(async () => {
    deliveries = await useVendor(world, 'fair');
    await visit(page, await world.addSite('fair'));
    rail = await openRail(page);
    await rail.getByRole('switch', { name: 'All sites of wknd' }).press(' ');
    await rail.getByRole('button', { name: /^Fair Linked/ }).click();
  });

  const vendor: ExpectedMessages = [
    ['down', /does not respond\. Check the clone address, then retry in a minute\./],
    ['unavailable', /does not respond as expected \(a server error\)\. Retry in a minute\./],
    ['forbidden', /says that the access token cannot read the repository \(403\)\./],
    ['unauthorized', /refuses the access token \(401\)\./],
    ['limited', /received too many requests \(429\)\. Retry in a few minutes\./],
  ];
  const sent = () => rail.getByRole('listitem').filter({ hasText: 'sync code' }).first();
  test.each(vendor)('a fault of the git vendor is explained when an event is sent again: %s', async (mode, sentence) => {
    const delivery = sent();
    await delivery.getByText('Done', { exact: true }).waitFor();
    await fault('vendor-host', mode);
    await delivery.getByRole('button', { name: /Send again/ }).click();
    await delivery.getByText(sentence).waitFor();
    await world.fault('vendor-host', { mode: 'none' });
    await delivery.getByRole('button', { name: /Send again/ }).click();
    await delivery.getByText('Done', { exact: true }).waitFor();
  });

  test.each([
    ['answers a second later', { mode: 'slow', delay: 1000 }],
    ['offers alternatives', { mode: 'alternatives' }],
  ] as const)('an event that is sent again is done although the git vendor %s', async (_, trouble) => {
    const newest = async () => DeliveryList.parse(await world.call('GET', deliveries)).deliveries[0];
    await expect.poll(newest).toMatchObject({ outcome: 'done' });
    const { attempts = 0 } = (await newest()) ?? {};
    await world.fault('vendor-host', trouble);
    await sent()
      .getByRole('button', { name: /Send again/ })
      .click();
    await expect.poll(newest, { timeout: 30_000 }).toMatchObject({ outcome: 'done', attempts: attempts + 1 });
    await sent().getByText('Done', { exact: true }).waitFor();
  });
});

describe('On a page that offers to sign in', () => {
  let own: Page;
  beforeAll(async () => {
    ({ page: own } = await openAlone(world, '/content/summit'));
  });
  afterAll(() => own.context().close());

  const AWAY = /The identity provider does not respond\. Try again in a minute/;
  const ODD = /The identity provider does not respond as expected\. Try again in a minute/;
  const provider: ExpectedMessages = [
    ['down', AWAY],
    ['unavailable', ODD],
    ['forbidden', ODD],
    ['unauthorized', ODD],
    ['limited', ODD],
    ['slow', AWAY],
  ];
  test.each(provider)('a fault of the identity provider is explained in the sign-in window: %s', async (mode, sentence) => {
    const signIn = own.getByRole('button', { name: 'Sign in', exact: true });
    await signIn.waitFor();
    await fault('identity-provider', mode);
    const popup = await windowOf(signIn);
    await popup.getByText(sentence).first().waitFor({ timeout: 30_000 });
    await popup.close();
    await own.getByText('The window was closed before you finished signing in.').waitFor();
  });

  test('people can sign in although the identity provider offers alternatives', async () => {
    const signIn = own.getByRole('button', { name: 'Sign in', exact: true });
    await fault('identity-provider', 'alternatives');
    const popup = await windowOf(signIn);
    await popup.getByLabel('E-mail').waitFor();
    await popup.close();
  });
});

function fault(stand: Stand, mode: Fault['mode']): Promise<void> {
  return world.fault(stand, faultOf(mode));
}

/** Onboards the external repository of the sandbox, registers a site on it, and syncs its code once. Returns the address of its deliveries. */
async function useVendor({ sandbox, call }: World, site: string): Promise<string> {
  const { addresses } = sandbox;
  const repositories = `${addresses.buildManagement}/organizations/wknd/repositories`;
  const onboarded = ExternalRepository.parse(
    await call('POST', repositories, {
      programId: '100',
      name: 'Fair',
      cloneUrl: `${addresses.vendorHost}/northwind/storefront.git`,
      vendor: 'github-enterprise',
      accessToken: ACCESS_TOKEN,
    }),
  );
  const one = `${repositories}/${onboarded.repositoryId}`;
  for (let state = onboarded.state; state !== 'READY';) {
    ({ state } = ExternalRepository.parse(await call('GET', one)));
    if (state === 'failed') throw new Error('The repository could not be onboarded.');
  }
  const registered = `/config/wknd/sites/${site}`;
  const url = `${addresses.author}/bin/franklin.delivery/wknd/${site}/main`;
  const content = { source: { url, type: 'markup', suffix: '.html' } };
  await call('PUT', `${registered}.json`, { version: 1, code: { owner: 'wknd', repo: 'wknd' }, content });
  const { secret, code } = LinkOutcome.parse(await call('PUT', `${one}/link`, { site }));
  await call('POST', `${registered}/code.json`, code);
  await call('POST', `${registered}/secrets/cm-byog.json`, { value: secret });
  await call('POST', `${one}/sync`, { branch: 'main' });
  return `${one}/deliveries`;
}
