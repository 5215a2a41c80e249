import { accessPanel as de } from './de/access-panel.ts';
import { accessPanel as en } from './en/access-panel.ts';

/** The words of the access editor. They are loaded with it: the first view has no use for them. */
export type AccessWords = typeof en;

/** The words of a locale such as `de-CH`: of its language where there are any, else English. */
export function accessWordsFor(locale: string): AccessWords {
  return new Intl.Locale(locale).language === 'de' ? de : en;
}
