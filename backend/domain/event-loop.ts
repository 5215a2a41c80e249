/** Resolves when everybody else had their turn: work that goes through many documents waits for it now and then. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Lets those who wait go on so many per turn of the event loop, in the order in which they came: between them everybody else has
 * had a turn.
 */
export function severalPerTick(many: number): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return async () => {
    count += 1;
    if (count % many === 0) last = last.then(yieldToEventLoop);
    await last;
  };
}

/** Out: to be awaited between pieces of work; it waits for others only where these pieces took some milliseconds together. */
export function createTimeSlices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < TURN) return;
    await yieldToEventLoop();
    began = performance.now();
  };
}

/** Milliseconds. */
const TURN = 15;
