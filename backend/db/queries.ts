import {
  DummyDriver,
  Kysely,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  RawNode,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';

/** The clocks of two nodes never differ by more than this, in milliseconds: an hour. */
export const MAX_CLOCK_SKEW = 3_600_000;

export type Dialect = 'sqlite' | 'postgres';

/** What nodes cache depends on sites, and on tokens: API keys, ended sign-ins, and people all of whose sign-ins were ended. */
export type Change =
  { readonly kind: 'site'; readonly org: string; readonly site: string } | { readonly kind: 'token'; readonly id: string };

export type Query = <Row>(query: RawBuilder<Row>) => Promise<readonly Row[]>;

/** What queries outside of a write need. */
export interface Database {
  readonly dialect: Dialect;
  readonly read: Query;
  /** A change that is durable when its promise resolves. */
  readonly change: Query;
  /** Empties what this node has cached of it; on PostgreSQL the statement itself notifies the other nodes on `channel`. */
  announce(change: Change): void;
  readonly channel?: string;
}

export interface WriteQueries {
  readonly dialect: Dialect;
  readonly rows: Query;
  /** Returns how many rows it changed. */
  run(query: RawBuilder<unknown>): Promise<number>;
  /** The write fails with `Conflicted`, at its end at the latest, unless it changes at least this many rows. */
  must(query: RawBuilder<unknown>, atLeast?: number): Promise<void>;
  may(query: RawBuilder<unknown>): Promise<void>;
  /** Announced after the commit. */
  changed(change: Change): void;
}

export interface Statement {
  /** The name of the prepared statement: the same for the same SQL. */
  readonly name: string;
  /** The verb and the table, for traces. */
  readonly summary: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type Compile = (query: RawBuilder<unknown>) => Statement;

/**
 * Kysely compiles a query once for each form: the literals in the source that it consists of, whatever their values. Compiling takes as long
 * as a statement that finds one row.
 */
export function compilerFor(dialect: Dialect): Compile {
  const db = new Kysely<unknown>({ dialect: dialect === 'sqlite' ? SQLITE : POSTGRES });
  const known = new Map<string, Omit<Statement, 'parameters'>>();
  const forms: Form = { next: new WeakMap() };
  const compiled = (query: RawBuilder<unknown>, collected: readonly unknown[]) => {
    const { sql: text, parameters } = query.compile(db);
    if (parameters.length !== collected.length) throw new Error(`A part of this query has parameters that are not collected: ${text}`);
    let made = known.get(text);
    if (made === undefined) known.set(text, (made = { name: `q${known.size}`, summary: summaryOf(text), sql: text }));
    return made;
  };
  return (query) => {
    const parameters: unknown[] = [];
    const form = formOf(query.toOperationNode(), forms, parameters);
    const { name, summary, sql: text } = (form.statement ??= compiled(query, parameters));
    return { name, summary, sql: text, parameters };
  };
}

/** A query up to one of its parts; by the next part, which is the same object each time if it is a literal or a constant. */
interface Form {
  readonly next: WeakMap<object, Form>;
  statement?: Omit<Statement, 'parameters'>;
}

/** Collects the parameters. */
function formOf(node: OperationNode, before: Form, parameters: unknown[]): Form {
  if (ValueNode.is(node) && node.immediate !== true) {
    parameters.push(storable(node.value));
    return nextForm(before, A_VALUE);
  }
  if (!RawNode.is(node)) return nextForm(before, node);
  return node.parameters.reduce((form, part) => formOf(part, form, parameters), nextForm(before, node.sqlFragments));
}

function nextForm({ next }: Form, part: object): Form {
  let form = next.get(part);
  if (form === undefined) next.set(part, (form = { next: new WeakMap() }));
  return form;
}

const A_VALUE = {};

function summaryOf(text: string): string {
  const [, verb = 'query'] = /^\s*(\w+)/.exec(text) ?? [];
  const [, table = ''] = /\b(?:from|into|update|table)\s+"?(\w+)/.exec(text) ?? [];
  return `${verb} ${table}`.trim();
}

function storable(value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value;
}

/** PostgreSQL's text cannot hold the character NUL: it becomes U+FFFD, on both engines alike. */
export function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

export function insert(table: string, row: object): RawBuilder<unknown> {
  return withValues(`insert into ${table}`, row, (columns) => {
    const commas = columns.slice(1).map(() => ', ');
    return [`insert into ${table} (${columns.join(', ')}) values (`, ...commas, ')'];
  });
}

/** Inserts a row, or replaces the one with the same key; with a `condition`, only if it holds. */
export function upsert(table: string, key: string, row: object, condition?: RawBuilder<unknown>): RawBuilder<unknown> {
  const where = condition === undefined ? NOTHING : sql` where ${condition}`;
  const replaced = withValues(`on conflict (${key})`, row, (columns) => {
    const values = columns.map((column) => `${column} = excluded.${column}`);
    return [` on conflict (${key}) do update set ${values.join(', ')}`];
  });
  return sql`${insert(table, row)}${replaced}${where}`;
}

const NOTHING = sql``;

/** The columns and values of `set`. */
export function assignments(row: object): RawBuilder<unknown> {
  return withValues('set', row, (columns) => [...columns.map((column, index) => `${index === 0 ? '' : ', '}${column} = `), '']);
}

/** One query from the texts between the values of a row, which are made once for the same columns. */
function withValues(of: string, row: object, textsFor: (columns: readonly string[]) => readonly string[]): RawBuilder<unknown> {
  const columns = Object.keys(row);
  const key = `${of} ${columns.join()}`;
  let texts = TEXTS.get(key);
  if (texts === undefined) {
    const made = textsFor(columns);
    TEXTS.set(key, (texts = Object.assign([...made], { raw: made })));
  }
  return sql(texts, ...(texts.length > 1 ? Object.values(row) : []));
}

/** By statement and columns, which are those of the program. */
const TEXTS = new Map<string, TemplateStringsArray>();

/** A list of any length as rows of one column, `value`: the statement stays the same. */
export function listed(dialect: Dialect, values: readonly string[]): RawBuilder<unknown> {
  const json = JSON.stringify(values);
  return dialect === 'sqlite' ? sql`json_each(${json}) as listed` : sql`json_array_elements_text(cast(${json} as json)) as listed(value)`;
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

/** OpenTelemetry's names of the engines. */
type DatabaseSystem = 'postgresql' | 'sqlite';

/** Records a statement as part of the current trace, without its values. */
export type Traced = <T>(statement: Pick<Statement, 'summary'>, work: () => Promise<T>) => Promise<T>;

export function tracedStatements(tracing: Tracing, system: DatabaseSystem): Traced {
  if (tracing === NO_TRACING) return (_statement, work) => work();
  return ({ summary }, work) =>
    tracing.part({ name: summary, kind: 'client', facts: { 'db.system.name': system, 'db.query.summary': summary } }, work);
}
