import { LIMITS } from './limits.ts';
import { isTree, type PathMapping, readMappings } from './mappings.ts';
import { createPathCover } from './path-globs.ts';

export interface PublicPaths {
  readonly mappings?: readonly string[] | undefined;
  readonly includes?: readonly string[] | undefined;
  readonly excludes?: readonly string[] | undefined;
}

/**
 * The paths of a site, parsed once for many lookups: the only place that decides which content is at which public path (docs/contract.md
 * 3.5).
 */
export interface PathMapper {
  /**
   * The content paths that a public path may show, the best match first; none if mappings, includes and excludes rule it out. A mapping of
   * the page itself wins, then that of the nearest tree; among several, the last comes first, and `LIMITS.mappingsTried` are tried. The
   * start page of a tree is its `index`, or the page that is the tree's root; that of a folder below it is the `index`. A page has one
   * address, and a fragment has that address with `.plain.html`: `/a.html`, `/index`, and `/a/` for `/a` show nothing unless they are
   * mapped. The ending `.json` of a spreadsheet is dropped unless it is mapped.
   */
  contentPaths(path: string): string[];
  /**
   * The reverse: the public paths that mappings give a page or spreadsheet, that of the most specific content first. `contentPaths`
   * decides whether one of them shows that content and no other.
   */
  publicPaths(content: string, kind: 'page' | 'sheet'): string[];
}

export function createPathMapper({ mappings = [], includes, excludes }: PublicPaths): PathMapper {
  const parsed = readMappings(mappings);
  const [pages, trees] = [parsed.filter((mapping) => !isTree(mapping)), parsed.filter(isTree)];
  const pagesTo = lastBy(pages, (mapping) => mapping.public);
  const treesTo = lastBy(trees, (mapping) => mapping.public);
  // Hosts cache a mapper and need only one direction.
  const reverse = lazily(() => createReverse(parsed));
  const isPublished = createInclusion({ includes, excludes });

  const mapped = (path: string): string[] | undefined => pagesTo.get(path)?.map((mapping) => withoutSlash(mapping.content));
  const inTree = (path: string): string[] => {
    const nearest = foldersAbove(path).find((prefix) => treesTo.has(prefix));
    if (nearest === undefined) return parsed.length > 0 ? [] : parentFolders(EVERYTHING, path.slice(1));
    return (treesTo.get(nearest) ?? []).flatMap((tree) => parentFolders(tree, path.slice(nearest.length)));
  };
  return {
    contentPaths: (path) => {
      const name = pageName(path);
      if (name === undefined) return (mapped(path) ?? []).filter((content) => isPublished(content));
      const found = mapped(path) ?? mapped(name);
      if (found !== undefined || !name.endsWith(SHEET_ENDING)) return (found ?? inTree(name)).filter((content) => isPublished(content));
      const sheet = name.slice(0, -SHEET_ENDING.length);
      return (mapped(sheet) ?? inTree(sheet)).filter((content) => isPublished(content, `${content}${SHEET_ENDING}`));
    },
    publicPaths: (content, kind) =>
      parsed.length === 0 ? [kind === 'sheet' ? `${content}${SHEET_ENDING}` : content] : reverse()(content, kind),
  };
}

const PLAIN_ENDING = '.plain.html';
const SHEET_ENDING = '.json';

/**
 * The address of the page that a path requests, entirely or in part; undefined if the path is another spelling of an address
 * (docs/contract.md 3.5).
 */
export function pageName(path: string): string | undefined {
  if (path.endsWith(PLAIN_ENDING)) return path.slice(0, -PLAIN_ENDING.length).replace(/(?<=\/)index$/, '');
  return /\.html$|\/index$/.test(path) ? undefined : path;
}

/** A public path that ends with a slash shows the `index` below the content, or the page that is its parent. */
function parentFolders(tree: PathMapping, rest: string): string[] {
  const content = `${asTree(tree).content}${rest}`;
  if (!content.endsWith('/')) return [content];
  const itself = rest === '' && content !== '/' ? [withoutSlash(content)] : [];
  // Without a final slash, a mapping names the page first.
  return rest === '' && !tree.content.endsWith('/') ? [...itself, `${content}index`] : [`${content}index`, ...itself];
}

function asTree(mapping: PathMapping): PathMapping {
  return mapping.content.endsWith('/') ? mapping : { ...mapping, content: `${mapping.content}/` };
}

const EVERYTHING: PathMapping = { content: '/', public: '/' };

/**
 * Maps content to the public paths of its own mappings, then of the trees that contain it, the nearest first; among several, the last wins.
 */
function createReverse(parsed: readonly PathMapping[]): PathMapper['publicPaths'] {
  const lastFirst = parsed.toReversed();
  const [pages, trees] = [lastFirst.filter((mapping) => !isTree(mapping)), lastFirst.filter(isTree).map(asTree)];
  const pagesOf = allBy(pages, (mapping) => withoutSlash(mapping.content));
  const treesOf = allBy(trees, (mapping) => mapping.content);
  return (content, kind) => {
    const own = [...(pagesOf.get(content) ?? []), ...(kind === 'page' ? (treesOf.get(`${content}/`) ?? []) : [])];
    const below = foldersAbove(content).flatMap((prefix) =>
      (treesOf.get(prefix) ?? []).map((tree) => addressOf(tree.public, content.slice(prefix.length), kind)),
    );
    return [...own.map((mapping) => mapping.public), ...below];
  };
}

