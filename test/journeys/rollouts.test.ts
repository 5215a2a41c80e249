import type { FrameLocator, Page } from 'playwright-core';
import { describe, expect, beforeAll } from 'vitest';
import { RolloutList } from '@repoless/contract/rollout.ts';
import { Site } from '@repoless/contract/site.ts';
import { choosePlace, flaws } from './panel.ts';
import { test } from '../support/shared-constellation.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { openList } from './sites-panel.ts';

const FLEET = 12;
const CHANGED = FLEET - 1;
const WITHIN = 120_000;
const WIDTHS = [320, 375, 768, 1440] as const;
const world = worldBeforeAll({ fleet: FLEET });
beforeAll(async () => {
  await world.call('PUT', '/config/wknd/profiles/shared.json', { version: 1, headers: { '/**': [{ key: 'x-shared', value: 'before' }] } });
});

const expectNoFlaws = async (page: Page, name: string): Promise<void> => expect(await flaws(page, ...WIDTHS), name).toEqual([]);

/** Selects every site of the fleet. The content root of the first, `fleet`, names no language: edits that need one refuse it. */
async function chooseSites(panel: FrameLocator): Promise<void> {
  await panel.getByRole('searchbox').fill('fleet');
  await panel.getByText(new RegExp(`^${FLEET} of \\d+ sites$`)).waitFor();
  await panel.getByRole('grid', { name: 'Sites of the organization' }).press('Control+a');
  await panel.getByText(`${FLEET} sites selected`).waitFor();
  await panel.getByRole('button', { name: /^Edit \d+ together…$/ }).click();
  await panel.getByRole('heading', { name: `Edit ${FLEET} selected sites` }).waitFor();
}

