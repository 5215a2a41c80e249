import type { SealedValue } from '#contract/sealed-value.ts';
import type { Services } from '../context.ts';
import type { StoredRepository } from '../store/stored-repository.ts';

type Place = Pick<StoredRepository, 'org' | 'key'>;
type SealedName = 'access-token' | 'webhook-secret';

/** What is sealed for one repository opens for no other. */
export function sealFor({ box }: Pick<Services, 'box'>, { org, key }: Place, name: SealedName, value: string): string {
  return box.seal(value, { org, site: key, name });
}

export function openOf({ box }: Pick<Services, 'box'>, { org, key }: Place, name: SealedName, sealed: string): SealedValue {
  return box.open(sealed, { org, site: key, name });
}

export function accessTokenOf(services: Pick<Services, 'box'>, repository: StoredRepository): SealedValue {
  return openOf(services, repository, 'access-token', repository.accessToken);
}
