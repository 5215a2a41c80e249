import { createContext, useContext } from 'react';
import { en } from '#extension/words/en.ts';
import type { Words } from '#extension/words/words.ts';

export const WordsContext = createContext<Words>(en);

export function useWords(): Words {
  return useContext(WordsContext);
}
