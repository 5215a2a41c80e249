import { checks as checksDe } from './de/checks.ts';
import { checks } from './en/checks.ts';

const en = { checks };

/** The words of the check of a site and of its findings. They are loaded with it: the first view has no use for them. */
export type SiteCheckWords = typeof en;

const de: SiteCheckWords = { checks: checksDe };

/** The words of a locale such as `de-CH`: of its language where there are any, else English. */
export function siteCheckWordsFor(locale: string): SiteCheckWords {
  return new Intl.Locale(locale).language === 'de' ? de : en;
}
