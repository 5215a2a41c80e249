import type { CheckId } from '@repoless/contract/site-check.ts';
import type { Messages, MessagesOf } from '@repoless/core/messages/language.ts';
import { addressWith, NO_ROW } from '../../host/address-state.ts';
import type { PlaceLink } from './Shell.tsx';

export const SITE_PLACES = ['setup', 'health', 'configuration', 'access', 'history'] as const;
export type SitePlace = (typeof SITE_PLACES)[number];

/** Whether a place shows the site's root page; the others need only the service. */
export function isOfPage(place: SitePlace): place is 'setup' | 'health' {
  return place === 'setup' || place === 'health';
}

const ORGANIZATION_PLACES = ['sites', 'tree', 'repositories', 'rollouts', 'notifications', 'access', 'history'] as const;
export type OrganizationPlace = (typeof ORGANIZATION_PLACES)[number];

/** The location within an organization: a place of the organization, of one site, or a profile's history. */
export type OrganizationLocation =
  | { readonly at: 'organization'; readonly place: OrganizationPlace }
  | { readonly at: 'site'; readonly place: SitePlace; readonly site: string }
  | { readonly at: 'profile'; readonly profile: string };

/** The requested place of a site; Setup if it is unknown. */
export function sitePlaceIn(address: ReadonlyMap<string, string>): SitePlace {
  return SITE_PLACES.find((place) => place === address.get('place')) ?? 'setup';
}

/** `otherwise`: the place for an address that requests none. */
export function locationIn(address: ReadonlyMap<string, string>, otherwise: OrganizationPlace): OrganizationLocation {
  const requested = address.get('place') ?? (address.has('rollout') ? 'rollouts' : undefined);
  const site = address.get('site') ?? '';
  const profile = address.get('profile') ?? '';
  const ofSite = SITE_PLACES.find((place) => place === requested);
  if (site !== '' && ofSite !== undefined) return { at: 'site', place: ofSite, site };
  if (profile !== '' && requested === 'history') return { at: 'profile', profile };
  return { at: 'organization', place: ORGANIZATION_PLACES.find((place) => place === requested) ?? otherwise };
}

export function isOfSite(one: OrganizationLocation, other: OrganizationLocation): boolean {
  return one.at === 'site' && other.at === 'site' && one.site === other.site;
}

/** The parameters of an address for this location. A list keeps the site that is open next to it. */
export function parametersOf(where: OrganizationLocation): Readonly<Record<string, string>> {
  switch (where.at) {
    case 'site':
      return { place: where.place, site: where.site, profile: '', rollout: '', version: '', ...NO_ROW };
    case 'profile':
      return { place: 'history', profile: where.profile, site: '', rollout: '', version: '', ...NO_ROW };
    case 'organization': {
      const { place } = where;
      return { place, profile: '', rollout: '', version: '', ...NO_ROW, ...(place === 'sites' || place === 'tree' ? {} : { site: '' }) };
    }
    default:
      return where satisfies never;
  }
}

/** The address at which a finding for one of the organization's sites is explained. */
export function findingAddress(site: string, check: CheckId): string {
  return addressWith({ ...parametersOf({ at: 'site', place: 'health', site }), finding: check });
}

type PlaceMessages = Messages & MessagesOf<'sites'>;

interface Offered {
  readonly rollouts: boolean;
  readonly notifications: boolean;
  readonly repositories: boolean;
  readonly unread: number;
}

export function organizationPlaces(
  { sites, access, history, events }: PlaceMessages,
  where: OrganizationLocation,
  offered: Offered,
): PlaceLink[] {
  const { unread } = offered;
  const names: Readonly<Record<OrganizationPlace, string | undefined>> = {
    sites: sites.places.sites,
    tree: sites.places.tree,
    repositories: offered.repositories ? sites.places.repositories : undefined,
    rollouts: offered.rollouts ? sites.places.rollouts : undefined,
    notifications: offered.notifications ? events.tab : undefined,
    access: access.open,
    history: history.open,
  };
  const shown = where.at === 'organization' ? where.place : 'history';
  return ORGANIZATION_PLACES.flatMap((place) => {
    const name = names[place];
    if (name === undefined) return [];
    return {
      name,
      address: addressTo({ at: 'organization', place }),
      isCurrent: place === shown,
      count: place === 'notifications' ? { shown: unread, label: events.unread({ count: unread }) } : undefined,
    };
  });
}

/** The places of one of its sites. `hasPage`: the site's root page is known. */
export function sitePlaces(messages: PlaceMessages, shown: Extract<OrganizationLocation, { at: 'site' }>, hasPage: boolean): PlaceLink[] {
  const names = sitePlaceNames(messages);
  return SITE_PLACES.filter((place) => hasPage || !isOfPage(place)).map((place) => ({
    name: names[place],
    address: addressTo({ ...shown, place }),
    isCurrent: place === shown.place,
  }));
}

export function sitePlaceNames({ general, configuration, access, history }: Messages): Readonly<Record<SitePlace, string>> {
  return {
    setup: general.shell.setup,
    health: general.shell.health,
    configuration: configuration.open,
    access: access.open,
    history: history.open,
  };
}

export function addressTo(where: OrganizationLocation): string {
  return addressWith(parametersOf(where));
}
