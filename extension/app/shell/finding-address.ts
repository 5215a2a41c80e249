import type { CheckId } from '@repoless/contract/site-check.ts';
import { addressWith } from '../host/address-state.ts';
import { parametersOf } from './places.ts';

/** Where a finding at a site is explained, among the sites of the organization. */
export function findingAddress(site: string, check: CheckId): string {
  return addressWith({ ...parametersOf({ at: 'site', place: 'health', site }), finding: check });
}
