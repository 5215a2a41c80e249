import type { ReadableTree } from '../content-store.ts';
import { nameOf, textOf } from '../resource.ts';
import type { Resource } from '../resource.ts';
import { escapeHtml } from '../sling-answer.ts';

/** A title, a text, an image or a block (a table of its items' fields, as the delivery shows it) as markup. */
export function componentMarkup(tree: ReadableTree, component: Resource): string {
  const type = nameOf(parentType(component));
  switch (type) {
    case 'title':
      return heading(component);
    case 'text':
      // Rich text is markup already: the authoring system's editor made it.
      return textOf(component.properties, 'text') ?? '';
    case 'image':
      return picture(component);
    case 'block':
      return block(tree, component);
    default:
      return '';
  }
}

/** `core/franklin/components/title/v1/title` → `core/franklin/components/title`, versions left out. */
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

/** Image and text of an item, each in a cell of its own. */
function cells(item: Resource): string[] {
  const texts = [
    titled(textOf(item.properties, 'heading'), 'h3'),
    textOf(item.properties, 'text') ?? '',
    link(textOf(item.properties, 'link'), textOf(item.properties, 'linkText')),
  ].join('');
  return [picture(item), texts].filter((cell) => cell !== '');
}

function titled(text: string | undefined, element: string): string {
  return text === undefined ? '' : `<${element}>${escapeHtml(text)}</${element}>`;
}

function link(target: string | undefined, text: string | undefined): string {
  return target === undefined ? '' : `<p><a href="${escapeHtml(target)}">${escapeHtml(text ?? target)}</a></p>`;
}
