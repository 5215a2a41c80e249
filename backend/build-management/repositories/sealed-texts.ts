import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { createHash } from 'node:crypto';
import { Refusal } from '@repoless/contract/refusal.ts';
import { sameText } from '../../domain/presented-secret.ts';
import type { Services } from '../context.ts';
import { RepositoryProblem } from '../git/repository-problem.ts';
import type { SealedColumn, StoredRepository } from '../store/repositories.ts';

type RepositoryKey = Pick<StoredRepository, 'org' | 'key'>;
type SealedName = 'access-token' | 'webhook-secret';

/** A value sealed for one repository cannot be opened for another. */
export function sealFor({ box }: Pick<Services, 'box'>, { org, key }: RepositoryKey, name: SealedName, value: string): string {
  return box.seal(value, { org, site: key, name });
}

/** Throws if no key of the key file opens it. */
function unseal({ box }: Pick<Services, 'box'>, { org, key }: RepositoryKey, name: SealedName, sealed: string): SealedValue {
  return box.open(sealed, { org, site: key, name });
}

/** Throws RepositoryProblem if no key opens it. */
export function accessTokenOf(services: Pick<Services, 'box'>, repository: StoredRepository): SealedValue {
  try {
    return unseal(services, repository, 'access-token', repository.accessToken);
  } catch (cause) {
    throw new RepositoryProblem(codeSentence('accessTokenUnreadable'), { cause });
  }
}

/** Refuses with STORAGE_UNAVAILABLE if no key opens it, so that the vendor resends its event. */
export function webhookSecretOf(services: Pick<Services, 'box'>, repository: StoredRepository, sealed: string): SealedValue {
  try {
    return unseal(services, repository, 'webhook-secret', sealed);
  } catch (cause) {
    throw new Refusal('STORAGE_UNAVAILABLE', SECRET_LOST, { cause, retryAfter: 60 });
  }
}

const SECRET_LOST =
  'The webhook secret of this repository cannot be opened: the key that sealed it is missing. Ask the operator of build management to put the key back, or create new credentials for the webhook.';

/** Reseals what older keys sealed. Values that are set in the meantime are not overwritten. */
export async function resealTexts({ store, box }: Pick<Services, 'store' | 'box'>): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  for (const { id, column, sealed, ...place } of await store.repositories.sealedTexts()) {
    if (!box.isOld(sealed)) continue;
    const name = NAMES[column];
    try {
      const after = unseal({ box }, place, name, sealed).use((value) => sealFor({ box }, place, name, value));
      await store.repositories.reseal({ id, column, before: sealed, after });
      counts.resealed += 1;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      counts.unreadable += 1;
    }
  }
  return counts;
}

const NAMES: Readonly<Record<SealedColumn, SealedName>> = {
  access_token: 'access-token',
  webhook_secret: 'webhook-secret',
  previous_webhook_secret: 'webhook-secret',
};

/** The stored form of a secret that is only ever compared. The secret is random and long, so a plain hash is enough. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether this is the secret of a hash, in constant time. */
export function isSecretOf(secret: string, hash: string): boolean {
  return sameText(hashOf(secret), hash);
}
