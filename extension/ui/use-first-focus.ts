import { useEffect } from 'react';

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
