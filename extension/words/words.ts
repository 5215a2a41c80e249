import { de } from './de.ts';
import { en } from './en.ts';

/** Every sentence that an author reads. A locale that lacks one does not compile. */
export type Words = typeof en;

/** The words of a locale such as `de-CH`: of its language where there are any, else English. */
export function wordsFor(locale: string): Words {
  const language = locale.toLowerCase().split(/[-_]/)[0];
  return language === 'de' ? de : en;
}
