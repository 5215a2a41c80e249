import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { expect } from 'vitest';
import { openExtension } from '../support/constellation.ts';
import { UNSUPPORTED_IN_VIEWS } from '../support/on-both.ts';
import { test } from '../support/shared-constellation.ts';
import { worldBeforeAll } from './world-before-all.ts';
import { axeOf } from './panel.ts';

const world = worldBeforeAll({ hosted: true });

test('a user whose sign-in the hosted service rejects pastes its token', async () => {
  const { hosted } = world.sandbox;
  const { page } = await world.openConsole(EXAMPLE.otherAdmin, { at: '/content/summit' });
  await page.getByRole('button', { name: 'Simulate faults' }).click();
  const accepts = page.getByRole('switch', { name: 'Accepts the sign-in of the authoring system' });
  await accepts.press(' ');
  await expect.poll(() => accepts.isChecked()).toBe(false);
  await accepts.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const panel = await openExtension(page, 'Repoless sites');
  const field = panel.getByLabel('Token or API key');
  await field.waitFor();
  await panel.getByText(UNSUPPORTED_IN_VIEWS['sign-in-with-a-code']).waitFor();
  expect(await axeOf(page)).toEqual([]);
  await field.fill('made-up');
  await panel.getByRole('button', { name: 'Use it to sign in' }).click();
  await panel.getByRole('button', { name: 'Try again' }).click();
  await field.fill(hosted?.token('session', { email: EXAMPLE.otherAdmin }) ?? '');
  await field.press('Enter');
  await panel.getByRole('heading', { name: 'Planned steps' }).waitFor();
  await panel.getByText(`Signed in as ${EXAMPLE.otherAdmin}`).waitFor();
});
