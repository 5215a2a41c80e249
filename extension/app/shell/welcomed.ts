import { lastingStorage } from '../../ui/stored-run.ts';

export const WELCOMED = 'repoless.welcomed';

/** Whether the welcome was never closed in this browser; without storage it is not shown. */
export function isUnwelcomed(): boolean {
  const storage = lastingStorage();
  return storage !== undefined && storage.getItem(WELCOMED) === null;
}
