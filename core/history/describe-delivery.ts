import { isReordered, sameValue } from '@repoless/contract/json.ts';
import type { Area, Change } from './change.ts';
import { at, entriesOf, isObject, keysOf, pointerTo, printed, without } from './json-values.ts';

/** What the hosts show: the public part, headers, folders, robots.txt and the hosts of the CDN. */
export function describeDelivery(pair: Pair): Change[] {
  const headers = below(pair, 'headers');
  const folders = below(pair, 'folders');
  return [
    ...describePublic(below(pair, 'public')),
    ...keysOf(headers.before, headers.after).flatMap((path) => {
      const { before, after } = below(headers, path);
      const location = { area: 'other', pointer: pointerTo('headers', path), list: 'headers', of: path } as const;
      return listChanges(location, headersOf(before), headersOf(after));
    }),
    ...(isReordered(headers.before, headers.after)
      ? [{ kind: 'order', area: 'other', pointer: '/headers', list: 'headerPaths' } as const]
      : []),
    ...listChanges({ area: 'other', pointer: '/folders', list: 'folders' }, foldersOf(folders.before), foldersOf(folders.after)),
    ...fieldChanges({ area: 'other', pointer: '/robots/txt', field: 'robots' }, below(pair, 'robots', 'txt')),
    ...fieldChanges({ area: 'other', pointer: '/query/yaml', field: 'query' }, below(pair, 'query', 'yaml')),
    ...fieldChanges({ area: 'other', pointer: '/sitemap/yaml', field: 'sitemap' }, below(pair, 'sitemap', 'yaml')),
    ...fieldChanges({ area: 'other', pointer: '/cdn/prod/host', field: 'productionHost' }, below(pair, 'cdn', 'prod', 'host')),
    ...otherChanges('other', ['cdn', 'prod'], besides(below(pair, 'cdn', 'prod'), 'host')),
    ...HOSTS.map(
      ([name, field]) => [{ area: 'other', pointer: `/cdn/${name}/host`, field } as const, below(pair, 'cdn', name, 'host')] as const,
    ).flatMap(([location, hosts]) => fieldChanges(location, hosts)),
    ...otherChanges('other', ['cdn'], besides(below(pair, 'cdn'), 'prod', ...HOSTS.map(([name]) => name))),
  ];
}

const HOSTS = [
  ['preview', 'previewHost'],
  ['live', 'liveHost'],
  ['review', 'reviewHost'],
] as const;

function describePublic(pair: Pair): Change[] {
  const paths = below(pair, 'paths');
  return [
    ...describeMappings(below(paths, 'mappings')),
    ...describeIncludes(paths),
    ...describeExcludes(below(paths, 'excludes')),
    ...otherChanges('mappings', ['public', 'paths'], besides(paths, 'mappings', 'includes', 'excludes')),
    ...otherChanges('other', ['public'], besides(pair, 'paths')),
  ];
}

/**
 * Without a list, everything is included: adding a list excludes content, removing it includes everything. For new paths, the change says
 * which of both applies.
 */
function describeIncludes(paths: Pair): Change[] {
  const location = { area: 'mappings', pointer: '/public/paths/includes' } as const;
  const { before, after } = below(paths, 'includes');
  const isUnchanged = paths.before !== undefined && paths.after !== undefined;
  if (isUnchanged && (before === undefined || after === undefined))
    return fieldChanges({ ...location, field: 'includes' }, { before, after });
  if (paths.before === undefined && hasNoList(paths.after)) return [{ kind: 'inclusion', ...location, includes: 'everything' }];
  if (paths.before === undefined && isEmpty(after)) return [{ kind: 'inclusion', ...location, includes: 'nothing' }];
  return listChanges({ ...location, list: 'includes' }, entriesOf(before), entriesOf(after));
}

function describeExcludes({ before, after }: Pair): Change[] {
  const location = { area: 'mappings', pointer: '/public/paths/excludes', list: 'excludes' } as const;
  return listChanges(location, entriesOf(before), entriesOf(after));
}

