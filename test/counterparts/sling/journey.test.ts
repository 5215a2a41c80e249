import { expect, inject, test } from 'vitest';
import { BASE_ENVIRONMENT } from '@repoless/sandbox/authoring-system/content-store.ts';
import { seedContent } from '@repoless/sandbox/seed/seed-content.ts';
import { enable, openPanel, undoSetup } from '../../journeys/panel.ts';
import { startConstellation } from '../../support/constellation.ts';
import { startAuthoringOnSling } from './authoring-on-sling.ts';
import { makeAccount } from './sling-accounts.ts';
import { ADMIN, slingCaller } from './sling-caller.ts';

const ADA = 'ada.admin@example.com';
const PAGE = '/content/summit';

test('an author enables a page stored in Apache Sling, in a browser, and undoes it', async () => {
  const sling = inject('sling');
  const admin = slingCaller(sling, ADMIN);
  await makeAccount(sling, ADA, ['jcr:read', 'rep:write']);
  await admin.plant([...seedContent('live.localhost:4000')].filter(({ environment }) => environment === BASE_ENVIRONMENT));
  const configuration = async () =>
    (await admin.get('/conf/summit/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content.json')).text;
  const constellation = await startConstellation({
    startAuthoring: (port, identityProvider) => startAuthoringOnSling(port, sling, identityProvider),
  });
  try {
    const { page } = await constellation.openConsole(ADA, { at: PAGE });
    const panel = await openPanel(page);
    await enable(panel);
    expect(await configuration()).toContain('"projectType":"4"');
    await undoSetup(panel);
    expect(await configuration()).toContain('"projectType":"1"');
  } finally {
    await constellation.stop();
  }
}, 120_000);
