import { Refusal } from '../../domain/errors.ts';
import type { Services } from '../context.ts';
import type { StoredRepository } from '../store/stored-repository.ts';

/** A repository of an organization. Refuses with EXTERNAL_REPOSITORY_NOT_FOUND. */
export async function findRepository(
  { store }: Pick<Services, 'store'>,
  { org, repository }: { readonly org: string; readonly repository: string },
): Promise<StoredRepository> {
  const found = await store.repositories.find(org, repository);
  if (found !== undefined) return found;
  throw new Refusal('EXTERNAL_REPOSITORY_NOT_FOUND', `The organization ${org} has no external repository ${repository}. Onboard it first.`);
}
