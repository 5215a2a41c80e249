import type { z } from 'zod';

/** The browser's storage for this origin; undefined if a frame has no access to it. */
export function lastingStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

/** The storage of this tab; undefined if the browser denies it. */
export function tabStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}

/**
 * The value that the browser stores under a key. It may come from another version of the panel, or be edited by hand: an invalid value counts as
 * missing.
 */
export function readStored<T>(storage: Storage | undefined, key: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(storage?.getItem(key) ?? '')).data;
  } catch {
    return undefined;
  }
}

/** Stores a value. If storage is full, it just doesn't outlive the tab. */
export function writeStored(storage: Storage | undefined, key: string, value: unknown): void {
  try {
    storage?.setItem(key, JSON.stringify(value));
  } catch {
    return;
  }
}

export const WELCOMED = 'repoless.welcomed';

/** Whether the welcome was never closed in this browser; without storage it is not shown. */
export function isUnwelcomed(): boolean {
  const storage = lastingStorage();
  return storage !== undefined && storage.getItem(WELCOMED) === null;
}
