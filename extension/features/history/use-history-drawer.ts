import type { HistorySubject } from '@repoless/core/history/subject.ts';
import { useDrawer } from '../../ui/use-drawer.ts';
import type { Drawer } from '../../ui/use-drawer.ts';

export type HistoryDrawer = Drawer<HistorySubject>;

/** A history, or the access to its subject, in the place of a view. */
export function useHistoryDrawer(): HistoryDrawer {
  return useDrawer<HistorySubject>();
}
