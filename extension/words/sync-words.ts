import { external as externalDe } from './de/external.ts';
import { sync as syncDe } from './de/sync.ts';
import { external } from './en/external.ts';
import { sync } from './en/sync.ts';

const en = { sync, external };

/** The words of code sync and of external repositories. They are loaded with their views: the first view has no use for them. */
export type SyncWords = typeof en;

const de: SyncWords = { sync: syncDe, external: externalDe };

/** The words of a locale such as `de-CH`: of its language where there are any, else English. */
export function syncWordsFor(locale: string): SyncWords {
  return new Intl.Locale(locale).language === 'de' ? de : en;
}
