import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Constellation, openExtension, startConstellation } from '../support/constellation.ts';
import { makeExtensionApp, readManifest } from '../support/extension-app.ts';

const ADA = 'ada.admin@example.com';
let folder: string;
let constellation: Constellation;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repoless-extension-app-'));
  constellation = await startConstellation({ extensionFolder: await makeExtensionApp(folder) });
});
afterAll(async () => {
  await constellation.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the packaged extension contributes the buttons and rails of manifest.json, and each opens its view', async () => {
  const { headerMenuButtons, rightPanelRails } = await readManifest();
  const { page, context } = await constellation.openConsole(ADA, { at: '/content/summit' });
  const toolbar = page.getByRole('toolbar', { name: 'Extensions' });
  await toolbar.getByRole('button', { name: headerMenuButtons[0]?.label ?? '', exact: true }).waitFor();
  const labels = await toolbar.getByRole('button').allInnerTexts();
  const expected = [...headerMenuButtons.map(({ label }) => label), ...rightPanelRails.map(({ header }) => header)];
  expect(labels.slice(0, expected.length)).toEqual(expected);
  for (const { label, needsModal } of headerMenuButtons) {
    expect(needsModal).toBe(true);
    const extension = await openExtension(page, label);
    await extension.getByRole('heading').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await context.close();
});
