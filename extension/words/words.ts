import { en } from './en.ts';

/** Every sentence that an author reads in the first view. A further locale that lacks one does not compile. */
export type Words = typeof en;

/**
 * Gives the words of a locale such as `de-CH`: English at once, those of another language once they are loaded. A
 * language is loaded when it is first asked for; where that fails, and where a language has no words, it is English.
 */
export function wordsLoader(): (locale: string) => Words | Promise<Words> {
  let german: Promise<Words> | undefined;
  return (locale) => {
    if (new Intl.Locale(locale).language !== 'de') return en;
    german ??= import('./de.ts').then(
      ({ de }) => de,
      () => en,
    );
    return german;
  };
}
