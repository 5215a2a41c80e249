import { setImmediate } from 'node:timers/promises';

/**
 * Lets those who wait go on one per turn of the event loop, in the order in which they came: between any two of them everybody
 * else has had a turn.
 */
export function oneATurn(): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    last = last.then(() => setImmediate());
    await last;
  };
}