describe('A change of many sites', () => {
  test.each(['light', 'dark'] as const)(
    'applies the previewed edits, except on one refused site, and is undone (%s)',
    async (colorScheme) => {
      const { page, panel } = await openList(world, colorScheme);
      await chooseSites(panel);
      await panel.getByText('Variables: a different value for each site').click();
      await panel.getByRole('textbox', { name: 'Name of the header' }).fill('x-language');
      await panel.getByRole('textbox', { name: 'Value' }).fill('{language}');
      await panel.getByRole('button', { name: 'Add another edit' }).click();
      const second = panel.getByRole('group', { name: /^Edit 2/ });
      await second.getByRole('button', { name: /What to do/ }).click();
      await panel.getByRole('option', { name: 'Extend a profile' }).click();
      await panel.getByRole('listbox').waitFor({ state: 'detached' });
      await expectNoFlaws(page, `form-${colorScheme}`);
      // The title and the profile of the second edit are missing.
      await panel.getByRole('button', { name: 'Preview on every site' }).click();
      await panel.getByText('Correct the marked fields first.').waitFor();
      await expectNoFlaws(page, `wrong-${colorScheme}`);
      await second
        .getByRole('button', { name: /Profile/ })
        .last()
        .click();
      await panel.getByRole('option', { name: 'shared' }).click();
      await panel.getByRole('listbox').waitFor({ state: 'detached' });
      await panel.getByRole('radio', { name: 'All sites at once' }).check();
      await panel.getByRole('textbox', { name: /^Title/ }).fill('Tell the language');
      await page.keyboard.press('Enter');
      await panel.getByRole('heading', { name: 'What would change' }).waitFor({ timeout: WITHIN });
      await panel.getByText(`${CHANGED} sites change`).waitFor();
      await panel.getByText(`Which sites (${CHANGED})`).click();
      await expectNoFlaws(page, `preview-${colorScheme}`);
      await panel.getByRole('button', { name: `Start on ${CHANGED} sites` }).click();
      await panel.getByText('Done, 1 site refused').waitFor({ timeout: WITHIN });
      await panel.getByRole('button', { name: /^1 Refused/ }).waitFor();
      await expectNoFlaws(page, `done-${colorScheme}`);
      expect((await siteOf('fleet-aa-en')).headers).toEqual({ '/**': [{ key: 'x-language', value: 'en' }] });

      await panel.getByRole('button', { name: 'Undo on all sites…' }).click();
      await panel.getByRole('button', { name: `Undo on ${CHANGED} sites` }).waitFor();
      await expectNoFlaws(page, `undo-${colorScheme}`);
      await panel.getByRole('button', { name: `Undo on ${CHANGED} sites` }).click();
      await panel.getByText('Undone', { exact: true }).first().waitFor({ timeout: WITHIN });
      expect((await siteOf('fleet-aa-en')).headers).toBeUndefined();
      await panel.getByRole('button', { name: 'All rollouts' }).click();
      await panel.getByRole('button', { name: 'Tell the language' }).first().waitFor();
      await expectNoFlaws(page, `list-${colorScheme}`);
    },
    300_000,
  );

  test('stops by itself after the first wave, and can be made through a profile', async () => {
    const { page, panel } = await openList(world);
    await chooseSites(panel);
    await panel.getByRole('textbox', { name: 'Name of the header' }).fill('x-language');
    await panel.getByRole('textbox', { name: 'Value' }).fill('{language}');
    await panel.getByRole('textbox', { name: /^Title/ }).fill('In steps');
    await page.keyboard.press('Enter');
    await panel.getByRole('button', { name: `Start on ${CHANGED} sites` }).click({ timeout: WITHIN });
    await panel.getByText('Sites were refused, so it stopped before the next wave.').waitFor({ timeout: WITHIN });
    await panel.getByText(/^Wave \d of 3$/).waitFor();
    await expectNoFlaws(page, 'stopped');
    // The first wave is one site, which is refused.
    const [rollout] = RolloutList.parse((await world.stored('/config/wknd/rollouts.json')).body).rollouts;
    expect(rollout).toMatchObject({
      title: 'In steps',
      state: 'stopped',
      waves: [1, '10%', '100%'],
      sites: { refused: 1, waiting: CHANGED },
    });
    expect((await siteOf('fleet-aa-en')).headers).toBeUndefined();
    await panel.getByRole('button', { name: 'Resume' }).click();
    await panel.getByText('Done, 1 site refused').waitFor({ timeout: WITHIN });
    expect((await siteOf('fleet-aa-en')).headers).toEqual({ '/**': [{ key: 'x-language', value: 'en' }] });

    for (const name of ['fleet-aa-en', 'fleet-aa-fr']) {
      const { created: _created, lastModified: _lastModified, name: _name, ...site } = await siteOf(name);
      await world.call('PUT', `/config/wknd/sites/${name}.json`, { ...site, extends: { profile: 'shared' } });
    }
    await choosePlace(panel, 'All sites');
    await panel.getByRole('button', { name: 'Roll out the profile “shared”' }).click();
    const text = panel.getByRole('textbox', { name: 'Configuration of the profile (JSON)' });
    const before = await text.inputValue();
    await text.fill(before.replace('"before"', '"after",'));
    await panel.getByText(/^The JSON is invalid from line \d+\.$/).waitFor();
    await expectNoFlaws(page, 'profile-broken');
    await text.fill(before.replace('"before"', '"after"'));
    await panel.getByRole('textbox', { name: /^Title/ }).fill('A newer value');
    await panel.getByRole('button', { name: 'Preview on every site' }).click();
    await panel.getByText('2 sites extend it.').waitFor({ timeout: WITHIN });
    await expectNoFlaws(page, 'profile-preview');
    await panel.getByRole('button', { name: 'Start on 2 sites' }).click();
    await panel.getByText('Done', { exact: true }).waitFor({ timeout: WITHIN });
    const { body } = await world.stored('/config/wknd/profiles/shared.json');
    expect(body).toMatchObject({ headers: { '/**': [{ key: 'x-shared', value: 'after' }] } });
  }, 300_000);
});

async function siteOf(name: string): Promise<Site> {
  return Site.parse((await world.stored(`/config/wknd/sites/${name}.json`)).body);
}
