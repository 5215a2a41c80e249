import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses an element, and scrolls it into view together with the card or notice that it heads, so that nothing happens
 * out of sight: all of it if it fits, otherwise from the element onwards.
 */
export function arriveAt(element: HTMLElement): void {
  element.closest('.rp-card, .rp-notice, .rp-restore, .rp-running')?.scrollIntoView({ block: 'nearest' });
  element.scrollIntoView({ block: 'nearest' });
  element.focus({ preventScroll: true });
}

/** Focuses an element and scrolls it into view whenever it is rendered for a new occasion, e.g. the end of a run; not for undefined. */
export function useFocusOnArrival<E extends HTMLElement>(occasion: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (occasion !== undefined && element.current !== null) arriveAt(element.current);
  }, [occasion]);
  return element;
}

const TABBABLE = ['a[href]', 'button:not(:disabled)', 'input:not(:disabled)', 'summary', '[tabindex="0"]']
  .map((one) => `main ${one}`)
  .join(', ');

/**
 * A host that moves keyboard focus into the frame focuses the entire frame, which is invisible. The first time, focus moves on to the first
 * visible element, unless a pointer moved it.
 */
export function useFirstFocus(isFramed: boolean): void {
  useEffect(() => {
    if (!isFramed) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const onFocus = (): void => {
      if (document.activeElement !== document.body) return controller.abort();
      const first = [...document.querySelectorAll<HTMLElement>(TABBABLE)].find((element) => element.checkVisibility());
      if (first === undefined) return undefined;
      first.focus();
      return controller.abort();
    };
    window.addEventListener('focus', onFocus, { signal });
    document.addEventListener('pointerdown', () => controller.abort(), { signal, capture: true });
    return () => controller.abort();
  }, [isFramed]);
}
