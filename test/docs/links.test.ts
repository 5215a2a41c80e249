import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = new URL('../../', import.meta.url);
const MODULES = ['backend', 'command-line', 'contract', 'core', 'extension', 'packaging', 'sandbox', 'test', 'upstream'];
const text = (file: string) => readFile(new URL(file, ROOT), 'utf8');
const filesBelow = async (folder: string, ending: RegExp) =>
  (await readdir(new URL(folder, ROOT), { recursive: true }))
    .filter((file) => ending.test(file) && !/(?:^|\/)(?:dist|node_modules)\//.test(file))
    .map((file) => `${folder}/${file}`);

it('has no broken link, headings included', async () => {
  const files = await filesBelow('docs', /\.md$/);
  const dead: string[] = [];
  for (const file of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...files]) {
    for (const [, link = ''] of withoutExamples(await text(file)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      if (!(await leadsSomewhere(new URL(link, new URL(file, ROOT))))) dead.push(`${file}: ${link}`);
    }
  }
  expect(files.length).toBeGreaterThan(10);
  expect(dead).toEqual([]);
});

it.each(['CONTRIBUTING.md', 'docs/walks.md', 'docs/architecture.md', 'docs/security/asvs.md'])(
  'names in %s only existing files',
  async (page) => {
    const source = await text(page);
    const named = [...source.matchAll(/`([\w.-]+)(\/[\w./-]*)`/g)].flatMap(([, top = '', rest = '']) =>
      top !== 'dist' && existsSync(new URL(top, ROOT)) ? [`${top}${rest}`] : [],
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
    const modules = (await Promise.all(MODULES.map((module) => filesBelow(module, /\.tsx?$/)))).flat();
    const names = new Set(modules.map((path) => path.slice(path.lastIndexOf('/') + 1)));
    const withoutFolder = [...source.matchAll(/`([\w.-]+\.tsx?)`/g)].map(([, name = '']) => name);
    expect(withoutFolder.filter((name) => !names.has(name))).toEqual([]);
  },
);

it('names only existing commands of package.json, in the pages and pipelines', async () => {
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(await text('package.json')));
  const pages = ['README.md', 'CONTRIBUTING.md', '.github/pull_request_template.md', ...(await filesBelow('docs', /\.md$/))];
  const texts = (await Promise.all([...pages, '.github/workflows/checks.yml'].map(text))).join('\n');
  const [workflow, pipeline] = await Promise.all(['.github/workflows/checks.yml', '.ci/run'].map(text));
  const parts = [...(/part: \[(.+)\]/.exec(workflow ?? '')?.[1] ?? '').matchAll(/'([\w:]+)/g)].map(([, name = '']) => name);
  const runs = [...(pipeline ?? '').matchAll(/\bpart \d+ ([\w:]+)/g)].map(([, name = '']) => name);
  const named = [...texts.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
  expect([parts.length, runs.length, named.length].map((count) => count > 5)).toEqual([true, true, true]);
  expect([...named, ...parts, ...runs].filter((name) => scripts[name] === undefined)).toEqual([]);
});

it.each(['docs/contract.md', 'docs/design-facts.md'])('cites only existing rules of %s', async (page) => {
  const rules = new Set([...(await text(page)).matchAll(/^### (\d+\.\d+) \S/gm)].map(([, number]) => number));
  const cited = new RegExp(`${page.replace('.', '\\.')} (\\d+\\.\\d+)(?: to (\\d+\\.\\d+))?`, 'g');
  const unknown: string[] = [];
  for (const file of (await Promise.all(MODULES.map((module) => filesBelow(module, /\.(?:ts|tsx|mjs)$/)))).flat()) {
    // A citation may continue on the next line of a comment.
    const source = (await text(file)).replaceAll(/\n\s*(?:\*|\/\/) /g, ' ');
    for (const [, ...numbers] of source.matchAll(cited))
      for (const number of numbers) if (number !== undefined && !rules.has(number)) unknown.push(`${file}: ${number}`);
  }
  expect(unknown).toEqual([]);
});

async function leadsSomewhere(target: URL): Promise<boolean> {
  const file = new URL(target.pathname, target);
  if ((await stat(file).catch(() => undefined)) === undefined) return false;
  if (target.hash === '' || !file.pathname.endsWith('.md')) return true;
  return (await anchorsOf(file)).has(decodeURIComponent(target.hash));
}

/** Read once each: many links lead to the same page. */
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

/** The anchor that GitHub generates for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function withoutExamples(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
}
