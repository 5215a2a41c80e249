import { useLocale } from '@adobe/react-spectrum/Provider';
import { historyWordsFor } from '#extension/words/history-words.ts';
import type { HistoryWords } from '#extension/words/history-words.ts';

export function useHistoryWords(): HistoryWords {
  return historyWordsFor(useLocale().locale);
}
