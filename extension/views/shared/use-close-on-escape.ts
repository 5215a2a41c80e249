import { useEffect } from 'react';

/**
 * Escape closes the host's dialog from within its frame, as it does outside: the host does not hear the frame's keys. What
 * takes Escape for itself (a menu, a search that is cleared) keeps it.
 */
export function useCloseOnEscape(close: (() => void) | undefined): void {
  useEffect(() => {
    if (close === undefined) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) close();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [close]);
}
