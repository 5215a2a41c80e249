import type { Background } from './context.ts';

/** Work between calls. `stop` asks it to end and waits until it has. */
export function createBackground(failed: (name: string, error: unknown) => void): Background & { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    signal: stopping.signal,
    begin(name, work) {
      if (stopping.signal.aborted) return;
      const run = work()
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) failed(name, error);
        })
        .finally(() => running.delete(run));
      running.add(run);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
