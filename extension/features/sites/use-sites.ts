import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { failureOf } from '@repoless/core/run/failures.ts';
import type { AuthoringSettings, Failure, Known } from '@repoless/core/situation/situation.ts';
import { useCallback, useEffect, useRef, useState } from 'react';

/** What the views of many sites begin with, read once. */
export interface Beginning {
  readonly info: ServiceInfo;
  /** Of the page that the panel was opened for. */
  readonly settings: AuthoringSettings;
}

export type SitesState =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'no-organization'; readonly beginning: Beginning }
  | {
      readonly state: 'ready';
      readonly beginning: Beginning;
      readonly organization: string;
      readonly sites: Known<readonly SiteListEntry[]>;
      /** Why the last reading afresh came to nothing; what was read before is still shown. */
      readonly failure?: Failure;
    };

export interface Sites {
  readonly state: SitesState;
  /** Begins again from the start, for an organization where the page names none. */
  begin(organization?: string): Promise<void>;
  /** Reads the service's sites afresh; what was read before stays where that fails, and says so. */
  reload(): Promise<readonly SiteListEntry[] | undefined>;
}

/**
 * Reads the page's settings and the service's sites. `proposed`: the organization of a page that names none. The answer that was
 * asked for last counts.
 */
export function useSites(ports: SetupPorts, page: string, proposed?: string): Sites {
  const [state, setState] = useState<SitesState>({ state: 'loading' });
  const latest = useRef(0);
  const asked = useRef(0);
  const load = useCallback(
    async (organization?: string): Promise<void> => {
      const mine = ++latest.current;
      const next = await read(ports, page, { chosen: organization, proposed });
      if (mine === latest.current) setState(next);
    },
    [ports, page, proposed],
  );
  useEffect(() => {
    void load();
    const counter = latest;
    return () => void counter.current++;
  }, [load]);
  const organization = state.state === 'ready' ? state.organization : undefined;
  const reload = useCallback(async () => {
    if (organization === undefined) return undefined;
    const [mine, beginning] = [++asked.current, latest.current];
    const sites = await ports.service.allSites(organization);
    if (mine === asked.current && beginning === latest.current) setState((now) => readAgain(now, sites));
    return sites.state === 'known' ? sites.value : undefined;
  }, [ports, organization]);
  const begin = async (given?: string): Promise<void> => {
    setState({ state: 'loading' });
    await load(given);
  };
  return { state, begin, reload };
}

function readAgain(now: SitesState, sites: Known<readonly SiteListEntry[]>): SitesState {
  if (now.state !== 'ready') return now;
  const { beginning, organization } = now;
  if (sites.state === 'known') return { state: 'ready', beginning, organization, sites };
  return { ...now, failure: failureOf(sites) };
}

interface Named {
  readonly chosen: string | undefined;
  readonly proposed: string | undefined;
}

async function read(ports: SetupPorts, page: string, { chosen, proposed }: Named): Promise<SitesState> {
  const info = await ports.service.info();
  if (info.state !== 'known') return { state: 'failed', failure: failureOf(info) };
  const settings = await ports.authoring.settings(page, info.value);
  if (settings.state === 'missing') return { state: 'missing' };
  if (settings.state === 'failed') return settings;
  const beginning = { info: info.value, settings: settings.value };
  const organization = chosen ?? settings.value.organization.value ?? proposed;
  if (organization === undefined) return { state: 'no-organization', beginning };
  const sites = await ports.service.allSites(organization);
  return { state: 'ready', beginning, organization, sites };
}
