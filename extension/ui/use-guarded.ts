import { use, useEffect, useState } from 'react';
import { type EntryScope, type LeaveReason, LeaveContext, type RunScope, useLeaving } from './LeaveGuard.tsx';
import { CatalogueContext } from './use-messages.ts';

export interface Guarded<P> {
  /** What is shown: what the address requests, unless that would lose something. */
  readonly shown: P;
  /** Shown if something would be lost by following the address or closing the panel. */
  readonly question: PendingLeave | undefined;
  onUnsaved(isUnsaved: boolean): void;
}

export interface PendingLeave {
  readonly reason: LeaveReason;
  /** Returns to the address of what is shown. */
  readonly onStay: () => void;
  /** Follows the address, or closes the panel; unsaved input is lost. */
  readonly onLeave: () => void;
}

/**
 * Follows an address, and asks first if a person would lose input or a run. `key` distinguishes places; `ends` says whether a run ends that
 * continues behind the places of one site only.
 */
export function useGuarded<P>(requested: P, key: string, ends: (shown: P) => boolean = () => false): Guarded<P> {
  const alone = useLeaving(false, () => undefined);
  const leaving = use(LeaveContext) ?? alone;
  const [shown, setShown] = useState({ place: requested, key });
  const isElsewhere = key !== shown.key;
  const isLost = leaving.isPlaceHeld || (leaving.isSiteRunning && ends(shown.place));
  const isKept = isElsewhere && isLost;
  if (isElsewhere && !isKept) setShown({ place: requested, key });
  const { reason } = leaving;
  const isAsking = isKept || leaving.isAsking;
  useEffect(() => {
    if (!isAsking) leaving.settle(location.hash);
  });
  const onLeave = (): void => {
    if (isKept) setShown({ place: requested, key });
    leaving.leave();
  };
  return {
    shown: isKept ? shown.place : requested,
    question: isAsking && reason !== undefined ? { reason, onStay: leaving.stay, onLeave } : undefined,
    onUnsaved: leaving.onUnsaved,
  };
}

/** Registers an entry that is unsaved, being saved or created, or shown only once: leaving it asks first. */
export function useUnsavedEntry(isActive: boolean, scope: EntryScope = 'place', reason: Exclude<LeaveReason, 'running'> = 'unsaved'): void {
  const hold = use(LeaveContext)?.hold;
  const catalogue = use(CatalogueContext);
  useEffect(() => (isActive ? hold?.(reason, scope) : undefined), [isActive, hold, reason, scope]);
  // Loaded early, because it may be too late once something is being sent.
  useEffect(() => {
    if (isActive) void catalogue.read('leaving');
  }, [isActive, catalogue]);
}

/** Registers a running plan: leaving it asks first. */
export function useActiveRun(isRunning: boolean, scope: RunScope): void {
  const startRun = use(LeaveContext)?.startRun;
  useEffect(() => (isRunning ? startRun?.(scope) : undefined), [isRunning, startRun, scope]);
}

/**
 * Returns a function that replaces what is rendered here with something else in the same place, after asking if that would lose something.
 */
export function useLeaveHere(): (go: () => void) => void {
  const leaving = use(LeaveContext);
  return (go) => (leaving?.isPlaceHeld === true ? leaving.close(go) : go());
}
