import { useLocale } from '@adobe/react-spectrum/Provider';
import { siteCheckWordsFor } from '#extension/words/site-check-words.ts';
import type { SiteCheckWords } from '#extension/words/site-check-words.ts';

export function useSiteCheckWords(): SiteCheckWords {
  return siteCheckWordsFor(useLocale().locale);
}
