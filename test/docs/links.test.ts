import { readdir, readFile, stat } from 'node:fs/promises';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

it('has no link in the documentation that leads nowhere, heading included', async () => {
  const files = (await readdir(new URL('docs', ROOT), { recursive: true }))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  const dead: string[] = [];
  for (const file of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...files]) {
    for (const link of linksOf(await readFile(new URL(file, ROOT), 'utf8'))) {
      const target = new URL(link, new URL(file, ROOT));
      if (!(await leadsSomewhere(target))) dead.push(`${file}: ${link}`);
    }
  }
  expect(files.length).toBeGreaterThan(10);
  expect(dead).toEqual([]);
});

function linksOf(text: string): string[] {
  return [...withoutExamples(text).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
}

async function leadsSomewhere(target: URL): Promise<boolean> {
  const file = new URL(target.pathname, target);
  if ((await stat(file).catch(() => undefined)) === undefined) return false;
  if (target.hash === '' || !file.pathname.endsWith('.md')) return true;
  return (await anchorsOf(file)).has(decodeURIComponent(target.hash));
}

/** Read once each: the reference links to the same headings again and again. */
const anchors = new Map<string, Promise<ReadonlySet<string>>>();

function anchorsOf(file: URL): Promise<ReadonlySet<string>> {
  const known = anchors.get(file.href) ?? readAnchors(file);
  anchors.set(file.href, known);
  return known;
}

async function readAnchors(file: URL): Promise<ReadonlySet<string>> {
  const headings = withoutExamples(await readFile(file, 'utf8')).matchAll(/^#+ (.+)$/gm);
  return new Set([...headings].map(([, heading = '']) => `#${anchorOf(heading)}`));
}

/** As GitHub makes an anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function withoutExamples(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}
