import { useLocale } from '@adobe/react-spectrum/Provider';
import { useMemo } from 'react';
import { sitesWordsFor } from '#extension/words/sites-words.ts';
import type { SitesWords } from '#extension/words/sites-words.ts';
import type { Words } from '#extension/words/words.ts';
import { useWords } from '../use-words.ts';

/** The words of every view, and those of many sites. */
export function useSitesWords(): Words & SitesWords {
  const words = useWords();
  const { locale } = useLocale();
  return useMemo(() => ({ ...words, ...sitesWordsFor(locale) }), [words, locale]);
}
