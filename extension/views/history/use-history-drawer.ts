import type { HistorySubject } from '#extension/setup/history/subject.ts';
import { useDrawer } from '../shared/use-drawer.ts';
import type { Drawer } from '../shared/use-drawer.ts';

export type HistoryDrawer = Drawer<HistorySubject>;

/** A history, or the access to its subject, in the place of a view. */
export function useHistoryDrawer(): HistoryDrawer {
  return useDrawer<HistorySubject>();
}
