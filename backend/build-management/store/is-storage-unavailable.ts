import { Refusal } from '../../domain/errors.ts';

/** Whether the storage takes nothing for now: what came upon that is done again once it does. */
export function isStorageUnavailable(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'STORAGE_UNAVAILABLE' || error.code === 'STORAGE_FULL');
}
