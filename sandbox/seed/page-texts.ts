import texts from './page-texts.json' with { type: 'json' };

/** The texts of a page in one language. */
export interface PageTexts {
  /** Path below the home page; `''` for the home page. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly parts: readonly Part[];
}

export type Part =
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
