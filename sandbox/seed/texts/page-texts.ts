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

export function page(path: string, title: string, description: string, ...parts: readonly Part[]): PageTexts {
  return { path, title, description, parts };
}

export function hero(heading: string, text: string): Part {
  return { kind: 'hero', heading, text };
}

export function title(text: string): Part {
  return { kind: 'title', text };
}

export function text(...paragraphs: string[]): Part {
  return { kind: 'text', paragraphs };
}

/** Items as pairs of heading and text. */
export function cards(...items: (readonly [string, string])[]): Part {
  return { kind: 'cards', items: items.map(([heading, body]) => ({ heading, text: body })) };
}

export function columns(...items: (readonly [string, string])[]): Part {
  return { kind: 'columns', items: items.map(([heading, body]) => ({ heading, text: body })) };
}
