import type { Properties, Resource } from '../authoring-system/content-store.ts';
import { PAGE_TEMPLATE, PAGE_TYPE } from '../authoring-system/create-page.ts';
import { showDate } from '../authoring-system/sling-form.ts';
import texts from './page-texts.json' with { type: 'json' };

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

/** The texts of a page in one language. */
interface PageTexts {
  /** Path below the home page; `''` for the home page. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly parts: readonly Part[];
}

type Part =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'text'; readonly paragraphs: readonly string[] }
  | { readonly kind: 'hero'; readonly heading: string; readonly text: string }
  | { readonly kind: 'cards' | 'columns'; readonly items: readonly { readonly heading: string; readonly text: string }[] };

export interface LanguageTexts {
  readonly language: string;
  readonly footer: string;
  readonly pages: readonly PageTexts[];
}

export function title(text: string): Part {
  return { kind: 'title', text };
}

export function text(...paragraphs: readonly string[]): Part {
  return { kind: 'text', paragraphs };
}

function hero(heading: string, line: string): Part {
  return { kind: 'hero', heading, text: line };
}

/** The parts of a page, from its title and its other texts in the order in which they are read. */
type Layout = (name: string, lines: readonly string[]) => readonly Part[];

const titled: Layout = (name, lines) => [title(name), text(...lines)];
const withHero: Layout = (name, [first = '', ...lines]) => [hero(name, first), text(...lines)];
const LAYOUTS: Readonly<Record<keyof (typeof texts)['en']['pages'], Layout>> = {
  '': (_, [heading = '', first = '', ...lines]) => [hero(heading, first), items('cards', lines.slice(0, 6)), text(...lines.slice(6))],
  about: (name, lines) => [...titled(name, lines.slice(0, 2)), items('columns', lines.slice(2))],
  adventures: titled,
  'adventures/hut-to-hut': withHero,
  'adventures/fjord-kayak': withHero,
  magazine: titled,
  contact: titled,
};

/** Takes headings and texts in turns. */
function items(kind: 'cards' | 'columns', lines: readonly string[]): Part {
  const pairs = lines.flatMap((heading, index) => (index % 2 === 0 ? [{ heading, text: lines[index + 1] ?? '' }] : []));
  return { kind, items: pairs };
}

/** The site in each language of the content. In `page-texts.json` a page is its title, its description, and its other texts. */
export const LANGUAGES: readonly LanguageTexts[] = Object.entries(texts).map(([language, { footer, pages }]) => ({
  language,
  footer,
  pages: Object.entries(LAYOUTS).map(([path, layout]) => {
    const [name = '', description = '', ...lines] = pages[path as keyof typeof pages];
    return { path, title: name, description, parts: layout(name, lines) };
  }),
}));

/** In English if there are none in this language. */
export function textsOf(language: string): LanguageTexts {
  const found = LANGUAGES.find((one) => one.language === language) ?? LANGUAGES[0];
  if (found === undefined) throw new Error('page-texts.json has no language.');
  return found;
}
