import { use, useEffect, useState } from 'react';
import { useLeaving } from './LeaveGuard.tsx';
import { type Held, LeaveContext } from './leave-context.ts';

export interface Guarded<P> {
  /** What is shown: what the address asks for, unless that would lose something. */
  readonly shown: P;
  /** Asked where the address leads elsewhere, or the panel is to be closed, and something would be lost. */
  readonly question: PendingLeave | undefined;
  /** Says whether something is entered here that is not saved. */
  onUnsaved(isUnsaved: boolean): void;
}

export interface PendingLeave {
  readonly held: Held;
  /** Goes back to the address of what is shown. */
  readonly onStay: () => void;
  /** Follows the address, or closes the panel; unsaved entries are lost. */
  readonly onLeave: () => void;
}

/**
 * Follows an address, and asks first if a person would lose input or a run. `key` distinguishes places; `ends` says whether a run ends that
 * continues behind the places of one site only.
 */
export function useGuarded<P>(asked: P, key: string, ends: (shown: P) => boolean = () => false): Guarded<P> {
  const alone = useLeaving(false, () => undefined);
  const leaving = use(LeaveContext) ?? alone;
  const [shown, setShown] = useState({ place: asked, key });
  const isElsewhere = key !== shown.key;
  const isLost = leaving.isPlaceHeld || (leaving.isSiteRunning && ends(shown.place));
  const isKept = isElsewhere && isLost;
  if (isElsewhere && !isKept) setShown({ place: asked, key });
  const { held } = leaving;
  const isAsking = isKept || leaving.isAsking;
  useEffect(() => {
    if (!isAsking) leaving.settle(location.hash);
  });
  const onLeave = (): void => {
    if (isKept) setShown({ place: asked, key });
    leaving.leave();
  };
  return {
    shown: isKept ? shown.place : asked,
    question: isAsking && held !== undefined ? { held, onStay: leaving.stay, onLeave } : undefined,
    onUnsaved: leaving.onUnsaved,
  };
}
