import { createHash } from 'node:crypto';
import type { DocumentKind } from './received-request.ts';
import type { HostedSwitches } from './switches.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Version {
  readonly version: number;
  readonly created: string;
  name?: string;
  readonly user?: string;
  readonly data: Json;
}

export interface Job {
  readonly name: string;
  readonly ref: string;
  readonly started: number;
  readonly duration: number;
  readonly data: Json;
  readonly error?: string;
  stopped?: number;
}

/** A site, profile or organization with its data. `document` is absent if it was deleted. */
export interface StoredItem {
  readonly of: DocumentKind;
  readonly org: string;
  readonly name: string;
  document?: Json;
  versions: Version[];
  /** Number of all versions, including removed ones. */
  counted: number;
  /** Values of `public`, each with its time and the delay after which the hosts have it. */
  published: { readonly from: number; readonly delay: number; readonly value: unknown }[];
  readonly yaml: Map<string, string>;
  jobs: Job[];
  log: Json[];
}

export interface Store {
  find(of: DocumentKind, org: string, name: string): StoredItem | undefined;
  /** All existing ones of a kind in an organization, in order of creation. */
  all(of: DocumentKind, org?: string): StoredItem[];
  /** Returns the entry for a document, which exists once it is saved. */
  itemOf(of: DocumentKind, org: string, name: string): StoredItem;
  save(item: StoredItem, document: Json, by?: { readonly user?: string | undefined; readonly versionName?: string | null }): Json;
  remove(item: StoredItem): void;
}

/** Keeps everything in memory. */
export function openStore(switches: () => HostedSwitches): Store {
  const items = new Map<string, StoredItem>();
  return {
    find: (of, org, name) => items.get(`${of}/${org}/${name}`),
    all: (of, org) =>
      [...items.values()].filter((one) => one.of === of && (org === undefined || one.org === org) && one.document !== undefined),
    itemOf(of, org, name) {
      const key = `${of}/${org}/${name}`;
      const found = items.get(key) ?? {
        of,
        org,
        name,
        versions: [],
        counted: 0,
        published: [],
        jobs: [],
        log: [],
        yaml: new Map<string, string>(),
      };
      items.set(key, found);
      return found;
    },
    save(item, document, { user, versionName } = {}) {
      const now = Date.now();
      const lastModified = new Date(now).toISOString();
      const saved: Json = { ...document, created: document['created'] ?? lastModified, lastModified };
      item.document = saved;
      for (const site of item.of === 'sites' ? [item] : this.all('sites', item.org)) {
        const value = effective(this, site)['public'];
        if (JSON.stringify(site.published.at(-1)?.value) !== JSON.stringify(value))
          site.published.push({ from: now, delay: switches().configDelayMs, value });
      }
      item.versions.push({
        version: ++item.counted,
        created: lastModified,
        ...(typeof versionName === 'string' ? { name: versionName } : {}),
        ...(user !== undefined && switches().versionsNameUser ? { user } : {}),
        data: shown(saved),
      });
      return saved;
    },
    remove(item) {
      delete item.document;
      item.published.push({ from: Date.now(), delay: switches().configDelayMs, value: undefined });
      item.yaml.clear();
      if (!switches().versionsSurviveDelete) item.versions = [];
    },
  };
}

/** A document as answered: without values and hashes of credentials. */
export function shown(document: Json): Json {
  return changed(document, (entry) => {
    const { hash: _hash, value: _value, ...rest }: Json = entry;
    return rest;
  });
}

/** The document with each entry of its secrets and tokens replaced. */
export function changed(document: Json, change: (entry: Json, name: string, part: string) => Json): Json {
  const parts = ['secrets', 'tokens'].filter((part) => isObject(document[part]));
  return {
    ...document,
    ...Object.fromEntries(
      parts.map((part) => [
        part,
        Object.fromEntries(
          Object.entries(objectAt(document, part)).map(([name, entry]) => [name, isObject(entry) ? change(entry, name, part) : entry]),
        ),
      ]),
    ),
  };
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
}

/** The object at a path; empty if there is none. */
export function objectAt(value: unknown, ...path: string[]): Json {
  const found = valueAt(value, path);
  return isObject(found) ? found : {};
}

/** The texts of a list at a path. */
export function textsAt(value: unknown, ...path: string[]): string[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
}

export function textAt(value: unknown, ...path: string[]): string {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : '';
}

/** The document with another value at a path; undefined removes the current one. */
export function withValue(document: Json, [name = '', ...rest]: readonly string[], value: unknown): Json {
  const { [name]: current, ...others } = document;
  const next = rest.length === 0 ? value : withValue(isObject(current) ? current : {}, rest, value);
  return next === undefined ? others : { ...document, [name]: next };
}

/** A site over its profile: objects are merged, everything else is the site's. */
export function merged(below: Json, above: Json): Json {
  const entries = Object.entries(above).map(([name, value]): [string, unknown] => {
    const lower = below[name];
    return [name, isObject(lower) && isObject(value) ? merged(lower, value) : value];
  });
  return { ...below, ...Object.fromEntries(entries) };
}

/** The effective configuration of a site: over the profile that it extends, or over `default`. */
export function effective(store: Store, { of, org, document = {} }: StoredItem): Json {
  if (of !== 'sites') return document;
  const {
    created: _created,
    lastModified: _lastModified,
    ...profile
  }: Json = store.find('profiles', org, textAt(document, 'extends', 'profile') || 'default')?.document ?? {};
  return merged(profile, document);
}

export function contentBusId(document: Json): string {
  return createHash('sha256')
    .update(textAt(document, 'content', 'source', 'url'))
    .digest('hex')
    .slice(0, 59);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
