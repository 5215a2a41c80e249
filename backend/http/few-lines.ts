import type { RequestLine } from './ports.ts';

/**
 * Passes on a few lines a second; the next line that is passed on says how many were left out before it
 * (`unlogged`). For requests that cost their sender nothing: the log must not grow by them without a bound.
 */
export function fewLines(write: (line: RequestLine) => void): (line: RequestLine) => void {
  let second = 0;
  let written = 0;
  let unlogged = 0;
  return (line) => {
    const present = Math.floor(Date.now() / 1000);
    if (present !== second) [second, written] = [present, 0];
    if (written >= LINES_PER_SECOND) return void (unlogged += 1);
    written += 1;
    write(unlogged === 0 ? line : { ...line, unlogged });
    unlogged = 0;
  };
}

/** Of requests that are refused unread, and of those that are too many, each. */
const LINES_PER_SECOND = 20;
