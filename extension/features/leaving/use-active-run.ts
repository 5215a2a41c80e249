import { use, useEffect } from 'react';
import { LeaveContext } from './leave-context.ts';
import type { RunScope } from './leave-context.ts';

/** Registers a running plan: leaving it asks first. */
export function useActiveRun(isRunning: boolean, scope: RunScope): void {
  const begin = use(LeaveContext)?.begin;
  useEffect(() => (isRunning ? begin?.(scope) : undefined), [isRunning, begin, scope]);
}
