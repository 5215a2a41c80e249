import { use, useEffect } from 'react';
import { CatalogueContext } from '../../ui/use-messages.ts';
import { LeaveContext } from './leave-context.ts';
import type { EntryScope, Held } from './leave-context.ts';

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
