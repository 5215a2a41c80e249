import { contentRoot } from '@repoless/contract/mappings.ts';
import type { CheckedSite, SiteState } from '@repoless/contract/site-check.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { ChecksPort, StoredChecks } from '@repoless/core/overview/stored-checks.ts';
import { authorOf } from '@repoless/core/sites/organization-sites.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { useCallback, useMemo } from 'react';
import { type Reading, useReading } from './use-reading.ts';

/** Milliseconds between polls of a check by the service. */
const STEP = 2000;

export interface StoredStates {
  readonly reading: Reading<StoredChecks>;
  readonly sites: ReadonlyMap<string, CheckedSite>;
  reload(): void;
  /** Starts the service's own check of all sites. Resolves when its progress is known, with whether it started. */
  start(): Promise<Known<unknown>>;
}

/** The service's stored checks of an organization's sites, read repeatedly while it checks them. */
export function useStoredChecks(checks: ChecksPort, organization: string): StoredStates {
  const read = useCallback(() => checks.all(organization), [checks, organization]);
  const [reading, reload, reloaded] = useReading(read, ({ running }) => (running === undefined ? undefined : STEP));
  const value = reading.state === 'ready' ? reading.value : undefined;
  const sites = useMemo(() => new Map((value?.sites ?? []).map((site) => [site.name, site])), [value]);
  const start = async (): Promise<Known<unknown>> => {
    const started = await checks.start(organization);
    await reloaded();
    return started;
  };
  return { reading, sites, reload, start };
}

/** The stored states of an author's sites, by their root page, and a function that reloads them. */
export function useStoredStates(
  { sites: stored, reload }: Pick<StoredStates, 'sites' | 'reload'>,
  sites: readonly SiteListEntry[] | undefined,
  author: string,
) {
  const states = useMemo(() => {
    const states = new Map<string, SiteState>();
    for (const site of sites ?? []) {
      const root = contentRoot(site.public?.paths?.mappings ?? []);
      const state = stored.get(site.name)?.state;
      if (root !== undefined && state !== undefined && authorOf(site) === author) states.set(root, state);
    }
    return states;
  }, [stored, sites, author]);
  return { states, reload };
}
