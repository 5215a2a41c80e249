import type BetterSqlite3 from 'better-sqlite3';
import type { Database as Connection } from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TECHNICAL_ACCOUNT_PROPERTY } from '@repoless/contract/edge-fields.ts';
import { EDGE_CONFIGURATION, EdgeConfiguration } from '@repoless/contract/authoring.ts';
import { z } from 'zod';

export interface ReadableTree {
  read(path: string): Resource | undefined;
  /** In order of creation. */
  children(path: string): Resource[];
  /** All descendants of a path with this name, in any order. */
  named(below: string, name: string): Resource[];
}

export interface WritableTree extends ReadableTree {
  /** Creates or replaces a resource; missing ancestors are created as `nt:unstructured`. */
  put(path: string, properties: Properties): void;
  /** Removes a resource and its descendants. */
  remove(path: string): void;
  /** Moves a resource before one of its siblings, or to the end. */
  reorder(path: string, before: string | undefined): void;
}

/** The content of both environments in one file; a `change` is on disk when it returns, or did not happen. */
export interface ContentStore {
  tree(environment: string): ReadableTree;
  change<T>(environment: string, work: (tree: WritableTree) => T): T;
  plant(resources: Iterable<PlantedResource>): void;
  isEmpty(): boolean;
  close(): void;
}

