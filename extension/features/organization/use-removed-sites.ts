import { useMemo, useState } from 'react';
import type { LocaleSite } from '@repoless/core/sites/remove-site.ts';
import { lastingStorage } from '../../ui/stored-run.ts';
import { removedSites } from './removed-sites.ts';
import type { RemovedSite } from './removed-sites.ts';

export interface RememberedSites {
  /** Those that were removed from here, the latest first. */
  readonly removed: readonly RemovedSite[];
  remember(sites: readonly LocaleSite[]): void;
  forget(names: readonly string[]): void;
}

/** What was removed in this browser, as it changes. */
export function useRemovedSites(service: string, organization: string, now: () => Date): RememberedSites {
  const storage = useMemo(() => removedSites(lastingStorage(), service, organization), [service, organization]);
  const [removed, setRemoved] = useState(() => storage.all());
  return {
    removed,
    remember(sites) {
      const at = now().toISOString();
      for (const { organization: _organization, etag: _etag, ...record } of sites) storage.add({ ...record, at });
      setRemoved(storage.all());
    },
    forget(names) {
      for (const name of names) storage.forget(name);
      setRemoved(storage.all());
    },
  };
}
