import type { ServerResponse } from 'node:http';

/** How long a request for a page may wait in total. */
export interface Visit {
  /** Milliseconds that are left for reading the page. */
  left(): number;
  /** Ends when the time for waiting for a turn is over, or when they have left. */
  patience(): AbortSignal;
  /** Aborted when the caller leaves. */
  gone(): AbortSignal;
}

/**
 * Takes the milliseconds within which the caller must get an answer. At most half of it may pass before its turn, so that enough is left to read
 * the page.
 */
export function startVisit(response: ServerResponse, time: number): Visit {
  const until = performance.now() + time;
  let leaving: AbortSignal | undefined;
  const gone = () => (leaving ??= signalOf((end) => response.once('close', end), response.closed));
  return {
    left: () => Math.max(1, until - performance.now()),
    gone,
    patience() {
      return signalOf((end) => {
        const timer = setTimeout(end, time / 2);
        timer.unref();
        response.once('close', () => {
          clearTimeout(timer);
          end();
        });
      }, response.closed);
    },
  };
}

function signalOf(begin: (end: () => void) => void, isOver: boolean): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort();
  if (isOver) end();
  else begin(end);
  return controller.signal;
}
