import { useState } from 'react';

export interface Paging<T> {
  readonly shown: readonly T[];
  /** Numbers of the first and last that are shown, from 1. */
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly hasMany: boolean;
  previous(): void;
  next(): void;
}

/** A long list a page at a time, so that a table with fields in it stays quick. */
export function usePages<T>(items: readonly T[], size: number): Paging<T> {
  const [wanted, setWanted] = useState(0);
  const last = Math.max(0, Math.ceil(items.length / size) - 1);
  const page = Math.min(wanted, last);
  const shown = items.slice(page * size, (page + 1) * size);
  return {
    shown,
    from: shown.length === 0 ? 0 : page * size + 1,
    to: page * size + shown.length,
    of: items.length,
    hasMany: items.length > size,
    previous: () => setWanted(Math.max(0, page - 1)),
    next: () => setWanted(Math.min(last, page + 1)),
  };
}
