import { useCallback, useState } from 'react';

/**
 * Rows of a reviewed table are left out by a button at the end of each. Out: what was said last, and what is called while the row is
 * still there: the focus goes to the button of the row beside it, or to the heading where it was the last.
 */
export function useLeavingOut(): [string, (pressed: Element, sentence: string) => void] {
  const [said, setSaid] = useState('');
  const leave = useCallback((pressed: Element, sentence: string): void => {
    const buttons = [...(pressed.closest('tbody')?.querySelectorAll<HTMLElement>(LAST_BUTTON) ?? [])];
    const index = buttons.findIndex((button) => button.contains(pressed));
    const heading = pressed.closest('section')?.querySelector<HTMLElement>('h2[tabindex]');
    (buttons[index + 1] ?? buttons[index - 1] ?? heading)?.focus();
    setSaid(sentence);
  }, []);
  return [said, leave];
}

const LAST_BUTTON = '.rp-row-actions > button:last-child';
