import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { AuthoringSettings } from '@repoless/core/situation/situation.ts';
import { type Failure, failureOf, type Known } from '@repoless/core/situation/call.ts';
import { useCallback, useEffect, useRef, useState } from 'react';

/** The initial data of the views of many sites, read once. */
export interface Beginning {
  readonly info: ServiceInfo;
  /** For the page for which the panel was opened. */
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
      /** Why the last reload failed; earlier values are still shown. */
      readonly failure?: Failure;
    };

export interface Sites {
  readonly state: SitesState;
  /** Starts again, for an organization if the page names none. */
  begin(organization?: string): Promise<void>;
  /** Reloads the service's sites; if that fails, earlier values stay, with the failure. */
  reload(): Promise<readonly SiteListEntry[] | undefined>;
}

/**
 * Reads the page's settings and the service's sites. `proposed`: the organization for a page that names none. Only the answer to
 * the latest request counts.
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
