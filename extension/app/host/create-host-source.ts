import type { Host, HostSource } from './host.ts';

/** A source that begins as `first` and is moved on by whoever connects. */
export function createHostSource(first: Host): HostSource & { update(change: (host: Host) => Host): void } {
  const listeners = new Set<() => void>();
  let current = first;
  return {
    get: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    update: (change) => {
      current = change(current);
      for (const listener of listeners) listener();
    },
  };
}
