import type { Database as Connection, Statement as Prepared } from 'better-sqlite3';
import type { Row } from '../row.ts';
import type { Args, Statement } from '../statement.ts';

/** The statements of one connection, each prepared once. */
export interface PreparedStatements {
  /** What it answers; nothing where it only changes something. */
  rows(statement: Statement, args: Args): readonly Row[];
  /** The number of rows that it changed. */
  run(statement: Statement, args: Args): number;
  isReading(statement: Statement): boolean;
}

export function preparedStatements(db: Connection): PreparedStatements {
  const prepared = new Map<string, Prepared<unknown[], Row>>();
  const find = ({ name, sql }: Statement) => {
    const known = prepared.get(name);
    if (known !== undefined) return known;
    const made = db.prepare<unknown[], Row>(sql);
    prepared.set(name, made);
    return made;
  };
  return {
    rows(statement, args) {
      const found = find(statement);
      if (found.reader) return found.all(...statement.bind(args));
      found.run(...statement.bind(args));
      return [];
    },
    run: (statement, args) => find(statement).run(...statement.bind(args)).changes,
    isReading: (statement) => find(statement).readonly,
  };
}
