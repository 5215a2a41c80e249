import { afterAll, expect } from 'vitest';
import {
  type MailReceiver,
  startMailReceiver,
  startWebhookReceiver,
  verified,
  type WebhookReceiver,
} from '../support/message-receivers.ts';
import { axeOf, choosePlace, openPlace } from './panel.ts';
import { test } from '../support/shared-constellation.ts';
import { ADA, startWorld, type World } from './world.ts';

const WITHIN = 90_000;
let mail: MailReceiver;
let hook: WebhookReceiver;
let world: World;
test.beforeAll(async ({ kept }) => {
  [mail, hook] = await Promise.all([startMailReceiver(), startWebhookReceiver()]);
  world = await startWorld({ kept, backend: { SMTP_URL: mail.url, MAIL_FROM: 'repoless@example.com', CODE_RETRY_DELAY: '1' } });
});
afterAll(async () => {
  await world.stop();
  await Promise.all([mail.stop(), hook.stop()]);
});

test('Subscribers are notified once when a code sync fails, and once when it succeeds again', async () => {
  const { page, context } = await world.openConsole(ADA, { at: '/content/wknd', viewport: { width: 1280, height: 1000 } });
  const panel = await openPlace(page, 'All sites');
  await choosePlace(panel, 'Notifications');
  await panel.getByText('No problems have been reported.').waitFor();
  expect(await axeOf(page)).toEqual([]);

  await panel.getByRole('button', { name: 'Add a recipient' }).click();
  await panel.getByRole('textbox', { name: 'E-mail address' }).fill(ADA);
  expect(await axeOf(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Add', exact: true }).click();
  await panel.getByText(`${ADA} will be notified.`).waitFor();
  await panel.getByRole('button', { name: 'Add a recipient' }).click();
  await panel.getByRole('radio', { name: 'Webhook' }).click();
  await panel.getByRole('textbox', { name: 'Address of the webhook' }).fill(hook.url);
  await panel.getByRole('button', { name: 'Add', exact: true }).click();
  await panel.getByRole('heading', { name: 'Copy the secret now' }).waitFor();
  const secret = await panel.locator('.rp-once-value').innerText();
  await panel.getByRole('button', { name: 'I have copied it' }).click();

  await panel.getByRole('button', { name: `Send test message to ${ADA}` }).click();
  await panel.getByText('The test message is on its way.').waitFor();
  await panel.getByText('Sent', { exact: true }).waitFor();
  const [trial = ''] = await mail.until(1);
  expect(trial).toContain('This is a test message');
  expect(await axeOf(page)).toEqual([]);

  await world.fault('code-host', { mode: 'unavailable' });
  await world.call('POST', '/code/wknd/wknd/main/*');
  const [began] = await hook.until(1);
  await mail.until(2);
  await world.fault('code-host', { mode: 'none' });
  await world.call('POST', '/code/wknd/wknd/main/*');
  const [, ended] = await hook.until(2);
  const letters = await mail.until(3);
  expect([began, ended].map((one) => one && verified(one, secret).type)).toEqual(['sync-failed.began', 'sync-failed.ended']);
  expect(hook.all).toHaveLength(2);
  expect(letters).toHaveLength(3);
  expect(mail.recipients).toEqual([ADA]);

  await panel.getByRole('link', { name: 'Notifications (2 new)' }).waitFor({ timeout: WITHIN });
  await panel.getByText('No open problems.').waitFor();
  await panel.getByText('Resolved (1)').click();
  await panel.getByText('Code sync failed: wknd/wknd · main').waitFor();
  await panel.getByRole('button', { name: 'Mark all as read' }).click();
  await panel.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
  await panel
    .getByText(/1 attempt/)
    .first()
    .waitFor();
  expect(await axeOf(page)).toEqual([]);

  await panel.getByRole('button', { name: `Remove ${ADA}` }).click();
  await panel.getByRole('heading', { name: `Remove ${ADA}?` }).waitFor();
  expect(await axeOf(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await panel.getByText(`${ADA} will no longer be notified.`).waitFor();
  await context.close();
}, 240_000);
