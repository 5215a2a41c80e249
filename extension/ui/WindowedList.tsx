import { type KeyboardEvent, type ReactNode, type UIEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isFocusLost } from './focus.ts';

interface Props<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
  /** In pixels, the same for all rows. */
  readonly rowHeight: number;
  /** Maximum height of the list in pixels. */
  readonly height: number;
  /** A row that is scrolled into view when it changes, e.g. by a search. */
  readonly shown?: string;
  /** The last opened row, which had replaced the list: shown, and focused if focus was lost. */
  readonly left?: string;
  /** Renders a row with one button or link whose focusability is `tabIndex`. */
  readonly children: (row: R, tabIndex: 0 | -1) => ReactNode;
}

/** A list of any length: only visible rows are in the document. One tab stop; arrow keys move within it. */
export function WindowedList<R>({ label, rows, idOf, rowHeight, height, left, shown = left, children }: Props<R>) {
  const list = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [active, setActive] = useState(0);
  const moved = useRef(false);
  const current = Math.min(active, Math.max(0, rows.length - 1));
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    list.current?.querySelector<HTMLElement>(`[data-row="${current}"] :is(button, a)`)?.focus();
  }, [current]);
  const target = shown === undefined ? -1 : rows.findIndex((row) => idOf(row) === shown);
  const [brought, setBrought] = useState(-1);
  if (brought !== target) {
    setBrought(target);
    if (target >= 0) setActive(target);
  }
  useEffect(() => {
    if (target < 0) return;
    const isHidden = scrollFor(target, list.current?.scrollTop ?? 0, height, rowHeight) !== undefined;
    if (isHidden) list.current?.scrollTo?.({ top: Math.max(0, (target - 1) * rowHeight) });
  }, [target, rowHeight, height]);
  const focusWhereLost = useEffectEvent((id: string): void => {
    const index = rows.findIndex((row) => idOf(row) === id);
    if (isFocusLost()) list.current?.querySelector<HTMLElement>(`[data-row="${index}"] :is(button, a)`)?.focus();
  });
  useEffect(() => {
    if (left !== undefined) focusWhereLost(left);
  }, [left]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = rowOfKey(event.key, current, rows.length, Math.max(1, Math.floor(height / rowHeight) - 1));
    if (to === undefined) return;
    event.preventDefault();
    moved.current = true;
    const top = scrollFor(to, list.current?.scrollTop ?? 0, height, rowHeight);
    if (top !== undefined) list.current?.scrollTo?.({ top });
    setActive(to);
  };
  return (
    <div
      className="rp-window"
      ref={list}
      style={{ height: Math.min(height, rows.length * rowHeight) }}
      onScroll={(event: UIEvent<HTMLDivElement>) => setScrolled(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <ul aria-label={label} style={{ height: rows.length * rowHeight }}>
        {rowsInSight(rows.length, scrolled, height, rowHeight, current).map((index) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={idOf(row)}
              data-row={index}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              style={{ top: index * rowHeight, height: rowHeight }}
              onFocus={() => setActive(index)}
            >
              {children(row, index === current ? 0 : -1)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const AROUND = 6;

/** The rendered rows: the visible ones, a few around them, and the focused one, in order. */
export function rowsInSight(count: number, scrolled: number, height: number, rowHeight: number, active: number): number[] {
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - AROUND);
  const last = Math.min(count, Math.ceil((scrolled + height) / rowHeight) + AROUND);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  if (active < count && active < first) return [active, ...rows];
  return active < count && active >= last ? [...rows, active] : rows;
}

/** Where to scroll to make a row entirely visible; undefined if it is. In pixels; `height` is the height for rows. */
export function scrollFor(index: number, scrolled: number, height: number, rowHeight: number): number | undefined {
  const top = index * rowHeight;
  if (top < scrolled) return top;
  return top + rowHeight > scrolled + height ? top + rowHeight - height : undefined;
}

/** The row that a key moves to; undefined for other keys. `page` is the number of visible rows. */
function rowOfKey(key: string, active: number, count: number, page: number): number | undefined {
  const to = targetOf(key, active, count, page);
  return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, to));
}

function targetOf(key: string, active: number, count: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return active + 1;
    case 'ArrowUp':
      return active - 1;
    case 'PageDown':
      return active + page;
    case 'PageUp':
      return active - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