function hasNoList(paths: unknown): boolean {
  return at(paths, 'mappings') !== undefined && at(paths, 'includes') === undefined;
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

/** A mapping that keeps its public path has moved; others were added or removed. */
function describeMappings({ before, after }: Pair): Change[] {
  const location = { area: 'mappings', pointer: '/public/paths/mappings' } as const;
  const old = entriesOf(before);
  const next = entriesOf(after);
  const [known, current] = [new Set(old), new Set(next)];
  const removed = new Map(
    old
      .filter((mapping) => !current.has(mapping))
      .toReversed()
      .map((mapping) => [publicPathOf(mapping), mapping]),
  );
  const moved = next
    .filter((mapping) => !known.has(mapping))
    .flatMap((mapping) => {
      const same = removed.get(publicPathOf(mapping));
      // Of several mappings to one public path, one has moved.
      removed.delete(publicPathOf(mapping));
      return same === undefined ? [] : [{ from: same, to: mapping }];
    });
  const moves = new Set(moved.flatMap(({ from, to }) => [from, to]));
  const isMoved = (mapping: string) => moves.has(mapping);
  return [
    ...moved.map(({ from, to }) => ({
      kind: 'mapping' as const,
      ...location,
      publicPath: publicPathOf(to),
      from: contentPathOf(from),
      to: contentPathOf(to),
    })),
    ...listChanges(
      { ...location, list: 'mappings' },
      old.filter((mapping) => !isMoved(mapping)),
      next.filter((mapping) => !isMoved(mapping)),
    ),
  ];
}

function publicPathOf(mapping: string): string {
  return mapping.slice(mapping.lastIndexOf(':') + 1);
}

function contentPathOf(mapping: string): string {
  return mapping.slice(0, Math.max(0, mapping.lastIndexOf(':')));
}

function headersOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((one: unknown) => `${printed(at(one, 'key')) ?? ''}: ${printed(at(one, 'value')) ?? ''}`) : [];
}

function foldersOf(value: unknown): readonly string[] {
  return keysOf(value)
    .map((path) => `${path} → ${printed(at(value, path)) ?? ''}`)
    .toSorted();
}

/** Two states of one value; undefined if it doesn't exist. */
export interface Pair {
  readonly before: unknown;
  readonly after: unknown;
}

export function below({ before, after }: Pair, ...keys: readonly string[]): Pair {
  return { before: at(before, ...keys), after: at(after, ...keys) };
}

/** Both states without some keys; an object without other keys counts as missing. */
export function besides({ before, after }: Pair, ...keys: readonly string[]): Pair {
  const left = (value: unknown) => {
    const rest = without(value, ...keys);
    return isObject(rest) && Object.keys(rest).length === 0 ? undefined : rest;
  };
  return { before: left(before), after: left(after) };
}

/** Entries added to and removed from a list, or a change of its order. */
export function listChanges(
  location: Omit<Extract<Change, { kind: 'order' }>, 'kind'>,
  before: readonly string[],
  after: readonly string[],
): Change[] {
  const old = new Set(before);
  const next = new Set(after);
  const added = [...next].filter((entry) => !old.has(entry));
  const removed = [...old].filter((entry) => !next.has(entry));
  if (added.length > 0 || removed.length > 0) return [{ kind: 'list', ...location, added, removed, left: next.size }];
  const reordered = before.length === after.length && before.some((entry, index) => entry !== after[index]);
  return reordered ? [{ kind: 'order', ...location }] : [];
}

export function fieldChanges(
  location: Omit<Extract<Change, { kind: 'field' }>, 'kind' | 'from' | 'to'>,
  { before, after }: Pair,
): Change[] {
  return sameValue(before, after) ? [] : [{ kind: 'field', ...location, ...fromTo({ before, after }) }];
}

/** All remaining differences, by pointer: lists of strings entry by entry, everything else unchanged. */
export function otherChanges(area: Area, keys: readonly string[], pair: Pair): Change[] {
  const { before, after } = pair;
  if (sameValue(before, after)) return [];
  const names = keysOf(before, after);
  if (names.length > 0 && [before, after].every((value) => value === undefined || isObject(value)))
    return names.flatMap((name) => otherChanges(area, [...keys, name], below(pair, name)));
  const pointer = pointerTo(...keys);
  if (isTexts(before) && isTexts(after))
    return listChanges({ area, pointer, list: 'entries', of: pointer }, entriesOf(before), entriesOf(after));
  return [{ kind: 'other', area, pointer, ...fromTo(pair) }];
}

function isTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'));
}

function fromTo({ before, after }: Pair): { from?: string; to?: string } {
  const from = printed(before);
  const to = printed(after);
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
