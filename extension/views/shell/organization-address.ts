import { addressWith } from '../../host/address-state.ts';

/** Where all sites of the page's organization are. */
export function organizationAddress(): string {
  return addressWith({ place: '', site: '', version: '' }, '#/organization');
}
