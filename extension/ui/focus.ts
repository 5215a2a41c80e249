import type { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { Button } from '@adobe/react-spectrum/Button';
import { type ComponentRef, type RefObject, useEffect, useRef, useState } from 'react';

let staying: AbortController | undefined;

/**
 * Gives the focus to an element, and brings it into view together with the card or notice that it heads, so that nothing
 * happens out of sight: the whole of it where there is room, else from the element on. The host gives the frame its height only
 * after the page has grown: it comes into view again then, until the person moves on.
 */
export function arriveAt(element: HTMLElement): void {
  staying?.abort();
  staying = new AbortController();
  const { signal } = staying;
  bringIntoView(element);
  element.focus({ preventScroll: true });
  const leave = () => staying?.abort();
  element.addEventListener('blur', leave, { signal });
  for (const moved of ['wheel', 'pointerdown', 'touchmove', 'keydown']) window.addEventListener(moved, leave, { signal, passive: true });
  window.addEventListener('resize', () => bringIntoView(element), { signal });
}

function bringIntoView(element: HTMLElement): void {
  element.closest('.rp-card, .rp-notice, .rp-restore, .rp-running')?.scrollIntoView({ block: 'nearest' });
  element.scrollIntoView({ block: 'nearest' });
}

/** Gives the focus to an element and brings it into view when it is drawn for something new (`for`), e.g. the end of a run; nothing for undefined. */
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
 * A host that moves the keyboard focus into the frame focuses the frame as a whole, which is invisible. The first time, focus moves on to the
 * first visible element, unless a pointer brought it.
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
