import type { Messages, MessagesOf } from '@repoless/core/messages/language.ts';
import { addressWith } from '../../app/host/address-state.ts';
import type { PlaceLink } from '../../app/shell/Shell.tsx';
import {
  isOfPage,
  ORGANIZATION_PLACES,
  type OrganizationPlace,
  parametersOf,
  SITE_PLACES,
  type SitePlace,
  type Whereabouts,
} from '../../app/shell/places.ts';

type PlaceMessages = Messages & MessagesOf<'sites'>;

interface Offered {
  readonly rollouts: boolean;
  readonly repositories: boolean;
  /** Notifications that nobody has read. */
  readonly unread: number;
}

/** The places of the organization, and which of them is shown. */
export function organizationPlaces({ sites, access, history, events }: PlaceMessages, where: Whereabouts, offered: Offered): PlaceLink[] {
  const { unread } = offered;
  const names: Readonly<Record<OrganizationPlace, string | undefined>> = {
    sites: sites.places.sites,
    tree: sites.places.tree,
    repositories: offered.repositories ? sites.places.repositories : undefined,
    rollouts: offered.rollouts ? sites.places.rollouts : undefined,
    notifications: events.tab,
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
      count: place === 'notifications' ? { shown: unread, says: events.unread({ count: unread }) } : undefined,
    };
  });
}

/** The places of one of its sites. `hasPage`: the page that the site's content begins with is known. */
export function sitePlaces(messages: PlaceMessages, shown: Extract<Whereabouts, { at: 'site' }>, hasPage: boolean): PlaceLink[] {
  const { general, configuration, access, history } = messages;
  const names: Readonly<Record<SitePlace, string>> = {
    setup: general.shell.setup,
    health: general.shell.health,
    configuration: configuration.open,
    access: access.open,
    history: history.open,
  };
  return SITE_PLACES.filter((place) => hasPage || !isOfPage(place)).map((place) => ({
    name: names[place],
    address: addressTo({ ...shown, place }),
    isCurrent: place === shown.place,
  }));
}

export function addressTo(where: Whereabouts): string {
  return addressWith(parametersOf(where));
}
