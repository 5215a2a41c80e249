import { setTimeout as seconds } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openExtension, type Constellation } from '../support/constellation.ts';
import { choosePlace, openOrganization } from './panel.ts';
import { startRecording } from './screen-recorder.ts';

const SIZE = { width: 1280, height: 800 };
/** Milliseconds for which a view is shown, so that it can be read. */
const READ = 8000;

/** Films the way from a page to a set-up site, and its views afterwards: about two minutes. */
export async function filmTour(constellation: Constellation, file: string, slowly: (isSlow: boolean) => Promise<void>): Promise<void> {
  const { page, context } = await constellation.openConsole('ada.admin@example.com', {
    viewport: SIZE,
    colorScheme: 'light',
    at: '/content/summit',
  });
  await page.getByRole('button', { name: 'Repoless sites' }).waitFor();
  const recording = await startRecording(constellation.browser, page, SIZE);
  const show = async (text: string, stands = READ) => {
    await page.evaluate(caption, text);
    await seconds(stands);
  };
  await show('A new website in the authoring system. It shall share the code of the others: repoless.');
  const panel = await openExtension(page, 'Repoless sites');
  await panel.getByRole('button', { name: 'Enable repoless' }).waitFor();
  await show('“Repoless sites” reads what the author has set, and shows a plan.');
  await show('Four groups: prepare, register, verify, switch. Nothing has been changed yet.');
  await slowly(true);
  await show('One button carries it out.', 3000);
  await panel.getByRole('button', { name: 'Enable repoless' }).click();
  await page.evaluate(caption, 'The service first, then a check of the preview and live hosts; the switch comes last.');
  await panel.getByText('Switch the project type to repoless…').first().waitFor({ timeout: 120_000 });
  await slowly(false);
  await panel.getByText(/^This page is set up for repoless as site/).waitFor();
  await show('Done: the start page and its addresses. “Undo setup” takes all of it back.');
  await place(page, 'Health', 'Health: problems, what they mean, and how to fix them.');
  await place(page, 'Configuration', 'Configuration: forms made from the schema. Edits are one draft, saved as one version.');
  await place(page, 'Access', 'Access: who may do what. Consequences are shown before anything is saved.');
  await place(page, 'History', 'History: every version in words. Each can be restored, each change undone.');
  await openOrganization(panel);
  await show('All sites: their states by checks that the service runs. Repair, clone, edit or move many at once.');
  await show('repoless: one plan, one button, and everything can be undone.', 4000);
  await recording.end(file);
  await context.close();

  async function place(of: Page, name: string, text: string): Promise<void> {
    await choosePlace(of.getByRole('dialog').frameLocator('iframe'), name);
    await show(text);
  }
}

/** Shows a line above everything else; runs in the page. */
function caption(text: string): void {
  const before = document.querySelector<HTMLElement>('[data-caption]');
  const line = before ?? document.createElement('div');
  line.textContent = text;
  if (before === null) {
    line.dataset['caption'] = '';
    line.popover = 'manual';
    Object.assign(line.style, {
      inset: 'auto 0 24px 0',
      margin: '0 auto',
      width: 'fit-content',
      maxWidth: '1100px',
      padding: '12px 24px',
      border: 'none',
      borderRadius: '8px',
      background: '#1b1b1b',
      color: '#fff',
      font: '600 20px system-ui, sans-serif',
      pointerEvents: 'none',
    });
    document.body.append(line);
  }
  // Raises it above a dialog opened since.
  line.hidePopover();
  line.showPopover();
}
