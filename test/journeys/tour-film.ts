import { setTimeout as seconds } from 'node:timers/promises';
import type { Page, Browser } from 'playwright-core';
import { openExtension, type Constellation } from '../support/constellation.ts';
import { choosePlace, openOrganization } from './panel.ts';
import { writeFile } from 'node:fs/promises';

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
  await showPlace(page, 'Health', 'Health: problems, what they mean, and how to fix them.');
  await showPlace(page, 'Configuration', 'Configuration: forms made from the schema. Edits are one draft, saved as one version.');
  await showPlace(page, 'Access', 'Access: who may do what. Consequences are shown before anything is saved.');
  await showPlace(page, 'History', 'History: every version in words. Each can be restored, each change undone.');
  await openOrganization(panel);
  await show('All sites: their states by checks that the service runs. Repair, clone, edit or move many at once.');
  await show('repoless: one plan, one button, and everything can be undone.', 4000);
  await recording.end(file);
  await context.close();

  async function showPlace(of: Page, name: string, text: string): Promise<void> {
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
interface Recording {
  /** Writes the film. */
  end(file: string): Promise<void>;
}

const BITS_PER_SECOND = 400_000;

/**
 * Films a page with only Chromium: its frames are drawn into a second page, which records them as WebM. Playwright's own recorder
 * would need a downloaded program. Takes the page and the size of its viewport.
 */
async function startRecording(browser: Browser, page: Page, size: { readonly width: number; readonly height: number }): Promise<Recording> {
  const context = await browser.newContext();
  const desk = await context.newPage();
  await desk.evaluate(record, { ...size, bits: BITS_PER_SECOND });
  const session = await page.context().newCDPSession(page);
  let drawn: Promise<unknown> = Promise.resolve();
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    drawn = desk
      .evaluate((frame) => window.film?.draw(frame), data)
      .finally(() => {
        // The page may be closed by now.
        void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
      });
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 85, maxWidth: size.width, maxHeight: size.height });
  return {
    async end(file) {
      await session.send('Page.stopScreencast');
      await drawn;
      await writeFile(file, Buffer.from(await desk.evaluate(async () => (await window.film?.end()) ?? ''), 'base64'));
      await context.close();
    },
  };
}

declare global {
  interface Window {
    film?: { draw(frame: string): Promise<void>; end(): Promise<string> };
  }
}

/** Runs in the second page. */
function record({ width, height, bits }: { readonly width: number; readonly height: number; readonly bits: number }): void {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  document.body.append(canvas);
  const drawing = canvas.getContext('2d');
  let last: ImageBitmap | undefined;
  const again = () => void (last !== undefined && drawing?.drawImage(last, 0, 0, width, height));
  // Without this, the film of a static page would end with its last change.
  const steady = setInterval(again, 250);
  const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm;codecs=vp9', videoBitsPerSecond: bits });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => void parts.push(data);
  recorder.start();
  window.film = {
    async draw(frame) {
      const bytes = Uint8Array.from(atob(frame), (character) => character.charCodeAt(0));
      last = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      again();
    },
    async end() {
      clearInterval(steady);
      await new Promise<void>((resolve) => {
        recorder.onstop = () => resolve();
        recorder.stop();
      });
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
      let text = '';
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text);
    },
  };
}
