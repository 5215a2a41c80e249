import { useLocale } from '@adobe/react-spectrum/Provider';
import { useMemo } from 'react';
import { syncWordsFor } from '#extension/words/sync-words.ts';
import type { SyncWords } from '#extension/words/sync-words.ts';
import type { Words } from '#extension/words/words.ts';
import { useWords } from '../use-words.ts';

/** The words of every view, and those of code sync and of external repositories. */
export function useSyncWords(): Words & SyncWords {
  const words = useWords();
  const { locale } = useLocale();
  return useMemo(() => ({ ...words, ...syncWordsFor(locale) }), [words, locale]);
}
