export interface GridRow {
  readonly id: string;
  /** The text that typing is matched against. */
  readonly text: string;
  readonly selectable: boolean;
  /** Only in trees: depth from 1, whether it is expanded (absent: no children), position among its siblings. */
  readonly level?: number;
  readonly expanded?: boolean;
  readonly position?: number;
  readonly size?: number;
}

export type GridAction =
  | { readonly type: 'move'; readonly to: string; readonly extend: boolean }
  | { readonly type: 'toggle'; readonly id: string }
  | { readonly type: 'expand'; readonly id: string; readonly open: boolean }
  | { readonly type: 'open'; readonly id: string }
  | { readonly type: 'all' }
  | { readonly type: 'none' };

interface Pressed {
  readonly key: string;
  readonly shift: boolean;
  readonly command: boolean;
}

/** The action of a key (WAI-ARIA, treegrid and grid with focusable rows). `page` is the number of visible rows. */
export function actionOfKey(rows: readonly GridRow[], active: number, pressed: Pressed, page: number): GridAction | undefined {
  const row = rows[active];
  if (row === undefined) return undefined;
  const to = (index: number): GridAction | undefined => {
    const target = rows[Math.max(0, Math.min(rows.length - 1, index))];
    return target === undefined ? undefined : { type: 'move', to: target.id, extend: pressed.shift };
  };
  switch (pressed.key) {
    case 'ArrowDown':
      return to(active + 1);
    case 'ArrowUp':
      return to(active - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'PageDown':
      return to(active + page);
    case 'PageUp':
      return to(active - page);
    case 'ArrowRight':
      if (row.expanded === false) return { type: 'expand', id: row.id, open: true };
      return row.expanded === true && isBelow(rows, active) ? to(active + 1) : undefined;
    case 'ArrowLeft':
      if (row.expanded === true) return { type: 'expand', id: row.id, open: false };
      return to(parentOf(rows, active));
    case 'Enter':
      if (row.expanded !== undefined) return { type: 'expand', id: row.id, open: !row.expanded };
      return { type: 'open', id: row.id };
    case ' ':
      return { type: 'toggle', id: row.id };
    case 'Escape':
      return { type: 'none' };
    case 'a':
      return pressed.command ? { type: 'all' } : undefined;
    default:
      return undefined;
  }
}

/** The next row whose text starts with what was typed, wrapping around; undefined if there is none. */
export function rowByText(rows: readonly GridRow[], active: number, typed: string): GridRow | undefined {
  const prefix = typed.toLocaleLowerCase();
  const start = typed.length === 1 ? active + 1 : active;
  for (let step = 0; step < rows.length; step++) {
    const row = rows[(start + step) % rows.length];
    if (row?.text.toLocaleLowerCase().startsWith(prefix) === true) return row;
  }
  return undefined;
}

/** The selectable rows between two rows, inclusive. */
export function idsBetween(rows: readonly GridRow[], one: number, other: number): string[] {
  const [first, last] = one < other ? [one, other] : [other, one];
  return rows
    .slice(Math.max(0, first), last + 1)
    .filter(({ selectable }) => selectable)
    .map(({ id }) => id);
}

function isBelow(rows: readonly GridRow[], active: number): boolean {
  return (rows[active + 1]?.level ?? 0) > (rows[active]?.level ?? 0);
}

function parentOf(rows: readonly GridRow[], active: number): number {
  const level = rows[active]?.level ?? 1;
  for (let index = active - 1; index >= 0; index--) if ((rows[index]?.level ?? 1) < level) return index;
  return active;
}

/** Height of a row and of the header, in pixels, as in the style sheet. */
export const ROW_HEIGHT = 40;
/** Space above and below a grid in its frame, in pixels, so that the frame needs no second scroll bar. */
const AROUND = 300;

/** The height of a grid in a frame of this height. */
export function gridHeight(frameHeight: number): number {
  return Math.max(240, Math.min(640, frameHeight - AROUND));
}

/** The borders above and below a grid, in pixels. */
const BORDERS = 2;

/** The height that a grid keeps while it is filtered, so that what is below doesn't jump. */
export function gridRoom(rows: number, height: number): number {
  return Math.min(height, (rows + 1) * ROW_HEIGHT) + BORDERS;
}
