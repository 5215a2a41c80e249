import { setImmediate } from 'node:timers/promises';

/** Lets waiting callers continue one per turn of the event loop, in order, so that other work gets a turn in between. */
export function onePerTick(): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    last = last.then(() => setImmediate());
    await last;
  };
}