export function openContentStore(dataDir: string): ContentStore {
  mkdirSync(dataDir, { recursive: true });
  const database = new Database(join(dataDir, 'content.sqlite'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(SCHEMA);
  const trees = statements(database);
  return {
    tree: trees,
    change: (environment, work) => database.transaction(() => work(trees(environment))).immediate(),
    plant: (resources) =>
      database
        .transaction(() => {
          for (const { environment, path, properties } of resources) trees(environment).put(path, properties);
        })
        .immediate(),
    isEmpty: () => database.prepare('SELECT 1 FROM resource LIMIT 1').get() === undefined,
    close: () => void database.close(),
  };
}

interface Row {
  readonly path: string;
  readonly properties: string;
}

function statements(database: Connection): (environment: string) => WritableTree {
  const one = database.prepare<[string, string], Row>('SELECT path, properties FROM resource WHERE environment = ? AND path = ?');
  const below = database.prepare<[string, string], Row>(
    'SELECT path, properties FROM resource WHERE environment = ? AND parent = ? ORDER BY position',
  );
  const named = database.prepare<[string, string, string, string], Row>(
    'SELECT path, properties FROM resource WHERE environment = ? AND path > ? AND path < ? AND name = ?',
  );
  const update = database.prepare<[string, string, string]>('UPDATE resource SET properties = ? WHERE environment = ? AND path = ?');
  const insert = database.prepare<[string, string, string, string, string, string, string]>(
    `INSERT INTO resource (environment, path, parent, name, properties, position) VALUES (?, ?, ?, ?, ?,
      1 + coalesce((SELECT max(position) FROM resource WHERE environment = ? AND parent = ?), 0))`,
  );
  const remove = database.prepare<[string, string, string, string]>(
    'DELETE FROM resource WHERE environment = ? AND (path = ? OR (path > ? AND path < ?))',
  );

  const setPosition = database.prepare<[number, string, string]>('UPDATE resource SET position = ? WHERE environment = ? AND path = ?');

  return (environment) => {
    const make = (path: string, properties: Properties) => {
      const parent = parentOf(path);
      if (path !== '/' && parent !== '/' && one.get(environment, parent) === undefined)
        make(parent, { 'jcr:primaryType': 'nt:unstructured' });
      insert.run(environment, path, parent, nameOf(path), JSON.stringify(properties), environment, parent);
    };
    return {
      read: (path) => fromRow(one.get(environment, path)),
      children: (path) => below.all(environment, path).map(parsed),
      named: (root, name) => named.all(environment, `${root}/`, afterSlash(root), name).map(parsed),
      put: (path, properties) => {
        if (update.run(JSON.stringify(properties), environment, path).changes === 0) make(path, properties);
      },
      remove: (path) => void remove.run(environment, path, `${path}/`, afterSlash(path)),
      reorder: (path, before) => {
        const others = below.all(environment, parentOf(path)).flatMap((row) => (row.path === path ? [] : [row.path]));
        const at = others.findIndex((other) => nameOf(other) === before);
        const ordered = at < 0 ? [...others, path] : others.toSpliced(at, 0, path);
        for (const [index, one] of ordered.entries()) setPosition.run(index + 1, environment, one);
      },
    };
  };
}

/** The first text that sorts after every path below this one: "0" follows "/". */
function afterSlash(path: string): string {
  return `${path}0`;
}

function fromRow(row: Row | undefined): Resource | undefined {
  return row === undefined ? undefined : parsed(row);
}

/** Safe: only `put` writes that column, from `Properties`. */
function parsed(row: Row): Resource {
  return { path: row.path, properties: JSON.parse(row.properties) as Properties };
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS resource (
  environment TEXT NOT NULL, path TEXT NOT NULL, parent TEXT NOT NULL, name TEXT NOT NULL,
  position INTEGER NOT NULL, properties TEXT NOT NULL, PRIMARY KEY (environment, path)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS resource_children ON resource (environment, parent, position);
`;

/** A property of the content tree as Sling's JSON shows it. */
export type Value = string | number | boolean | readonly (string | number | boolean)[];
export type Properties = Readonly<Record<string, Value>>;

/** A node of the content tree: its absolute path (with `jcr:content`, never `_jcr_content`) and its own properties. */
export interface Resource {
  readonly path: string;
  readonly properties: Properties;
}

/** A resource of one environment, e.g. `p100-e200`. */
export interface PlantedResource extends Resource {
  readonly environment: string;
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0)) || '/';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A property as text; undefined if it is absent or has several values. */
export function textOf(properties: Properties, name: string): string | undefined {
  const value = properties[name];
  return value === undefined || typeof value === 'object' ? undefined : String(value);
}

const require = createRequire(import.meta.url);

/** As in the service: version 13 of better-sqlite3 for Node.js 22 and later if it is installed, otherwise version 12. */
const DRIVER = Number.parseInt(process.versions.node, 10) < 22 ? require.resolve('better-sqlite3') : newest();

// Safe: both versions have the same API, and these are the types of the older one.
const Database = require(DRIVER) as typeof BetterSqlite3;

function newest(): string {
  try {
    return require.resolve('better-sqlite3-13');
  } catch {
    return require.resolve('better-sqlite3');
  }
}

/** One authoring environment: its own host, content and technical account. */
export interface Environment {
  readonly id: string;
  readonly technicalAccount: string;
}

export const BASE_ENVIRONMENT = 'p100-e200';
export const SECOND_ENVIRONMENT = 'p100-e300';

export const ENVIRONMENTS: readonly Environment[] = [BASE_ENVIRONMENT, SECOND_ENVIRONMENT].map((id) => ({
  id,
  technicalAccount: `${id}@techacct.example.com`,
}));

/** The environment in a Host header (`author-p100-e200.…`). */
export function environmentOfHost(host: string | undefined): Environment | undefined {
  const label = host?.split('.')[0]?.toLowerCase();
  return ENVIRONMENTS.find(({ id }) => label === `author-${id}`);
}

const CONTENT = `/${EDGE_CONFIGURATION}/jcr:content`;

/** A configuration as the delivery uses it; `open`: the delivery requires no token. */
const Delivered = EdgeConfiguration.extend({ open: z.boolean().optional() });
export interface EffectiveConfiguration {
  readonly path: string;
  readonly values: z.infer<typeof Delivered>;
}

function isEdgeConfiguration(path: string): boolean {
  return path.startsWith('/conf/') && path.endsWith(CONTENT);
}

/** The properties shown to a reader. */
export function shownProperties(resource: Resource, environment: Environment): Properties {
  if (!isEdgeConfiguration(resource.path)) return resource.properties;
  return {
    ...resource.properties,
    [TECHNICAL_ACCOUNT_PROPERTY]: shownAccount(resource.properties[TECHNICAL_ACCOUNT_PROPERTY], environment),
  };
}

/** The technical account that a configuration shows; the environment's own account may read and publish, whatever is shown. */
export function shownAccount(setByHand: unknown, environment: Environment): string {
  return typeof setByHand === 'string' && setByHand !== '' ? setByHand : environment.technicalAccount;
}

/** The page that sets `cq:conf` for a page: itself or its nearest ancestor. */
export function configuredBy(tree: ReadableTree, page: string): { page: string; conf: string } | undefined {
  for (let path = page; path !== '/'; path = parentOf(path)) {
    const content = tree.read(`${path}/jcr:content`);
    const conf = content === undefined ? undefined : textOf(content.properties, 'cq:conf');
    if (conf !== undefined && conf !== '') return { page: path, conf };
  }
  return undefined;
}

/** The effective Edge Delivery configuration of a page: that of its `cq:conf`, or of the nearest `/conf` ancestor that has one. */
export function configurationOf(tree: ReadableTree, page: string): EffectiveConfiguration | undefined {
  const start = configuredBy(tree, page)?.conf;
  for (let conf = start ?? '/conf'; conf.startsWith('/conf/'); conf = parentOf(conf)) {
    const content = tree.read(`${conf}${CONTENT}`);
    if (content !== undefined) return effective(content);
  }
  return undefined;
}

/** The configuration that names this site of this organization. */
export function configurationNamed(tree: ReadableTree, org: string, site: string): EffectiveConfiguration | undefined {
  return tree
    .named('/conf', 'jcr:content')
    .filter(({ path }) => isEdgeConfiguration(path))
    .map(effective)
    .find(({ values }) => values.owner === org && values.repo === site);
}

function effective(content: Resource): EffectiveConfiguration {
  return { path: content.path, values: Delivered.parse(content.properties) };
}
