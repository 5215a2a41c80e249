import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { arriveAt } from './arrive-at.ts';

/** As `useFocusOnArrival`, where what had the focus is gone: whoever is elsewhere by now stays there. */
export function useFocusWhereLost<E extends HTMLElement>(occasion: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (occasion !== undefined && isFocusLost() && element.current !== null) arriveAt(element.current);
  }, [occasion]);
  return element;
}

/** What had the focus is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
