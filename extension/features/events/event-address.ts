import { CHECK_IDS } from '@repoless/contract/site-check.ts';
import type { OrgEvent } from '@repoless/contract/event.ts';
import { addressWith } from '../../app/host/address-state.ts';
import { findingAddress } from '../../app/shell/finding-address.ts';
import { parametersOf } from '../../app/shell/places.ts';
import type { Whereabouts } from '../../app/shell/places.ts';

/** Where something can be done about what an event tells of; undefined where that is in no place of the extension. */
export function eventAddress({ kind, cause, site, about = '' }: OrgEvent): string | undefined {
  switch (kind) {
    case 'sync-failed':
    case 'sync-silent':
      return to({ at: 'organization', place: 'repositories' });
    case 'check-failed': {
      const check = CHECK_IDS.find((known) => known === about);
      return site === undefined || check === undefined ? undefined : findingAddress(site, check);
    }
    case 'drift':
      return site === undefined ? undefined : to({ at: 'site', place: 'setup', site });
    case 'expires-soon':
      return to(site === undefined ? { at: 'organization', place: 'access' } : { at: 'site', place: 'access', site }, { key: about });
    case 'secret-ends':
      return site === undefined ? undefined : to({ at: 'site', place: 'configuration', site }, { secret: about });
    case 'certificate-ends':
      return site === undefined ? undefined : to({ at: 'site', place: 'health', site });
    case 'rollout-stopped':
      return to({ at: 'organization', place: 'rollouts' }, { rollout: cause.slice(cause.indexOf(':') + 1) });
    default:
      return kind satisfies never;
  }
}

function to(where: Whereabouts, more: Readonly<Record<string, string>> = {}): string {
  return addressWith({ ...parametersOf(where), ...more });
}
