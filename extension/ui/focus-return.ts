import type { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { Button } from '@adobe/react-spectrum/Button';
import { type ComponentRef, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { arriveAt } from './focus.ts';

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
