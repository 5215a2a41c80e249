import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { arriveAt } from './arrive-at.ts';

/** Like `useFocusOnArrival`, if the focused element is gone: focus elsewhere is left alone. */
export function useFocusRestore<E extends HTMLElement>(occasion: unknown): RefObject<E | null> {
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
