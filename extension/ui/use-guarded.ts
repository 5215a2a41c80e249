import { use, useEffect, useState } from 'react';
import { type EntryScope, type Held, LeaveContext, type RunScope, useLeaving } from './LeaveGuard.tsx';
import { CatalogueContext } from './use-messages.ts';

export interface Guarded<P> {
  /** What is shown: what the address requests, unless that would lose something. */
  readonly shown: P;
  /** Shown if something would be lost by following the address or closing the panel. */
  readonly question: PendingLeave | undefined;
  onUnsaved(isUnsaved: boolean): void;
}

export interface PendingLeave {
  readonly held: Held;
  /** Returns to the address of what is shown. */
  readonly onStay: () => void;
  /** Follows the address, or closes the panel; unsaved input is lost. */
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
  // Loaded early, because it may be too late once something is being sent.
  useEffect(() => {
    if (isHeld) void catalogue.read('leaving');
  }, [isHeld, catalogue]);
}

/** Registers a running plan: leaving it asks first. */
export function useActiveRun(isRunning: boolean, scope: RunScope): void {
  const begin = use(LeaveContext)?.begin;
  useEffect(() => (isRunning ? begin?.(scope) : undefined), [isRunning, begin, scope]);
}

/** Returns a function that replaces what is rendered here with something else in the same place, after asking if that would lose something. */
export function useLeaveHere(): (go: () => void) => void {
  const leaving = use(LeaveContext);
  return (go) => (leaving?.isPlaceHeld === true ? leaving.close(go) : go());
}
