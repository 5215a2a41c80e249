import { isReordered } from '@repoless/contract/json.ts';
import type { Change } from './change.ts';
import { below, besides, fieldChanges, listChanges, otherChanges, type Pair } from './describe-parts.ts';
import { at, entriesOf, keysOf, pointerTo, printed } from './json-place.ts';

/** What the hosts show: the public part, headers, folders, robots.txt and the hosts of the delivery network. */
export function describeDelivery(pair: Pair): Change[] {
  const headers = below(pair, 'headers');
  const folders = below(pair, 'folders');
  return [
    ...describePublic(below(pair, 'public')),
    ...keysOf(headers.before, headers.after).flatMap((path) => {
      const { before, after } = below(headers, path);
      const place = { area: 'other', pointer: pointerTo('headers', path), list: 'headers', of: path } as const;
      return listChanges(place, headersOf(before), headersOf(after));
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
    ).flatMap(([place, hosts]) => fieldChanges(place, hosts)),
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

/** Without a list everything is included: one that comes takes some of it away, one that goes opens it. Paths that come say which of both it is. */
function describeIncludes(paths: Pair): Change[] {
  const place = { area: 'mappings', pointer: '/public/paths/includes' } as const;
  const { before, after } = below(paths, 'includes');
  const isKept = paths.before !== undefined && paths.after !== undefined;
  if (isKept && (before === undefined || after === undefined)) return fieldChanges({ ...place, field: 'includes' }, { before, after });
  if (paths.before === undefined && hasNoList(paths.after)) return [{ kind: 'inclusion', ...place, includes: 'everything' }];
  if (paths.before === undefined && isEmpty(after)) return [{ kind: 'inclusion', ...place, includes: 'nothing' }];
  return listChanges({ ...place, list: 'includes' }, entriesOf(before), entriesOf(after));
}

function describeExcludes({ before, after }: Pair): Change[] {
  const place = { area: 'mappings', pointer: '/public/paths/excludes', list: 'excludes' } as const;
  return listChanges(place, entriesOf(before), entriesOf(after));
}

function hasNoList(paths: unknown): boolean {
  return at(paths, 'mappings') !== undefined && at(paths, 'includes') === undefined;
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

/** A mapping whose public path stays has moved; others came or went. */
function describeMappings({ before, after }: Pair): Change[] {
  const place = { area: 'mappings', pointer: '/public/paths/mappings' } as const;
  const old = entriesOf(before);
  const next = entriesOf(after);
  const [known, kept] = [new Set(old), new Set(next)];
  const gone = new Map(
    old
      .filter((mapping) => !kept.has(mapping))
      .toReversed()
      .map((mapping) => [publicPathOf(mapping), mapping]),
  );
  const moved = next
    .filter((mapping) => !known.has(mapping))
    .flatMap((mapping) => {
      const same = gone.get(publicPathOf(mapping));
      // Of several that come to one public path, one has moved.
      gone.delete(publicPathOf(mapping));
      return same === undefined ? [] : [{ from: same, to: mapping }];
    });
  const moves = new Set(moved.flatMap(({ from, to }) => [from, to]));
  const isMoved = (mapping: string) => moves.has(mapping);
  return [
    ...moved.map(({ from, to }) => ({
      kind: 'mapping' as const,
      ...place,
      publicPath: publicPathOf(to),
      from: contentPathOf(from),
      to: contentPathOf(to),
    })),
    ...listChanges(
      { ...place, list: 'mappings' },
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
