import type { Language, Loaded, MessagesOf, Part } from './language.ts';
import * as languages from './languages.ts';

/** The sentences of one language. What was loaded once is there at once from then on. */
export interface Catalogue {
  /** The sentences of a part, in English where the language's own cannot be loaded. */
  read<P extends Part>(part: P): Loaded<MessagesOf<P>>;
  /** Resolves when every part that a view has needed so far is there; undefined where all are. */
  prepare(): Promise<void> | undefined;
}

/** Gives the catalogue of a locale such as `de-CH`: of its language where there is one, else English. */
export function createCatalogues(): (locale: string) => Catalogue {
  const needed = new Set<Part>(['firstView']);
  const catalogues = new Map(Object.entries<Language>(languages).map(([code, language]) => [code, createCatalogue(language, needed)]));
  const english = createCatalogue(languages.en, needed);
  return (locale) => catalogues.get(languageOf(locale)) ?? english;
}

/** The locale in which something is laid out, with its direction, dates and numbers: one whose language is not there is that of its sentences. */
export function spokenLocale(locale: string): string {
  return Object.hasOwn(languages, languageOf(locale)) ? locale : 'en-US';
}

function languageOf(locale: string): string {
  return new Intl.Locale(locale).language;
}

function createCatalogue(language: Language, needed: Set<Part>): Catalogue {
  const parts: Language = {
    firstView: kept(language.firstView, languages.en.firstView),
    setup: kept(language.setup, languages.en.setup),
    simulation: kept(language.simulation, languages.en.simulation),
    siteCheck: kept(language.siteCheck, languages.en.siteCheck),
    sync: kept(language.sync, languages.en.sync),
    sites: kept(language.sites, languages.en.sites),
    access: kept(language.access, languages.en.access),
    configuration: kept(language.configuration, languages.en.configuration),
    history: kept(language.history, languages.en.history),
    rollouts: kept(language.rollouts, languages.en.rollouts),
    leaving: kept(language.leaving, languages.en.leaving),
    glossary: kept(language.glossary, languages.en.glossary),
  };
  let preparing: Promise<void> | undefined;
  return {
    read: (part) => {
      needed.add(part);
      return parts[part]();
    },
    prepare: () => {
      const loading = [...needed].map((part) => parts[part]()).filter((part) => part instanceof Promise);
      if (loading.length === 0) return undefined;
      preparing ??= Promise.allSettled(loading).then(() => (preparing = undefined));
      return preparing;
    },
  };
}

/** Loads once, and from then on is what was loaded. After a failure of both it is loaded anew. */
function kept<T>(load: () => Loaded<T>, instead: () => Loaded<T>): () => Loaded<T> {
  let known: Loaded<T> | undefined;
  return () => {
    if (known !== undefined) return known;
    const asked = load();
    if (!(asked instanceof Promise)) return (known = asked);
    const loading = asked.catch(instead);
    loading.then(
      (loaded) => (known = loaded),
      () => (known = undefined),
    );
    return (known = loading);
  };
}
