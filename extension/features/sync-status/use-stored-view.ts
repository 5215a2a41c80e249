import { useState } from 'react';
import { storeView, readStoredView } from './stored-view.ts';
import type { StoredView } from './stored-view.ts';

/** What a person looks at, kept over a new drawing of the rail. */
export function useStoredView(organization: string): [StoredView, (change: StoredView) => void] {
  const [view, setView] = useState(() => readStoredView(organization));
  const change = (part: StoredView): void => {
    const next = { ...view, ...part };
    storeView(organization, next);
    setView(next);
  };
  return [view, change];
}
