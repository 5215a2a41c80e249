import { use, useEffect } from 'react';
import { CatalogueContext } from '../../ui/use-messages.ts';
import { type EntryScope, type Held, LeaveContext, type RunScope } from './leave-context.ts';

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
