import { Site } from '@repoless/contract/site.ts';
import { expect } from 'vitest';
import { IS_LONG } from '../support/long-tests.ts';
import { test } from '../support/shared-constellation.ts';
import { choosePlace, openPanel, openPlace } from './panel.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { ADA } from './world.ts';

const FLEET = IS_LONG ? 200 : 12;
const DRIFTED = ['fleet-aa-en', 'fleet-aa-fr', 'fleet-ab-de'];
const WITHIN = 600_000;
const world = worldBeforeAll({ hosted: true, fleet: FLEET }, 300_000);

test('a header is rolled out to many sites of the hosted service; other people’s changes are found and repaired', async () => {
  const { hosted } = world.sandbox;
  const { page, context } = await world.openConsole(ADA, { at: '/content/fleet', viewport: { width: 1440, height: 1100 } });
  const panel = await openPlace(page, 'All sites');
  const rollOut = async (title: string, changed: number): Promise<void> => {
    await panel.getByRole('searchbox').fill('fleet');
    await panel.getByText(new RegExp(`^${FLEET} of \\d+ sites$`)).waitFor();
    await panel.getByRole('grid', { name: 'Sites of the organization' }).press('Control+a');
    await panel.getByRole('button', { name: `Edit ${FLEET} together…` }).click();
    await panel.getByRole('textbox', { name: 'Name of the header' }).fill('x-market');
    await panel.getByRole('textbox', { name: 'Value' }).fill('one');
    await panel.getByRole('radio', { name: 'All sites at once' }).check();
    await panel.getByRole('textbox', { name: /^Title/ }).fill(title);
    await page.keyboard.press('Enter');
    await panel.getByRole('heading', { name: 'What would change' }).waitFor({ timeout: WITHIN });
    await panel.getByText(new RegExp(`^${changed} sites? changes?`)).waitFor();
    await panel.getByRole('button', { name: new RegExp(`^Start on ${changed} sites?$`) }).click();
    await panel.getByText('Done', { exact: true }).waitFor({ timeout: WITHIN });
  };
  await rollOut('One market', FLEET);
  const headers = { '/**': [{ key: 'x-market', value: 'one' }] };
  for (const name of DRIFTED) expect((await siteOf(name)).headers).toEqual(headers);

  // Someone bypasses this service: two headers, and the mapping of a configuration page.
  const [first = '', second = '', third = ''] = DRIFTED;
  for (const name of [first, second])
    hosted?.change('POST', `/config/wknd/sites/${name}/headers.json`, { '/**': [{ key: 'x-market', value: 'two' }] });
  const mapped = (await siteOf(third)).public;
  const mappings = mapped?.paths?.mappings?.filter((one) => !one.endsWith('.helix/config.json')) ?? [];
  hosted?.change('POST', `/config/wknd/sites/${third}/public.json`, { ...mapped, paths: { ...mapped?.paths, mappings } });

  await choosePlace(panel, 'All sites');
  await rollOut('One market again', 2);
  for (const name of DRIFTED) expect((await siteOf(name)).headers).toEqual(headers);
  await context.close();

  const root = mappings[0]?.split(':')[0]?.replace(/\/$/, '') ?? '';
  const opened = await world.openConsole(ADA, { at: root, viewport: { width: 1440, height: 1100 } });
  const site = await openPanel(opened.page);
  await site.getByRole('button', { name: 'Repair 1 difference' }).click();
  await site.getByRole('heading', { name: /This page is set up for repoless/ }).waitFor({ timeout: WITHIN });
  expect((await siteOf(third)).public?.paths).toEqual(mapped?.paths);
  await choosePlace(site, 'History');
  await site
    .getByText(/elsewhere/i)
    .first()
    .waitFor();
  await opened.context.close();
}, 1_500_000);

async function siteOf(name: string): Promise<Site> {
  return Site.parse((await world.stored(`/config/wknd/sites/${name}.json`)).body);
}
