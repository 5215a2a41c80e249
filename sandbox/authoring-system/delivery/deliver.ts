import { TECHNICAL_ACCOUNT_PROPERTY } from '@repoless/contract/edge-fields.ts';
import type { Sheet } from '@repoless/contract/authoring.ts';
import { CONFIGURATION_PATH } from '@repoless/contract/mappings.ts';
import type { Bearer } from '../access-control.ts';
import {
  nameOf,
  parentOf,
  type ReadableTree,
  type Resource,
  textOf,
  type Environment,
  configurationNamed,
  configurationOf,
  configuredBy,
  type EffectiveConfiguration,
  shownAccount,
} from '../content-store.ts';
import { SPREADSHEET_TYPE } from '../create-page.ts';
import { escapeHtml } from '../sling-answer.ts';

export interface Delivered {
  readonly status: number;
  readonly media: 'text/html; charset=utf-8' | 'application/json' | 'text/plain; charset=utf-8';
  readonly body: string;
}

/**
 * The delivery address `/bin/<connector>.delivery/<org>/<site>/<ref>/<rest>`: a page as markup, a sheet as JSON, for the technical account
 * of the environment, or for everyone if the configuration is open. Org and site must match the page's configuration.
 */
export function deliver(tree: ReadableTree, environment: Environment, path: string, bearer: Bearer): Delivered | undefined {
  const match = DELIVERY.exec(path);
  if (match === null) return undefined;
  const [, org = '', site = '', rest = ''] = match;
  if (rest === CONFIGURATION_PATH) {
    const named = configurationNamed(tree, org, site);
    return (
      accessRefusal(named, environment, bearer) ??
      json(sheet([{ key: 'admin.role.publish', value: shownAccount(named?.values[TECHNICAL_ACCOUNT_PROPERTY], environment) }]))
    );
  }
  const page = rest.replace(/\.(html|json)$/, '');
  const configuration = configurationOf(tree, page);
  const { owner, repo } = configuration?.values ?? {};
  if (owner !== org || repo !== site)
    return notFound(
      owner === undefined || repo === undefined
        ? `The Edge Delivery configuration of ${page} names no organization or site.`
        : `${page} belongs to ${owner}/${repo}, not to ${org}/${site}.`,
    );
  const refusal = accessRefusal(configuration, environment, bearer);
  if (refusal !== undefined) return refusal;
  if (rest.endsWith('.json')) {
    const rows = sheetOf(tree, page);
    return rows === undefined ? notFound(`${page} is not a spreadsheet page.`) : json(rows);
  }
  const markup = rest.endsWith('.html') && sheetOf(tree, page) === undefined ? pageMarkup(tree, page) : undefined;
  return markup === undefined ? notFound(`There is no page at ${page}.`) : { status: 200, media: 'text/html; charset=utf-8', body: markup };
}

/** The refusal to deliver to the sender of these credentials; undefined if they may read. */
function accessRefusal(configuration: EffectiveConfiguration | undefined, environment: Environment, bearer: Bearer): Delivered | undefined {
  if (configuration === undefined) return notFound('No Edge Delivery configuration names this organization and site.');
  if (configuration.values.open === true) return undefined;
  if (bearer.kind === 'unverifiable') return text(503, bearer.reason);
  if (bearer.kind !== 'known') return text(401, 'This content is delivered only to the technical account: send its token.');
  return bearer.email === environment.technicalAccount
    ? undefined
    : text(403, `This content is delivered only to ${environment.technicalAccount}.`);
}

function notFound(message: string): Delivered {
  return text(404, message);
}

function text(status: number, message: string): Delivered {
  return { status, media: 'text/plain; charset=utf-8', body: `${message}\n` };
}

function json(value: unknown): Delivered {
  return { status: 200, media: 'application/json', body: `${JSON.stringify(value, null, 2)}\n` };
}

const DELIVERY = /^\/bin\/[A-Za-z0-9_-]+\.delivery\/([^/]+)\/([^/]+)\/[^/]+(\/.+)$/;

/** The rows of a spreadsheet page; undefined if the page is of another type or missing. */
function sheetOf(tree: ReadableTree, page: string): Sheet | undefined {
  const content = tree.read(`${page}/jcr:content`);
  if (content === undefined || textOf(content.properties, 'sling:resourceType') !== SPREADSHEET_TYPE) return undefined;
  return sheet(
    tree
      .children(content.path)
      .map(({ properties }) => ({ key: textOf(properties, 'key') ?? '', value: textOf(properties, 'value') ?? '' })),
  );
}

function sheet(data: Sheet['data']): Sheet {
  return { total: data.length, offset: 0, limit: data.length, data, ':type': 'sheet' };
}

/** A page as semantic markup: head with metadata, header with the site's pages, main with sections and blocks, footer. */
function pageMarkup(tree: ReadableTree, page: string): string | undefined {
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

/** Links to the home page of the language and to its child pages, except hidden ones. */
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

/** The address of a page on its site's hosts: relative to the page that sets the configuration, which is mapped to `/`. */
function publicPath(tree: ReadableTree, path: string): string {
  const root = configuredBy(tree, path)?.page ?? '';
  return path.slice(root.length) || '/';
}

/** A title, a text, an image or a block (a table of its items' fields, as the delivery shows it) as markup. */
function componentMarkup(tree: ReadableTree, component: Resource): string {
  const type = nameOf(parentType(component));
  switch (type) {
    case 'title':
      return heading(component);
    case 'text':
      // Rich text is already markup, from the authoring system's editor.
      return textOf(component.properties, 'text') ?? '';
    case 'image':
      return picture(component);
    case 'block':
      return block(tree, component);
    default:
      return '';
  }
}

/** `core/franklin/components/title/v1/title` → `core/franklin/components/title`, without versions. */
function parentType(component: Resource): string {
  return (textOf(component.properties, 'sling:resourceType') ?? '').replace(/\/v\d+\/.*$/, '');
}

function heading(component: Resource): string {
  const title = textOf(component.properties, 'title') ?? '';
  const type = textOf(component.properties, 'titleType') ?? 'h2';
  const level = /^h[1-6]$/.test(type) ? type : 'h2';
  return `<${level}>${escapeHtml(title)}</${level}>`;
}

function picture(component: Resource): string {
  const source = textOf(component.properties, 'fileReference');
  if (source === undefined) return '';
  const alternative = textOf(component.properties, 'alt') ?? '';
  return `<picture><img src="${escapeHtml(source)}" alt="${escapeHtml(alternative)}" loading="lazy"></picture>`;
}

function block(tree: ReadableTree, component: Resource): string {
  const name = (textOf(component.properties, 'name') ?? 'block').toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const items = tree.children(component.path);
  const rows = items.length > 0 ? items.map(cells) : [cells(component)];
  return `<div class="${name}">${rows.map((row) => `<div>${row.map((cell) => `<div>${cell}</div>`).join('')}</div>`).join('')}</div>`;
}

/** Image and text of an item, each in a separate cell. */
function cells(item: Resource): string[] {
  const texts = [
    textElement(textOf(item.properties, 'heading'), 'h3'),
    textOf(item.properties, 'text') ?? '',
    link(textOf(item.properties, 'link'), textOf(item.properties, 'linkText')),
  ].join('');
  return [picture(item), texts].filter((cell) => cell !== '');
}

function textElement(text: string | undefined, element: string): string {
  return text === undefined ? '' : `<${element}>${escapeHtml(text)}</${element}>`;
}

function link(target: string | undefined, text: string | undefined): string {
  return target === undefined ? '' : `<p><a href="${escapeHtml(target)}">${escapeHtml(text ?? target)}</a></p>`;
}
