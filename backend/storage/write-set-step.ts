import type { Seen } from './write-set.ts';
import type { Row } from './row.ts';
import type { AuditRow } from './write-rows.ts';
import type { Args, Statement } from './statement.ts';

/**
 * A change that must reach so many rows, or something read that must be as the write saw it: else somebody else was faster. Or
 * an entry of the audit trail, which each engine chains to the one before.
 */
export type EffectStep =
  | { readonly kind: 'change'; readonly statement: Statement; readonly args: Args; readonly atLeast: number }
  | { readonly kind: 'check'; readonly statement: Statement; readonly args: Args; holds(rows: readonly Row[]): boolean }
  | { readonly kind: 'audit'; readonly row: AuditRow };

export function must(statement: Statement, args: object, atLeast = 1): EffectStep {
  return { kind: 'change', statement, args: { ...args }, atLeast };
}

export function may(statement: Statement, args: object): EffectStep {
  return { kind: 'change', statement, args: { ...args }, atLeast: 0 };
}

export function put(seen: Seen, row: object, { insert, update, upsert }: Record<'insert' | 'update' | 'upsert', Statement>): EffectStep {
  if (seen === undefined) return must(upsert, row);
  return seen === 0 ? must(insert, row) : must(update, { ...row, seen });
}
