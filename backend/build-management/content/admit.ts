import { Refusal } from '../../domain/errors.ts';
import type { Services } from '../context.ts';
import { isSecretOf } from '../links/link-secret.ts';
import type { StoredRepository } from '../store/stored-repository.ts';

/** The repository whose current secret the request shows: `authorization: token <secret>`. An unknown repository is refused in the same way. */
export async function admit(
  { store }: Pick<Services, 'store'>,
  { owner, repo }: { readonly owner: string; readonly repo: string },
  authorization: string | undefined,
): Promise<StoredRepository> {
  const secret = /^(?:token|bearer)\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
  const repository = secret === undefined ? undefined : await store.repositories.byCode(owner, repo);
  const hash = repository?.link?.secretHash;
  if (repository !== undefined && secret !== undefined && hash !== undefined && isSecretOf(secret, hash)) return repository;
  throw new Refusal('REPOSITORY_SECRET_REFUSED', 'The secret of the repository is missing, wrong or revoked. Link the repository again.');
}
