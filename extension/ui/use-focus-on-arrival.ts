import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { arriveAt } from './arrive-at.ts';

/** Gives the focus to an element and brings it into view when it is drawn for something new (`for`), e.g. the end of a run; nothing for undefined. */
export function useFocusOnArrival<E extends HTMLElement>(occasion: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (occasion !== undefined && element.current !== null) arriveAt(element.current);
  }, [occasion]);
  return element;
}
