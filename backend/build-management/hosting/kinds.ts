import { Refusal } from '#backend/domain/errors.ts';
import type { StoredRepository } from '../store/stored-repository.ts';

/** Refuses a hosted repository: it has no vendor. `instead` says what holds for it. */
export function requireExternal({ vendor, name }: StoredRepository, instead: string): void {
  if (vendor === 'hosted') throw new Refusal('REPOSITORY_KIND_REFUSED', `The repository "${name}" is hosted here. ${instead}`);
}

/** Refuses a repository of a git vendor. */
export function requireHosted({ vendor, name }: StoredRepository, instead: string): void {
  if (vendor !== 'hosted') throw new Refusal('REPOSITORY_KIND_REFUSED', `The repository "${name}" is hosted by its git vendor. ${instead}`);
}
