/** Resolves when everybody else had their turn: work that goes through many documents waits for it now and then. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Out: to be awaited between pieces of work; it waits for others only where these pieces took some milliseconds together. */
export function createTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < TURN) return;
    await nextTurn();
    began = performance.now();
  };
}

/** Milliseconds. */
const TURN = 15;
