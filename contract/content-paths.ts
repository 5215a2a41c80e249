import { parseMapping } from './mappings.ts';
import type { PathMapping } from './mappings.ts';
import { createPathCover } from './path-globs.ts';

export interface PublicPaths {
  readonly mappings?: readonly string[] | undefined;
  readonly includes?: readonly string[] | undefined;
  readonly excludes?: readonly string[] | undefined;
}

/** The mappings and includes of a site, read once for many paths. */
export interface PathMapper {
  /**
   * The content paths that may stand behind a public path, the most fitting first; none where the mappings and includes of the
   * site let nothing through. A mapping of folders ("/content/site/:/") covers all below; the most special one counts. The
   * start page of a folder is its `index`, or the folder's own page. A spreadsheet's public path ends in `.json` unless it is
   * mapped as it is (`/.helix/config.json`).
   */
  contentPaths(path: string): string[];
  /**
   * The way back: the public paths that mappings give a page or a spreadsheet, that of the most special content first. Whether
   * one of them leads there and nowhere else is what `contentPaths` says.
   */
  publicPaths(content: string, kind: 'page' | 'sheet'): string[];
}

export function createPathMapper({ mappings = [], includes, excludes }: PublicPaths): PathMapper {
  const parsed = mappings.map(parseMapping).filter((mapping): mapping is PathMapping => 'content' in mapping);
  const [single, folders] = [parsed.filter((mapping) => !isFolder(mapping)), parsed.filter(isFolder)];
  const singleTo = firstBy(single, (mapping) => mapping.public);
  const folderTo = firstBy(folders, (mapping) => mapping.public);
  // Hosts keep a mapper and ask for one direction alone.
  const singleOf = lazily(() => allBy(single, (mapping) => withoutSlash(mapping.content)));
  const folderOf = lazily(() => allBy(folders, (mapping) => mapping.content));
  const isIncluded = createInclusion({ includes, excludes });

  const candidates = (path: string): string[] => {
    const exact = singleTo.get(path);
    if (exact !== undefined) return [withoutSlash(exact.content)];
    const folder = foldersAbove(path).flatMap((prefix) => folderTo.get(prefix) ?? [])[0];
    if (folder === undefined && parsed.length > 0) return [];
    const content = folder === undefined ? path : `${folder.content}${path.slice(folder.public.length)}`;
    return content.endsWith('/') ? [`${content}index`, ...(content === '/' ? [] : [withoutSlash(content)])] : [content];
  };
  return {
    contentPaths: (path) => {
      const asked = path.endsWith('.json') && !singleTo.has(path) && !folderTo.has(path) ? path.slice(0, -'.json'.length) : path;
      return candidates(asked).filter(isIncluded);
    },
    publicPaths: (content, kind) => {
      const ending = kind === 'sheet' ? '.json' : '';
      if (parsed.length === 0) return [`${content}${ending}`];
      const exact = singleOf().get(content) ?? [];
      const itself = kind === 'page' ? (folderOf().get(`${content}/`) ?? []) : [];
      const below = foldersAbove(content).flatMap((prefix) =>
        (folderOf().get(prefix) ?? []).map((folder) => addressBelow(folder, content.slice(prefix.length), kind)),
      );
      return [...[...exact, ...itself].map((mapping) => mapping.public), ...below];
    },
  };
}

/** A folder's `index` has the folder's address. */
function addressBelow(folder: PathMapping, rest: string, kind: 'page' | 'sheet'): string {
  const name = kind === 'sheet' ? `${rest}.json` : rest.replace(/(^|\/)index$/, '$1');
  return `${folder.public}${name}`;
}

/** `/a/b/` and `/a/` and `/` of `/a/b/c`: what the path is below of, the nearest first. */
function foldersAbove(path: string): string[] {
  const above: string[] = [];
  for (let slash = path.lastIndexOf('/'); slash >= 0; slash = slash === 0 ? -1 : path.lastIndexOf('/', slash - 1)) {
    above.push(path.slice(0, slash + 1));
  }
  return above;
}

function firstBy(mappings: readonly PathMapping[], keyOf: (mapping: PathMapping) => string): Map<string, PathMapping> {
  return new Map(mappings.toReversed().map((mapping) => [keyOf(mapping), mapping]));
}

function allBy(mappings: readonly PathMapping[], keyOf: (mapping: PathMapping) => string): Map<string, PathMapping[]> {
  const all = new Map<string, PathMapping[]>();
  for (const mapping of mappings) {
    const held = all.get(keyOf(mapping));
    if (held === undefined) all.set(keyOf(mapping), [mapping]);
    else held.push(mapping);
  }
  return all;
}

function isFolder(mapping: PathMapping): boolean {
  return mapping.public.endsWith('/') && mapping.content.endsWith('/');
}

/** Tells whether a content path is published: included, where there is a list of what is, and not excluded (docs/contract.md 3.5). */
export function createInclusion({ includes, excludes = [] }: Omit<PublicPaths, 'mappings'>): (content: string) => boolean {
  const isListed = includes === undefined ? () => true : createPathCover(includes);
  if (excludes.length === 0) return isListed;
  const isExcluded = createPathCover(excludes);
  return (content) => isListed(content) && !isExcluded(content);
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
