import { useState } from 'react';
import { keepView, readKeptView } from './kept-view.ts';
import type { KeptView } from './kept-view.ts';

/** What a person looks at, kept over a new drawing of the rail. */
export function useKeptView(organization: string): [KeptView, (change: KeptView) => void] {
  const [view, setView] = useState(() => readKeptView(organization));
  const change = (part: KeptView): void => {
    const next = { ...view, ...part };
    keepView(organization, next);
    setView(next);
  };
  return [view, change];
}
