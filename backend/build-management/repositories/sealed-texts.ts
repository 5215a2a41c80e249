import type { SealedValue } from '@repoless/contract/sealed-value.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Services } from '../context.ts';
import { RepositoryProblem } from '../git/repository-problem.ts';
import type { StoredRepository } from '../store/stored-repository.ts';

type Place = Pick<StoredRepository, 'org' | 'key'>;
export type SealedName = 'access-token' | 'webhook-secret';

/** A value sealed for one repository cannot be opened for another. */
export function sealFor({ box }: Pick<Services, 'box'>, { org, key }: Place, name: SealedName, value: string): string {
  return box.seal(value, { org, site: key, name });
}

/** Throws if no key of the key file opens it. */
export function openOf({ box }: Pick<Services, 'box'>, { org, key }: Place, name: SealedName, sealed: string): SealedValue {
  return box.open(sealed, { org, site: key, name });
}

/** Throws RepositoryProblem if no key opens it. */
export function accessTokenOf(services: Pick<Services, 'box'>, repository: StoredRepository): SealedValue {
  try {
    return openOf(services, repository, 'access-token', repository.accessToken);
  } catch (cause) {
    throw new RepositoryProblem(TOKEN_LOST, { cause });
  }
}

/** Refuses with STORAGE_UNAVAILABLE if no key opens it, so that the vendor resends its event. */
export function webhookSecretOf(services: Pick<Services, 'box'>, repository: StoredRepository, sealed: string): SealedValue {
  try {
    return openOf(services, repository, 'webhook-secret', sealed);
  } catch (cause) {
    throw new Refusal('STORAGE_UNAVAILABLE', SECRET_LOST, { cause, retryAfter: 60 });
  }
}

const TOKEN_LOST =
  'The access token of this repository cannot be opened: the key that sealed it is missing. Retry with a new access token, or ask the operator of build management to put the key back.';
const SECRET_LOST =
  'The webhook secret of this repository cannot be opened: the key that sealed it is missing. Ask the operator of build management to put the key back, or create new credentials for the webhook.';
