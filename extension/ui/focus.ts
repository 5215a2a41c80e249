import type { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { Button } from '@adobe/react-spectrum/Button';
import { type ComponentRef, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

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

/**
 * For a button that its question replaces. Returns its ref, and a function that restores its focus after the question was declined
 * and the button is rendered again.
 */
export function useFocusBack(): [RefObject<(ComponentRef<typeof Button> & ComponentRef<typeof ActionButton>) | null>, () => void] {
  const button = useRef<ComponentRef<typeof Button> & ComponentRef<typeof ActionButton>>(null);
  const [declined, setDeclined] = useState(0);
  useEffect(() => {
    if (declined > 0) button.current?.focus();
  }, [declined]);
  return [button, () => setDeclined((times) => times + 1)];
}

/** Like `useFocusOnArrival`, if the focused element is gone: focus elsewhere is left alone. */
export function useFocusRestore<E extends HTMLElement>(occasion: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (occasion !== undefined && isFocusLost() && element.current !== null) arriveAt(element.current);
  }, [occasion]);
  return element;
}

/** The fallback of a Suspense that hides content while a part of it is loaded: restores focus afterwards. */
export function FocusKept() {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () =>
      queueMicrotask(() => {
        if (isFocusLost() && before instanceof HTMLElement) before.focus({ preventScroll: true });
      });
  }, []);
  return null;
}

/** Whether the focused element was removed. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
