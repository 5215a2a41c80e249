import { openStore } from '@repoless/service/db/open-store.ts';
import type { Store } from '@repoless/service/domain/ports.ts';

export interface PausedReads {
  readonly store: Store;
  /** The next read of this site's public configuration reads the storage, then waits before returning. */
  hold(site: string): { readonly reached: Promise<void>; release(): void };
}

/** A storage whose reads can be made to arrive late, as a slow disk or network does. */
export function pausedReads(store: Store): PausedReads {
  const waiting = new Map<string, { reached: () => void; released: Promise<void> }>();
  const reads: Store['reads'] = Object.create(store.reads, {
    publicConfig: {
      value: async (org: string, site: string) => {
        const found = await store.reads.publicConfig(org, site);
        const pause = waiting.get(site);
        waiting.delete(site);
        pause?.reached();
        await pause?.released;
        return found;
      },
    },
  });
  return {
    store: Object.create(store, { reads: { value: reads } }),
    hold(site) {
      let release = () => {};
      let reached = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const arrived = new Promise<void>((resolve) => (reached = resolve));
      waiting.set(site, { reached, released });
      return { reached: arrived, release };
    },
  };
}

/** Opens an embedded storage whose reads of sites fail with the error of `failing`. */
export async function openFailing(dataDir: string, failing: () => Error | undefined): Promise<Store> {
  const store = await openStore({ dataDir });
  const orgAndSite: Store['reads']['orgAndSite'] = (org, site) => {
    const error = failing();
    return error === undefined ? store.reads.orgAndSite(org, site) : Promise.reject(error);
  };
  const reads: Store['reads'] = Object.create(store.reads, { orgAndSite: { value: orgAndSite } });
  return Object.create(store, { reads: { value: reads } });
}
