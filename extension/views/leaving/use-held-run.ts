import { use, useEffect } from 'react';
import { LeaveContext } from './leave-context.ts';
import type { RunScope } from './leave-context.ts';

/** Says that a plan is being carried out here: nobody leaves it without being asked. */
export function useHeldRun(isRunning: boolean, scope: RunScope): void {
  const begin = use(LeaveContext)?.begin;
  useEffect(() => (isRunning ? begin?.(scope) : undefined), [isRunning, begin, scope]);
}
