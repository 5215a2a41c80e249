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
import type { LegacyFile, LegacyNote, LegacyLocation, LegacyProblem } from './project-file.ts';

export const PATHS = 'paths.json';

export interface LegacyPaths {
  /** Without a trailing slash; absent if the file maps no tree to `/`, and no root was given. */
  readonly contentRoot?: string;
  /** The future `public.paths`, including members that nothing here reads. */
  readonly paths: PublicPaths;
  /** Set if it differs from the default. */
  readonly configurationPage?: string;
  readonly notes: readonly LegacyNote[];
  /** The position of a member of the file, or of the line with the content root. */
  locationOf(member: string): LegacyLocation;
}

/** Reads a project's paths.json and derives the mappings that the service needs. `root` is used if the file maps no tree to `/`. */
export function readPaths(text: string, root?: string): LegacyPaths | { problem: LegacyProblem } {
  const file = readProjectFile(text);
  if ('problem' in file) return file;
  const top = isObject(file.value) ? file.value : {};
  // Some projects nest the paths in a configuration.
  const isPart = top['mappings'] === undefined && isObject(top['paths']);
  const within = isPart ? ['paths'] : [];
  const members: unknown = isPart ? top['paths'] : file.value;
  if (!isObject(members) || !isTexts(members['mappings'] ?? []))
    return { problem: { kind: 'form', detail: 'It has no list "mappings" of strings, neither at the top level nor in "paths".' } };
  const valid = PublicPaths.safeParse(members);
  if (!valid.success) {
    const [issue] = valid.error.issues;
    const location = file.locationOf([...within, ...(issue?.path ?? [])]);
    return { problem: { kind: 'form', ...location, detail: issue?.message ?? 'Its mappings are not valid.' } };
  }
  const beside = isPart ? Object.keys(top).filter((key) => key !== 'paths') : [];
  const notes = beside.map((key): LegacyNote => {
    const detail = `${quoted(key)} was left out: it would become public with the paths. Add it to "public" of the site if it may.`;
    return { file: PATHS, ...file.locationOf([key]), detail, isLeft: true };
  });
  const completed = complete(file, [...within, 'mappings'], valid.data, root);
  const rootLine = valid.data.mappings?.findLastIndex((text) => publicPath(text) === '/') ?? -1;
  return {
    ...completed,
    notes: [...notes, ...completed.notes],
    locationOf: (member) => file.locationOf([...within, ...(member === 'contentRoot' ? ['mappings', rootLine] : [member])]),
  };
}

/** The paths of a project without the file: the tree below `root` at the required addresses. */
export function pathsOfRoot(root: string): { readonly contentRoot: string; readonly paths: PublicPaths } {
  const tree = root.replace(/\/$/, '');
  return { contentRoot: tree, paths: { mappings: [`${tree}/:/`, `${tree}/configuration:${CONFIGURATION_PATH}`] } };
}

function complete(
  file: LegacyFile,
  path: readonly PropertyKey[],
  paths: PublicPaths,
  root: string | undefined,
): Omit<LegacyPaths, 'locationOf'> {
  const notes: LegacyNote[] = [];
  const note = (index: number, detail: string) => void notes.push({ file: PATHS, ...file.locationOf([...path, index]), detail });
  const whole = wholeTree(paths);
  const mappings = (paths.mappings ?? []).map((text, index) => {
    if (index !== whole?.index) return text;
    note(index, `The mapping ${quoted(text)} was written as ${quoted(whole.text)}, so that the pages below are mapped too.`);
    return whole.text;
  });
  for (const [index, text] of mappings.entries()) {
    const without = WITHOUT_EFFECT.get(publicPath(text));
    if (without !== undefined) note(index, `${quoted(publicPath(text))} ${without}`);
  }
  const own = treeOf(mappings);
  const expected = own ?? root?.replace(/\/$/, '');
  if (expected === undefined) return { paths, notes };
  // If several lines match, the last wins: those of the project.
  const all = own === undefined ? [`${expected}/:/`, ...mappings] : mappings;
  const usual = `${expected}/configuration`;
  const page = configurationPage(all);
  if (page === undefined)
    notes.push({ file: PATHS, detail: `${usual} was mapped to ${CONFIGURATION_PATH}. Create the page, or remove the mapping.` });
  return {
    contentRoot: expected,
    paths: withPaths(paths, { mappings: page === undefined ? [...all, `${usual}:${CONFIGURATION_PATH}`] : all }),
    notes,
    ...(page === undefined || page === usual ? {} : { configurationPage: page }),
  };
}

/**
 * `/content/site:/` maps only the root page; a project without other mappings means the root and everything below. Next to other lines of
 * the same site, or for a page with a typical home page name, it means that page.
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

/** The content root, if a tree rather than a single page is mapped to `/`. */
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

/** Sheets that configure the public service, and their replacement here. */
const WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map([
  ['/.helix/headers.json', 'is a sheet like any other here: set the headers as "headers" of the site.'],
  ['/.helix/config-all.json', 'is a sheet like any other here: set the configuration in the parts of the site.'],
  ['/metadata.json', 'is a sheet like any other here: pages get no metadata from it.'],
  ['/redirects.json', 'is a sheet like any other here: nothing is redirected by it.'],
  ['/robots.txt', 'is answered from the configuration, not from a page: set it as "robots" of the site.'],
]);
