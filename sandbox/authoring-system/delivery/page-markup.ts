import type { ReadableTree } from '../content-store.ts';
import { configuredBy } from '../edge-configuration.ts';
import { nameOf, parentOf, textOf } from '../resource.ts';
import type { Resource } from '../resource.ts';
import { escapeHtml } from '../sling-answer.ts';
import { componentMarkup } from './component-markup.ts';

/** A page as semantic markup: head with metadata, header with the site's pages, main with sections and blocks, footer. */
export function pageMarkup(tree: ReadableTree, page: string): string | undefined {
  const content = tree.read(`${page}/jcr:content`);
  if (content === undefined) return undefined;
  const title = textOf(content.properties, 'jcr:title') ?? nameOf(page);
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language(tree, page))}">
  <head>
    <title>${escapeHtml(textOf(content.properties, 'pageTitle') ?? title)}</title>
${metadata(content, title)}    <meta name="viewport" content="width=device-width, initial-scale=1">
    <script src="/scripts/scripts.js" type="module"></script>
    <link rel="stylesheet" href="/styles/styles.css">
  </head>
  <body>
    <header>${navigation(tree, page)}</header>
    <main>
${sections(tree, content)}    </main>
    <footer>${footer(tree, page)}</footer>
  </body>
</html>
`;
}

function language(tree: ReadableTree, page: string): string {
  for (let path = page; path !== '/'; path = parentOf(path)) {
    const content = tree.read(`${path}/jcr:content`);
    const found = content === undefined ? undefined : textOf(content.properties, 'jcr:language');
    if (found !== undefined) return found.replace('_', '-');
  }
  return 'en';
}

function metadata(content: Resource, title: string): string {
  const entries = [
    ['description', textOf(content.properties, 'jcr:description')],
    ['keywords', textOf(content.properties, 'keywords')],
    ['template', textOf(content.properties, 'template')],
  ] as const;
  const named = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [`    <meta name="${name}" content="${escapeHtml(value)}">\n`],
  );
  return [...named, `    <meta property="og:title" content="${escapeHtml(title)}">\n`].join('');
}

function sections(tree: ReadableTree, content: Resource): string {
  return tree
    .children(`${content.path}/root`)
    .map((section) => {
      const style = textOf(section.properties, 'style');
      const parts = tree.children(section.path).map((component) => componentMarkup(tree, component));
      const metadataBlock =
        style === undefined
          ? ''
          : `\n        <div class="section-metadata"><div><div>style</div><div>${escapeHtml(style)}</div></div></div>`;
      return `      <div>\n        ${parts.join('\n        ')}${metadataBlock}\n      </div>\n`;
    })
    .join('');
}

/** Links to the home page of the language and the pages below it; hidden ones and those that are no pages left out. */
function navigation(tree: ReadableTree, page: string): string {
  const home = homeOf(tree, page);
  const below = tree.children(home).filter(({ path }) => shownInNavigation(tree, path));
  const items = [home, ...below.map(({ path }) => path)].map(
    (path) => `<li><a href="${escapeHtml(publicPath(tree, path))}">${escapeHtml(titleOf(tree, path))}</a></li>`,
  );
  return `<nav><ul>${items.join('')}</ul></nav>`;
}

function footer(tree: ReadableTree, page: string): string {
  const text = textOf(tree.read(`${homeOf(tree, page)}/jcr:content`)?.properties ?? {}, 'footerText');
  return text === undefined ? '' : `<p>${escapeHtml(text)}</p>`;
}

/** The nearest page marked as navigation root, or the page itself. */
function homeOf(tree: ReadableTree, page: string): string {
  for (let path = page; path !== '/'; path = parentOf(path)) {
    if (tree.read(`${path}/jcr:content`)?.properties['navRoot'] === true) return path;
  }
  return page;
}

function shownInNavigation(tree: ReadableTree, path: string): boolean {
  const content = tree.read(`${path}/jcr:content`);
  if (content === undefined || content.properties['hideInNav'] === true) return false;
  return textOf(content.properties, 'sling:resourceType')?.includes('/page/') === true;
}

function titleOf(tree: ReadableTree, path: string): string {
  const properties = tree.read(`${path}/jcr:content`)?.properties ?? {};
  return textOf(properties, 'navTitle') ?? textOf(properties, 'jcr:title') ?? nameOf(path);
}

/** The address of a page on its site's hosts: below the page that sets the configuration, which is mapped to `/`. */
function publicPath(tree: ReadableTree, path: string): string {
  const root = configuredBy(tree, path)?.page ?? '';
  return path.slice(root.length) || '/';
}
