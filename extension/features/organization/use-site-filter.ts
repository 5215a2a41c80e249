import { useState } from 'react';
import { CHECK_IDS, SITE_STATES } from '@repoless/contract/site-check.ts';
import { SITE_KINDS } from '@repoless/core/sites/organization-sites.ts';
import { setAddressParameters, readAddress } from '../../app/host/address-state.ts';
import { SORTS } from './organization-rows.ts';
import type { SiteFilter } from './organization-rows.ts';

/** What is shown of the sites, and which one at hand; the address of the window keeps both. */
export interface Shown {
  readonly filter: SiteFilter;
  readonly site: string | undefined;
}

export function useSiteFilter(): [Shown, (shown: Partial<Shown>) => void] {
  const [shown, setShown] = useState(() => shownIn(location.hash));
  const change = (next: Partial<Shown>): void => {
    const whole = { ...shown, ...next };
    setShown(whole);
    setAddressParameters(parametersOf(whole));
  };
  return [shown, change];
}

/** What an address asks for; what it says that there is not is left out. */
export function shownIn(hash: string): Shown {
  const asked = readAddress(hash);
  const one = <T extends string, D>(name: string, values: readonly T[], otherwise: D): T | D =>
    values.find((value) => value === asked.get(name)) ?? otherwise;
  const site = asked.get('site');
  return {
    filter: {
      text: asked.get('search') ?? '',
      kind: one('kind', SITE_KINDS, 'any'),
      state: one('state', [...SITE_STATES, 'syncing'], 'any'),
      check: one('finding', CHECK_IDS, 'any'),
      sort: one('sort', SORTS, 'name'),
      descending: asked.get('order') === 'descending',
    },
    site: site === '' ? undefined : site,
  };
}

function parametersOf({ filter, site }: Shown): Record<string, string> {
  const unless = <T extends string>(value: T, usual: T) => (value === usual ? '' : value);
  return {
    search: filter.text.trim(),
    kind: unless(filter.kind, 'any'),
    state: unless(filter.state, 'any'),
    finding: unless(filter.check, 'any'),
    sort: unless(filter.sort, 'name'),
    order: filter.descending ? 'descending' : '',
    site: site ?? '',
  };
}
