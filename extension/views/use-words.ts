import { createContext, useContext } from 'react';
import { wordsFor } from '#extension/words/words.ts';
import type { Words } from '#extension/words/words.ts';

export const WordsContext = createContext<Words>(wordsFor('en'));

export function useWords(): Words {
  return useContext(WordsContext);
}
