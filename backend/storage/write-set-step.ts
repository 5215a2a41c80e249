import type { Seen } from './write-set.ts';
import type { Row } from './row.ts';
import type { AuditRow } from './write-rows.ts';
import type { Args, Statement } from './statement.ts';

/**
 * A change that must reach so many rows, or something read that must be as the write saw it: else somebody else was faster. Or
 * an entry of the audit trail, which each engine chains to the one before.
 */
export type EffectStep =
  | {
      readonly kind: 'change';
      readonly statement: Statement;
      readonly args: Args;
      readonly atLeast: number;
      /** Does the same to a row whose keys stay as they are, and reaches none else: an engine may try it first. */
      readonly inPlace?: Statement;
    }
  | { readonly kind: 'check'; readonly statement: Statement; readonly args: Args; holds(rows: readonly Row[]): boolean }
  | { readonly kind: 'audit'; readonly row: AuditRow };

export function must(statement: Statement, args: object, atLeast = 1): EffectStep & { kind: 'change' } {
  return { kind: 'change', statement, args: valuesOf(args), atLeast };
}

export function may(statement: Statement, args: object): EffectStep {
  return { kind: 'change', statement, args: valuesOf(args), atLeast: 0 };
}

interface PutStatements extends Record<'insert' | 'update' | 'upsert', Statement> {
  readonly inPlace?: Statement;
}

export function put(seen: Seen, row: object, { insert, update, upsert, inPlace }: PutStatements): EffectStep {
  if (seen === undefined) return must(upsert, row);
  if (seen === 0) return must(insert, row);
  const change = must(update, { ...row, seen });
  return inPlace === undefined ? change : { ...change, inPlace };
}

/** The cast is safe: rows hold nothing but values, and a statement takes those that it names. */
function valuesOf(row: object): Args {
  return row as Args;
}
