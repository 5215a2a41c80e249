import { parseMapping } from '#contract/mappings.ts';
import type { PathMapping } from '#contract/mappings.ts';

export interface PublicPaths {
  readonly mappings?: readonly string[] | undefined;
  readonly includes?: readonly string[] | undefined;
}

/**
 * The content paths that may stand behind a public path, the most fitting first; none where the mappings and includes of the
 * site let nothing through. A mapping of folders ("/content/site/:/") covers all below; the most special one counts. The
 * start page of a folder is its `index`, or the folder's own page.
 */
export function contentPaths(path: string, { mappings = [], includes }: PublicPaths): string[] {
  const parsed = mappings.map(parseMapping).filter((mapping): mapping is PathMapping => 'content' in mapping);
  return candidates(path, parsed).filter((content) => includes === undefined || includes.some((prefix) => isWithin(content, prefix)));
}

/** The same for a spreadsheet, whose public path ends in `.json` unless it is mapped as it is (`/.helix/config.json`). */
export function sheetPaths(path: string, paths: PublicPaths): string[] {
  const isMapped = paths.mappings?.some((text) => text.endsWith(`:${path}`)) === true;
  return contentPaths(isMapped ? path : path.replace(/\.json$/, ''), paths);
}

function candidates(path: string, mappings: readonly PathMapping[]): string[] {
  const exact = mappings.find((mapping) => !isFolder(mapping) && mapping.public === path);
  if (exact !== undefined) return [withoutSlash(exact.content)];
  const folder = mappings
    .filter((mapping) => isFolder(mapping) && path.startsWith(mapping.public))
    .toSorted((one, other) => other.public.length - one.public.length)[0];
  if (folder === undefined && mappings.length > 0) return [];
  const content = folder === undefined ? path : `${folder.content}${path.slice(folder.public.length)}`;
  return content.endsWith('/') ? [`${content}index`, ...(content === '/' ? [] : [withoutSlash(content)])] : [content];
}

function isFolder(mapping: PathMapping): boolean {
  return mapping.public.endsWith('/') && mapping.content.endsWith('/');
}

function isWithin(content: string, prefix: string): boolean {
  const root = withoutSlash(prefix);
  return root === '/' || content === root || content.startsWith(`${root}/`);
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