/** A folder's `index` has the address of the folder. */
function addressOf(tree: string, rest: string, kind: 'page' | 'sheet'): string {
  const name = kind === 'sheet' ? `${rest}${SHEET_ENDING}` : rest.replace(/(^|\/)index$/, '$1');
  return `${tree}${name}`;
}

/** The parent folders of a path, the nearest first: `/a/b/`, `/a/` and `/` for `/a/b/c`. */
function foldersAbove(path: string): string[] {
  const above: string[] = [];
  for (let slash = path.lastIndexOf('/'); slash >= 0; slash = slash === 0 ? -1 : path.lastIndexOf('/', slash - 1)) {
    above.push(path.slice(0, slash + 1));
  }
  return above;
}

/** The last mapping of each key first, without duplicates, and no more than are tried. */
function lastBy(mappings: readonly PathMapping[], keyOf: (mapping: PathMapping) => string): Map<string, PathMapping[]> {
  const last = allBy(mappings.toReversed(), keyOf);
  for (const [key, value] of last) {
    const contents = new Map(value.toReversed().map((mapping) => [withoutSlash(mapping.content), mapping]));
    last.set(key, value.filter((mapping) => contents.get(withoutSlash(mapping.content)) === mapping).slice(0, LIMITS.mappingsTried));
  }
  return last;
}

function allBy<M>(mappings: readonly M[], keyOf: (mapping: M) => string): Map<string, M[]> {
  const all = new Map<string, M[]>();
  for (const mapping of mappings) {
    const existing = all.get(keyOf(mapping));
    if (existing === undefined) all.set(keyOf(mapping), [mapping]);
    else existing.push(mapping);
  }
  return all;
}

/**
 * Returns a function that decides whether content is published: included, if there is a list of includes, and not excluded
 * (docs/contract.md 3.5). The function takes a content path and its other possible names in the lists.
 */
export function createInclusion({ includes, excludes = [] }: Omit<PublicPaths, 'mappings'>): (...names: string[]) => boolean {
  const isListed = includes === undefined ? undefined : createPathCover(includes);
  const isExcluded = excludes.length === 0 ? undefined : createPathCover(excludes);
  return (...names) => (isListed === undefined || names.some(isListed)) && (isExcluded === undefined || !names.some(isExcluded));
}

function lazily<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => (cached ??= { value: make() }).value;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The name of content at its source. */
export interface SourceName {
  readonly path: string;
  readonly query: string;
  readonly isPage: boolean;
}

/**
 * The name of content at its source (docs/contract.md 3.5). A page gets the suffix of the source; a file with an ending keeps the name of
 * its content path or, failing that, of the public path. Takes a content path that the public path may show, that public path, and the
 * suffix.
 */
export function sourceName(content: string, publicPath: string, suffix = DEFAULT_SUFFIX): SourceName {
  const named = endingOf(content);
  if (named !== undefined) return { path: content, query: '', isPage: /^html?$/i.test(named) };
  const requestedEnding = endingOf(publicPath);
  if (requestedEnding !== undefined && !/^html?$/i.test(requestedEnding))
    return { path: `${content}.${requestedEnding}`, query: '', isPage: false };
  const [ending = '', ...query] = suffix.split('?');
  return { path: `${content}${ending}`, query: query.join('?'), isPage: true };
}

export function isPagePath(path: string): boolean {
  return /^(?:html?)?$/i.test(endingOf(path) ?? '');
}

/** The ending of a file, in its original case; undefined if the name is that of a page, which may contain dots ("release-2.0"). */
function endingOf(path: string): string | undefined {
  const ending = /\.([a-z0-9]{1,12})$/i.exec(path)?.[1];
  return ending !== undefined && FILE_ENDINGS.has(ending.toLowerCase()) ? ending : undefined;
}

const DEFAULT_SUFFIX = '.html';
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  [
    'html htm css js mjs cjs json jsonld geojson map webmanifest xml rss atom xsl xsd txt md csv tsv yaml yml ics vcf vtt srt',
    'svg svgz png jpg jpeg jfif gif webp avif heic heif jxl bmp tif tiff ico cur apng eps psd',
    'woff woff2 ttf otf eot',
    'mp4 m4v mov webm ogv avi mkv mp3 m4a ogg oga wav flac aac m3u8 mpd',
    'pdf doc docx dot dotx xls xlsx xlsm ppt pptx pps ppsx odt ods odp rtf epub',
    'wasm zip gz tgz tar 7z rar bin exe dmg pkg msi apk jar',
    'glb gltf usdz obj stl kml kmz gpx',
  ].flatMap((line) => line.split(' ')),
);
