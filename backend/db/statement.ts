import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Compilable } from 'kysely';
import type { Dialect, Tables, Value } from './tables.ts';

export type Args = Readonly<Record<string, Value>>;

/** A query that is compiled once; each execution only binds its values. */
export interface Statement {
  /** Short and unique: the name of the prepared statement where the engine wants one. */
  readonly name: string;
  readonly sql: string;
  bind(args: Args): Value[];
}

export type Compile = (name: string, build: (db: Kysely<Tables>) => Compilable) => Statement;

export function compilerFor(dialect: Dialect): Compile {
  const db = new Kysely<Tables>({ dialect: dialect === 'sqlite' ? SQLITE : POSTGRES });
  return (name, build) => {
    const { sql, parameters } = build(db).compile();
    return {
      name,
      sql,
      bind: (args) => parameters.map((parameter) => (parameter instanceof Slot ? valueOf(args, parameter) : constant(parameter))),
    };
  };
}

/** A place in a query for a value that is bound at each execution. */
// Safe: Kysely passes values through to the compiled parameters without looking at them, and they are replaced there.
export function slot<T extends Value>(name: string): T {
  return new Slot(name) as unknown as T;
}

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

function valueOf(args: Args, { name }: Slot): Value {
  const value = args[name];
  if (value === undefined) throw new Error(`The statement needs a value for "${name}".`);
  return storable(value);
}

/** PostgreSQL's text cannot hold the character NUL: it becomes U+FFFD, on both engines alike. */
export function storable(value: Value): Value {
  return typeof value === 'string' ? storableText(value) : value;
}

export function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

function constant(parameter: unknown): Value {
  if (typeof parameter === 'string' || typeof parameter === 'number' || parameter === null) return parameter;
  throw new Error('A constant of a statement is a text, a number or null.');
}

const SQLITE = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};
const POSTGRES = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};
