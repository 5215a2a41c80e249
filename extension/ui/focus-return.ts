import type { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { Button } from '@adobe/react-spectrum/Button';
import { type ComponentRef, type RefObject, useEffect, useRef, useState } from 'react';
import { arriveAt } from './focus.ts';

/**
 * For a button whose question takes its place. Out: its ref, and what gives the focus back to it once the question is declined and
 * the button is drawn again.
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

/** What had the focus is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
