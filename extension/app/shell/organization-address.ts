import { addressWith } from '../host/address-state.ts';
import { NO_ROW } from '../../ui/address/row-parameters.ts';

/** Where all sites of the page's organization are. */
export function organizationAddress(): string {
  return addressWith({ place: '', site: '', version: '', ...NO_ROW }, '#/organization');
}
