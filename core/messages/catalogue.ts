import { bindMessages } from './format-message.ts';
import type { Messages, MessagesOf, Part } from './language.ts';

/** Another language is a folder next to `en` and its name here. */
export const LANGUAGES = ['en', 'de', 'fr', 'ja', 'ar', 'es', 'zh-CN', 'it', 'pt-BR', 'ko'] as const;

type Language = (typeof LANGUAGES)[number];
type Loaded<T> = T | Promise<T>;
type Service = NonNullable<Messages['service']>;

/** The messages of one language. Once loaded, they are available immediately. */
export interface Catalogue {
  /** The messages of a part, in English if those of the language cannot be loaded. */
  read<P extends Part>(part: P): Loaded<MessagesOf<P>>;
  readService(): Loaded<Service>;
  /** Resolves when every part that a view has needed so far is loaded; undefined if all are. */
  prepare(): Promise<void> | undefined;
}

/** Returns the catalogue for a locale such as `de-CH`: of its language if available, otherwise English. */
export function createCatalogues(): (locale: string) => Catalogue {
  const needed = new Set<Part>(['first-view']);
  const catalogues = new Map<Language, Catalogue>();
  return (locale) => {
    const language = languageOf(locale) ?? 'en';
    const catalogue = catalogues.get(language) ?? createCatalogue(language, needed);
    catalogues.set(language, catalogue);
    return catalogue;
  };
}

/** The locale for layout direction, dates and numbers: English if the messages are English. */
export function spokenLocale(locale: string): string {
  return languageOf(locale) === undefined ? 'en-US' : locale;
}

/** Portugal gets Brazilian Portuguese; Chinese in traditional script gets English. */
function languageOf(locale: string): Language | undefined {
  const { language, script } = new Intl.Locale(locale).maximize();
  return LANGUAGES.find((code) => {
    const own = new Intl.Locale(code).maximize();
    return own.language === language && own.script === script;
  });
}

function createCatalogue(language: Language, needed: Set<Part>): Catalogue {
  const parts = new Map<Part, Loaded<unknown>>();
  let preparing: Promise<void> | undefined;
  let service: Loaded<Service> | undefined;
  return { read, readService, prepare };

  /** After a failure of both languages, a part is loaded again. */
  function read<P extends Part>(part: P): Loaded<MessagesOf<P>> {
    needed.add(part);
    const known = parts.get(part) as Loaded<MessagesOf<P>> | undefined;
    if (known !== undefined) return known;
    const loading = load(language, part).catch(() => load('en', part));
    loading.then(
      (loaded) => parts.set(part, loaded),
      () => parts.delete(part),
    );
    parts.set(part, loading);
    return loading;
  }

  function readService(): Loaded<Service> {
    if (service !== undefined) return service;
    const loading = loadService();
    loading.then(
      (loaded) => (service = loaded),
      () => (service = undefined),
    );
    return (service = loading);
  }

  async function loadService(): Promise<Service> {
    const messages = await read('service');
    if (language === 'en') return { next: messages.next };
    const { serviceSentences } = await import('./problem-sentence.ts');
    return serviceSentences(messages);
  }

  function prepare(): Promise<void> | undefined {
    const loading = [...needed].map(read).filter((part) => part instanceof Promise);
    if (loading.length === 0) return undefined;
    preparing ??= Promise.allSettled(loading).then(() => (preparing = undefined));
    return preparing;
  }
}

/** The names of all files are loaded with the first part outside the first view. */
async function load<P extends Part>(language: Language, part: P): Promise<MessagesOf<P>> {
  const loading: Promise<{ readonly default: unknown }> =
    part === 'first-view'
      ? import(`./${language}/first-view.json`, { with: { type: 'json' } })
      : import('./load-part.ts').then(({ loadPart }) => loadPart(language, part));
  return bindMessages<P>((await loading).default, language);
}
