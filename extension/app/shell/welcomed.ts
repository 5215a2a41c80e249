import { lastingStorage } from '../../ui/stored-run.ts';

/** The key under which the browser stores that somebody closed the welcome. */
export const WELCOMED = 'repoless.welcomed';

/** Nobody closed the welcome here; where that could not be stored it is not shown. */
export function isUnwelcomed(): boolean {
  const storage = lastingStorage();
  return storage !== undefined && storage.getItem(WELCOMED) === null;
}
