import { NO_TRACING } from '../tracing/tracing.ts';
import type { Part, Tracing } from '../tracing/tracing.ts';
import type { Args, Statement } from './statement.ts';

/** As OpenTelemetry names the engines. */
export type DatabaseSystem = 'postgresql' | 'sqlite';

/** The same query; each statement is a part of what is under way, by its name and without its values. */
export function tracedQuery<T>(
  tracing: Tracing,
  system: DatabaseSystem,
  query: (statement: Statement, args: Args) => Promise<T>,
): (statement: Statement, args: Args) => Promise<T> {
  if (tracing === NO_TRACING) return query;
  return (statement, args) => tracing.part(databasePart(system, statement.name), () => query(statement, args));
}

/** `summary`: the name of a statement in this program. */
export function databasePart<T>(system: DatabaseSystem, summary: string): Part<T> {
  return { name: summary, kind: 'client', facts: { 'db.system.name': system, 'db.query.summary': summary } };
}
