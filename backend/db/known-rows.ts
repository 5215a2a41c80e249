import { frozen } from '../domain/canonical.ts';
import type { Row } from './row.ts';
import type { Place, RowBudget } from './row-budget.ts';

/**
 * Reads a row as `read` does, and gives the same document again where it is asked for the very same row: to parse and verify one
 * takes longer than to fetch it, and a call fetches its site and organization for its permission and again for its decision. The
 * row is compared whole, so that what was changed or damaged is read anew, whoever did it. Documents are frozen, for they are shared.
 * What follows from one is made once and goes with it (`oncePerDocument`): its place in the `budget` has bytes for that, too.
 * `columns`: those that it is read from, all texts or numbers; the first ones are its `key`, the very first is the organization.
 */
export function knownRows<T extends object>(
  read: (row: Row) => T,
  { columns, key, budget }: { readonly columns: readonly string[]; readonly key: number; readonly budget: RowBudget },
): KnownRows<T> {
  const known = new Map<string, Known<T>>();
  const valuesOf = (row: Row): unknown[] => columns.map((column) => row[column]);
  const nameOf = (values: readonly unknown[]): string => values.slice(0, key).join('/');

  function keep(name: string, values: readonly unknown[], document: T): void {
    known.get(name)?.place.free();
    known.delete(name);
    const place = budget.take(String(values[0]), weightOf(values, document), () => known.delete(name));
    if (place !== undefined) known.set(name, { values, document: frozen(document), place });
  }

  function knownAs(name: string, values: readonly unknown[]): Known<T> | undefined {
    const found = known.get(name);
    return found?.values.every((value, index) => value === values[index]) === true ? found : undefined;
  }

  return {
    document(row) {
      const values = valuesOf(row);
      const name = nameOf(values);
      const found = knownAs(name, values);
      if (found !== undefined) {
        found.place.use();
        return found.document;
      }
      const document = read(row);
      keep(name, values, document);
      return document;
    },
    listed(row) {
      const values = valuesOf(row);
      const name = nameOf(values);
      const found = knownAs(name, values);
      if (found !== undefined) return found.document;
      const document = read(row);
      if (charactersOf(values) <= LARGEST_LISTED) keep(name, values, document);
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
  /** The same for one of many that are read together: a large one is not kept, so that a list takes the place of none that hosts read. */
  listed(row: Row): T;
  /** A row was stored for this document: whoever reads the very same row is given it. */
  written(row: Row, document: T): void;
}

interface Known<T> {
  readonly values: readonly unknown[];
  readonly document: T;
  readonly place: Place;
}

function charactersOf(values: readonly unknown[]): number {
  return values.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

/** Bytes that a row, its document and all that may be made of it take together, about. */
function weightOf(values: readonly unknown[], document: object): number {
  const texts = values.reduce((sum: number, value) => sum + (typeof value === 'string' ? bytesOf(value) : 0), 0);
  // A site without a profile is its own aggregate.
  const parts = [...new Set<unknown>(Object.values(document))];
  return parts.reduce((sum: number, part) => sum + weightOfValues(part, 1), OF_A_ROW + TEXTS * texts);
}

/** A text has two bytes for each character as soon as one needs them. */
function bytesOf(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;
}

function weightOfValues(value: unknown, depth: number): number {
  const own = OF_A_VALUE + OF_A_LEVEL * depth;
  if (typeof value !== 'object' || value === null) return own;
  return Object.values(value).reduce((sum: number, item) => sum + weightOfValues(item, depth + 1), own);
}

/** Characters of a row. */
const LARGEST_LISTED = 32_768;
/** The maps that hold it. */
const OF_A_ROW = 1024;
/** How often its text is there: the row, the document, and what is answered: the whole and its parts, and what everybody may see. */
const TEXTS = 5;
/** The value itself, its line in each answer, and its entries in the maps of mappings, folders or headers. */
const OF_A_VALUE = 300;
/** Its indentation there, before its first line and its last. */
const OF_A_LEVEL = 12;
