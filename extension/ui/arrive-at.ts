let staying: AbortController | undefined;

/**
 * Gives the focus to an element, and brings it into view together with the card or notice that it heads, so that nothing
 * happens out of sight: the whole of it where there is room, else from the element on. The host gives the frame its height only
 * after the page has grown: it comes into view again then, until the person moves on.
 */
export function arriveAt(element: HTMLElement): void {
  staying?.abort();
  staying = new AbortController();
  const { signal } = staying;
  bringIntoView(element);
  element.focus({ preventScroll: true });
  const leave = () => staying?.abort();
  element.addEventListener('blur', leave, { signal });
  for (const moved of ['wheel', 'pointerdown', 'touchmove', 'keydown']) window.addEventListener(moved, leave, { signal, passive: true });
  window.addEventListener('resize', () => bringIntoView(element), { signal });
}

function bringIntoView(element: HTMLElement): void {
  element.closest('.rp-card, .rp-notice, .rp-restore, .rp-running')?.scrollIntoView({ block: 'nearest' });
  element.scrollIntoView({ block: 'nearest' });
}
