import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CASES, walkScreens } from './state-views.ts';
import { ADA, startWorld } from './world.ts';

/**
 * `node test/dist/journeys/state-sheet.js <folder>`: one picture per state, with its label on every screen side by side, light
 * and dark, for visual review.
 */
const folder = resolve(process.argv[2] ?? 'dist/states');
const THEMES = ['light', 'dark'] as const;

async function sheets(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const world = await startWorld();
  try {
    for (const each of CASES) {
      const cells: string[] = [];
      for (const colorScheme of THEMES) {
        const { page, context } = await world.openConsole(ADA, { viewport: { width: 1280, height: 900 }, colorScheme, at: each.path });
        await walkScreens(page, each, async ({ screen, word, colour }, shownAt) => {
          const image = (await shownAt.screenshot({ animations: 'disabled' })).toString('base64');
          cells.push(
            `<figure><figcaption>${colorScheme}, ${screen}: ${word}, ${colour}</figcaption><img src="data:image/png;base64,${image}"></figure>`,
          );
        });
        if (colorScheme === 'light') await page.screenshot({ path: join(folder, `${nameOf(each.word)}-console.png`) });
        await context.close();
      }
      const sheet = await world.browser.newPage({ viewport: { width: 1300, height: 400 } });
      await sheet.setContent(`<body style="font: 14px sans-serif"><h1>${each.word}</h1>${cells.join('')}</body>`);
      await sheet.screenshot({ path: join(folder, `${nameOf(each.word)}.png`), fullPage: true });
      await sheet.close();
      process.stdout.write(`${nameOf(each.word)}.png\n`);
    }
  } finally {
    await world.stop();
  }
}

function nameOf(word: string): string {
  return word.toLowerCase().replaceAll(' ', '-');
}

await sheets();
