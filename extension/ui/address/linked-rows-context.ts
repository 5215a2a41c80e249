import { createContext, use } from 'react';
import { isNamed } from './row-parameters.ts';
import type { RowParameter } from './row-parameters.ts';

interface LinkedRowsState {
  readonly address: ReadonlyMap<string, string>;
  /** Whether no row has had the focus since the address names this one: it does not take it again when it is drawn anew. */
  isFirst(parameter: RowParameter, name: string): boolean;
}

/** Undefined where rows are shown that addresses lead to elsewhere. */
export const LinkedRowsContext = createContext<LinkedRowsState | undefined>(undefined);

/** Tells of rows whether the address names them: what hides one is opened. */
export function useNamed(parameter: RowParameter): (name: string) => boolean {
  const rows = use(LinkedRowsContext);
  return (name) => rows !== undefined && isNamed(rows.address, parameter, name);
}
