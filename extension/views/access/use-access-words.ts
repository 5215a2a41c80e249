import { useLocale } from '@adobe/react-spectrum/Provider';
import { accessWordsFor } from '#extension/words/access-words.ts';
import type { AccessWords } from '#extension/words/access-words.ts';

export function useAccessWords(): AccessWords {
  return accessWordsFor(useLocale().locale);
}
