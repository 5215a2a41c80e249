import { LRUCache } from 'lru-cache';

/** How fast devices ask for their tokens, on this node; a restart forgets it, and another node counts for itself. */
export interface DevicePace {
  /** Notes a question. Out: whether it came before the interval was over; that costs as many seconds more (RFC 8628, section 3.5). */
  isTooSoon(device: string, now: Date): boolean;
}

/** In: seconds between two questions. */
export function createDevicePace(interval: number): DevicePace {
  const asked = new LRUCache<string, { readonly at: number; readonly wait: number }>({ max: MOST_DEVICES });
  return {
    isTooSoon(device, now) {
      const before = asked.get(device);
      const soon = before !== undefined && now.getTime() - before.at < before.wait * 1000;
      const wait = (before?.wait ?? interval) + (soon ? interval : 0);
      asked.set(device, { at: now.getTime(), wait });
      return soon;
    },
  };
}

const MOST_DEVICES = 20_000;
