import { use, useEffect, useEffectEvent } from 'react';
import { LeaveContext } from './leave-context.ts';

/**
 * Escape closes the host's dialog from within its frame, because the host doesn't receive the frame's keys. Elements that use Escape themselves (a
 * menu, a search field) keep it. If something would be lost, it asks first.
 */
export function useCloseOnEscape(close: (() => void) | undefined): void {
  const leaving = use(LeaveContext);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (close === undefined || event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    if (leaving === undefined) close();
    else leaving.close(close);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
