/** Height of a row and of the header, in pixels; the style sheet says the same. */
export const ROW_HEIGHT = 40;
const OVERSCAN = 6;

/** The rows that are drawn at a scroll position: those on the screen and a few around. */
export function windowOf(count: number, scrolled: number, height: number): { readonly first: number; readonly last: number } {
  const first = Math.max(0, Math.floor(scrolled / ROW_HEIGHT) - OVERSCAN);
  return { first, last: Math.min(count, Math.ceil((scrolled + height) / ROW_HEIGHT) + OVERSCAN) };
}

/** Where to scroll so that a row is wholly on the screen below the header; undefined where it is already. */
export function scrollFor(index: number, scrolled: number, height: number): number | undefined {
  const top = index * ROW_HEIGHT;
  const room = height - ROW_HEIGHT;
  if (top < scrolled) return top;
  return top + ROW_HEIGHT > scrolled + room ? top + ROW_HEIGHT - room : undefined;
}
