import { nextTurn } from '#backend/domain/turn.ts';

/**
 * Large bodies that came together are begun one in each turn of the event loop, so that others wait no longer than for one of them.
 * In: the bytes of a body. Resolves when it may be parsed; what is small never waits.
 */
export function turnsOfBodies(): (bytes: number) => Promise<void> {
  let last = Promise.resolve();
  return async (bytes) => {
    if (bytes < LARGE) return;
    last = last.then(nextTurn);
    await last;
  };
}

/** Bytes; what is smaller is parsed and decided in a few milliseconds. */
const LARGE = 16 * 1024;
