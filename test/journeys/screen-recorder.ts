import { writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';

export interface Recording {
  /** Writes the film. */
  end(file: string): Promise<void>;
}

const BITS_PER_SECOND = 400_000;

/**
 * Films a page with only Chromium: its frames are drawn into a second page, which records them as WebM. Playwright's own recorder
 * would need a downloaded program. Takes the page and the size of its viewport.
 */
export async function startRecording(
  browser: Browser,
  page: Page,
  size: { readonly width: number; readonly height: number },
): Promise<Recording> {
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
