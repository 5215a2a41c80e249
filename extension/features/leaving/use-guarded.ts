import { use, useEffect, useState } from 'react';
import { CatalogueContext } from '../../ui/use-messages.ts';
import { type EntryScope, type Held, LeaveContext, type RunScope, useLeaving } from './LeaveGuard.tsx';

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

/** Registers an entry that is unsaved, being saved or created, or shown only once: leaving it asks first. */
export function useUnsavedEntry(isHeld: boolean, scope: EntryScope = 'place', held: Exclude<Held, 'running'> = 'unsaved'): void {
  const hold = use(LeaveContext)?.hold;
  const catalogue = use(CatalogueContext);
  useEffect(() => (isHeld ? hold?.(held, scope) : undefined), [isHeld, hold, held, scope]);
  // While something is being sent it may be too late to load the question.
  useEffect(() => {
    if (isHeld) void catalogue.read('leaving');
  }, [isHeld, catalogue]);
}

/** Registers a running plan: leaving it asks first. */
export function useActiveRun(isRunning: boolean, scope: RunScope): void {
  const begin = use(LeaveContext)?.begin;
  useEffect(() => (isRunning ? begin?.(scope) : undefined), [isRunning, begin, scope]);
}

/** Out: goes from what is drawn here to something else in the same place, after asking where that would lose something. */
export function useLeaveHere(): (go: () => void) => void {
  const leaving = use(LeaveContext);
  return (go) => (leaving?.isPlaceHeld === true ? leaving.close(go) : go());
}
