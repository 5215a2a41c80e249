import type { Properties, Resource } from '../authoring-system/content-store.ts';
import { PAGE_TEMPLATE, PAGE_TYPE } from '../authoring-system/create-page.ts';
import { showDate } from '../authoring-system/sling-form.ts';
import type { PageTexts, Part } from './page-texts.ts';

export const SEEDED_AT = showDate(new Date('2025-03-03T08:00:00.000Z'));
const COMPONENTS = 'core/franklin/components';

/** A page with its texts: the page node, its content, one section for each hero and one for the rest. */
export function* pageResources(path: string, texts: PageTexts, extra: Properties = {}): Iterable<Resource> {
  yield { path, properties: { 'jcr:primaryType': 'cq:Page', 'jcr:created': SEEDED_AT, 'jcr:createdBy': 'ada.admin@example.com' } };
  yield {
    path: `${path}/jcr:content`,
    properties: {
      'jcr:primaryType': 'cq:PageContent',
      'jcr:title': texts.title,
      'jcr:description': texts.description,
      'cq:template': PAGE_TEMPLATE,
      'sling:resourceType': PAGE_TYPE,
      'jcr:created': SEEDED_AT,
      ...extra,
    },
  };
  yield { path: `${path}/jcr:content/root`, properties: component('root') };
  let section = 0;
  let inSection = 0;
  for (const part of texts.parts) {
    if (inSection === 0 || part.kind === 'hero') {
      section += 1;
      inSection = 0;
      yield { path: `${path}/jcr:content/root/section_${section}`, properties: component('section') };
    }
    inSection = part.kind === 'hero' ? 0 : inSection + 1;
    yield* partResources(`${path}/jcr:content/root/section_${section}/${part.kind}_${inSection}`, part);
  }
}

function* partResources(path: string, part: Part): Iterable<Resource> {
  switch (part.kind) {
    case 'title':
      yield { path, properties: { ...component('title'), title: part.text, titleType: 'h1' } };
      return;
    case 'text':
      yield { path, properties: { ...component('text'), text: part.paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('') } };
      return;
    case 'hero':
      yield {
        path,
        properties: { ...component('block'), name: 'Hero', model: 'hero', text: `<h1>${part.heading}</h1><p>${part.text}</p>` },
      };
      return;
    case 'cards':
    case 'columns':
      yield { path, properties: { ...component('block'), name: part.kind === 'cards' ? 'Cards' : 'Columns', filter: part.kind } };
      for (const [index, item] of part.items.entries())
        yield {
          path: `${path}/item_${index}`,
          properties: { ...component('block/v1/block/item'), heading: item.heading, text: `<p>${item.text}</p>` },
        };
      return;
    default:
      part satisfies never;
  }
}

function component(name: string): Properties {
  const type = name.includes('/') ? name : `${name}/v1/${name}`;
  return { 'jcr:primaryType': 'nt:unstructured', 'sling:resourceType': `${COMPONENTS}/${type}` };
}
