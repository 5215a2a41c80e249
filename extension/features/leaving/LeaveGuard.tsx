import { type ReactNode, useEffect, useState } from 'react';
import { LeaveContext } from './leave-context.ts';
import { useLeaving } from './use-leaving.ts';

interface Props<V> {
  readonly asked: V;
  /** Tells two views apart. */
  readonly id: string;
  readonly children: (shown: V) => ReactNode;
}

/** Draws the view that is asked for. The one before stays while leaving it would lose something, until the person has answered. */
export function LeaveGuard<V>({ asked, id, children }: Props<V>) {
  const [shown, setShown] = useState({ view: asked, id });
  const isElsewhere = id !== shown.id;
  const go = (): void => setShown({ view: asked, id });
  const leaving = useLeaving(isElsewhere, go);
  useUnloadPrompt(leaving.held !== undefined);
  const isKept = isElsewhere && leaving.held !== undefined;
  if (isElsewhere && !isKept) go();
  return <LeaveContext value={leaving}>{children(isKept ? shown.view : asked)}</LeaveContext>;
}

/** The browser asks before the window is closed or loaded again while something is held: its own question, in its own words. */
function useUnloadPrompt(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isHeld]);
}
