import { BoundedMap } from '#backend/domain/bounded-map.ts';
import type { Row } from './row.ts';

/**
 * Reads a row as `read` does, and gives the same document again where it is asked for the very same row: to parse and verify one
 * takes longer than to fetch it, and a call fetches its site and organization for its permission and again for its decision. The
 * row is compared whole, so that what was changed or damaged meanwhile is read anew. Documents are frozen, for they are shared.
 * `columns`: those that it is read from, all texts or numbers; the first ones are its `key`.
 */
export function knownRows<T extends object>(read: (row: Row) => T, columns: readonly string[], key: number): KnownRows<T> {
  const known = new BoundedMap<string, Known<T>>(MOST);
  const valuesOf = (row: Row): unknown[] => columns.map((column) => row[column]);
  const nameOf = (values: readonly unknown[]): string => values.slice(0, key).join('/');

  function keep(name: string, values: readonly unknown[], document: T): void {
    const size = values.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
    if (size <= LARGEST) known.set(name, { values, document: frozen(document) });
    else known.delete(name);
  }

  return {
    document(row) {
      const values = valuesOf(row);
      const name = nameOf(values);
      const found = known.get(name);
      if (found?.values.every((value, index) => value === values[index]) === true) return found.document;
      const document = read(row);
      keep(name, values, document);
      return document;
    },
    written(row, document) {
      const values = valuesOf(row);
      keep(nameOf(values), values, document);
    },
  };
}

export interface KnownRows<T> {
  /** What a row that was read holds. */
  document(row: Row): T;
  /** A row was stored for this document: whoever reads the very same row is given it. */
  written(row: Row, document: T): void;
}

interface Known<T> {
  readonly values: readonly unknown[];
  readonly document: T;
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) frozen(item);
  return Object.freeze(value);
}

const MOST = 1000;
/** Characters of a row: larger ones are read rarely, and would take the room of many. */
const LARGEST = 32_768;
