import { use } from 'react';
import { LeaveContext } from './leave-context.ts';

/** Out: goes from what is drawn here to something else in the same place, after asking where that would lose something. */
export function useLeaveHere(): (go: () => void) => void {
  const leaving = use(LeaveContext);
  return (go) => (leaving?.isPlaceHeld === true ? leaving.close(go) : go());
}
