import {
  CONFIGURATION_PATH,
  configurationPage,
  contentRoot,
  isTree,
  parseMapping,
  printMapping,
  readMappings,
} from '@repoless/contract/mappings.ts';
import { PublicPaths, withPaths } from '@repoless/contract/site.ts';
import { isObject, quoted, readProjectFile } from './project-file.ts';
import type { LegacyFile, LegacyNote, LegacyPlace, LegacyProblem } from './project-file.ts';

export const PATHS = 'paths.json';

export interface LegacyPaths {
  /** Without a slash at the end; absent where the file maps no tree to `/`, and nobody said what the root is. */
  readonly contentRoot?: string;
  /** What `public.paths` becomes, members included that nothing here reads. */
  readonly paths: PublicPaths;
  /** Where it is not the usual one. */
  readonly configurationPage?: string;
  readonly notes: readonly LegacyNote[];
  /** Of a member of the file, or of the line that the content root is from. */
  placeOf(member: string): LegacyPlace;
}

/** Reads a project's paths.json and makes of it the mappings that the service needs. `root` stands in where it maps no tree to `/`. */
export function readPaths(text: string, root?: string): LegacyPaths | { problem: LegacyProblem } {
  const file = readProjectFile(text);
  if ('problem' in file) return file;
  const top = isObject(file.value) ? file.value : {};
  // Some projects keep the paths as a part of a configuration in the file.
  const isPart = top['mappings'] === undefined && isObject(top['paths']);
  const within = isPart ? ['paths'] : [];
  const members: unknown = isPart ? top['paths'] : file.value;
  if (!isObject(members) || !isTexts(members['mappings'] ?? []))
    return { problem: { kind: 'form', detail: 'It has no list "mappings" of strings, neither at the top level nor in "paths".' } };
  const valid = PublicPaths.safeParse(members);
  if (!valid.success) {
    const [issue] = valid.error.issues;
    const place = file.placeOf([...within, ...(issue?.path ?? [])]);
    return { problem: { kind: 'form', ...place, detail: issue?.message ?? 'Its mappings are not valid.' } };
  }
  const beside = isPart ? Object.keys(top).filter((key) => key !== 'paths') : [];
  const notes = beside.map((key): LegacyNote => {
    const detail = `${quoted(key)} was left out: it would become public with the paths. Add it to "public" of the site if it may.`;
    return { file: PATHS, ...file.placeOf([key]), detail, isLeft: true };
  });
  const completed = complete(file, [...within, 'mappings'], valid.data, root);
  const rootLine = valid.data.mappings?.findLastIndex((text) => publicPath(text) === '/') ?? -1;
  return {
    ...completed,
    notes: [...notes, ...completed.notes],
    placeOf: (member) => file.placeOf([...within, ...(member === 'contentRoot' ? ['mappings', rootLine] : [member])]),
  };
}

/** What there is of a project without the file: the tree below `root` at the addresses that it needs. */
export function pathsOfRoot(root: string): { readonly contentRoot: string; readonly paths: PublicPaths } {
  const tree = root.replace(/\/$/, '');
  return { contentRoot: tree, paths: { mappings: [`${tree}/:/`, `${tree}/configuration:${CONFIGURATION_PATH}`] } };
}

function complete(
  file: LegacyFile,
  path: readonly PropertyKey[],
  paths: PublicPaths,
  root: string | undefined,
): Omit<LegacyPaths, 'placeOf'> {
  const notes: LegacyNote[] = [];
  const tell = (index: number, detail: string) => void notes.push({ file: PATHS, ...file.placeOf([...path, index]), detail });
  const whole = wholeTree(paths);
  const mappings = (paths.mappings ?? []).map((text, index) => {
    if (index !== whole?.index) return text;
    tell(index, `The mapping ${quoted(text)} was written as ${quoted(whole.text)}, so that the pages below are mapped too.`);
    return whole.text;
  });
  for (const [index, text] of mappings.entries()) {
    const without = WITHOUT_EFFECT.get(publicPath(text));
    if (without !== undefined) tell(index, `${quoted(publicPath(text))} ${without}`);
  }
  const own = treeOf(mappings);
  const wanted = own ?? root?.replace(/\/$/, '');
  if (wanted === undefined) return { paths, notes };
  // Where several lines fit, the last one counts: those of the project.
  const all = own === undefined ? [`${wanted}/:/`, ...mappings] : mappings;
  const usual = `${wanted}/configuration`;
  const page = configurationPage(all);
  if (page === undefined)
    notes.push({ file: PATHS, detail: `${usual} was mapped to ${CONFIGURATION_PATH}. Create the page, or remove the mapping.` });
  return {
    contentRoot: wanted,
    paths: withPaths(paths, { mappings: page === undefined ? [...all, `${usual}:${CONFIGURATION_PATH}`] : all }),
    notes,
    ...(page === undefined || page === usual ? {} : { configurationPage: page }),
  };
}

/**
 * `/content/site:/` maps the root page alone; a project that maps nothing beside it means the root and all below. A line beside others of
 * the same site, or of a page that is called as home pages are, means that page.
 */
function wholeTree({ mappings = [], includes = [] }: PublicPaths): { index: number; text: string } | undefined {
  if (treeOf(mappings) !== undefined) return undefined;
  const index = mappings.findIndex((text) => publicPath(text) === '/');
  const mapping = parseMapping(mappings[index] ?? '');
  if (!('content' in mapping) || /\/(?:home|homepage|index|start)$/i.test(mapping.content)) return undefined;
  const contents = [...mappings.map((text) => text.slice(0, text.indexOf(':'))), ...includes];
  const root = mapping.content.split('/').slice(0, -1).join('/');
  const isOneOf = contents.some((path) => path.startsWith(`${root}/`) && !`${path}/`.startsWith(`${mapping.content}/`));
  return isOneOf && root !== '/content' ? undefined : { index, text: printMapping({ ...mapping, content: `${mapping.content}/` }) };
}

/** The content root, where a tree is mapped to `/` and not a page alone. */
function treeOf(mappings: readonly string[]): string | undefined {
  return contentRoot(
    readMappings(mappings)
      .filter(isTree)
      .map((mapping) => printMapping(mapping)),
  );
}

function publicPath(text: string): string {
  return text.slice(text.indexOf(':') + 1);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Sheets that the public service reads of the content, and what a site here has instead. */
const WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map([
  ['/.helix/headers.json', 'is a sheet like any other here: set the headers as "headers" of the site.'],
  ['/.helix/config-all.json', 'is a sheet like any other here: set the configuration in the parts of the site.'],
  ['/metadata.json', 'is a sheet like any other here: pages get no metadata from it.'],
  ['/redirects.json', 'is a sheet like any other here: nothing is redirected by it.'],
  ['/robots.txt', 'is answered from the configuration, not from a page: set it as "robots" of the site.'],
]);
