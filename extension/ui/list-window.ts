const AROUND = 6;

/** Which rows are drawn: those in sight, a few around, and the one that has the focus, in their order. */
export function rowsInSight(count: number, scrolled: number, height: number, rowHeight: number, active: number): number[] {
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - AROUND);
  const last = Math.min(count, Math.ceil((scrolled + height) / rowHeight) + AROUND);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  if (active < count && active < first) return [active, ...rows];
  return active < count && active >= last ? [...rows, active] : rows;
}

/** Where to scroll so that a row is wholly in sight; undefined where it is already. In: pixels, `room` of them for rows. */
export function scrollFor(index: number, scrolled: number, room: number, rowHeight: number): number | undefined {
  const top = index * rowHeight;
  if (top < scrolled) return top;
  return top + rowHeight > scrolled + room ? top + rowHeight - room : undefined;
}

/** The row that a key leads to; undefined for keys that lead nowhere. In: `page` rows fit into sight. */
export function rowOfKey(key: string, active: number, count: number, page: number): number | undefined {
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
