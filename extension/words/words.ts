import { de } from './de.ts';
import { en } from './en.ts';

/** Every sentence that an author reads. A further locale that lacks one does not compile. */
export type Words = typeof en;

/** The words of a locale such as `de-CH`: of its language where there are any, else English. */
export function wordsFor(locale: string): Words {
  return LANGUAGES.get(new Intl.Locale(locale).language) ?? en;
}

const LANGUAGES: ReadonlyMap<string, Words> = new Map([
  ['de', de],
  ['en', en],
]);
