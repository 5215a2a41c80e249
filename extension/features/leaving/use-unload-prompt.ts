import { useEffect } from 'react';

/** The browser asks before the window is closed or loaded again while something is held: its own question, in its own words. */
export function useUnloadPrompt(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isHeld]);
}
