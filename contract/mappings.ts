import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** The public path that makes a configuration page the site's public configuration sheet. */
export const CONFIGURATION_PATH = '/.helix/config.json';

/** A parsed entry of `public.paths.mappings`, for a page or a tree (`isTree`). Both paths are absolute. */
export interface PathMapping {
  readonly content: string;
  readonly public: string;
}

/** Parses `<content_path>:<public_path>`; returns a message if it is invalid. */
export function parseMapping(text: string): PathMapping | { problem: string } {
  const colon = text.indexOf(':');
  if (colon < 0) return { problem: `"${text}" has no colon; write <content path>:<public path>, e.g. /content/site/:/.` };
  const mapping = { content: text.slice(0, colon), public: text.slice(colon + 1) };
  for (const [side, path] of [
    ['content', mapping.content],
    ['public', mapping.public],
  ] as const) {
    const problem = pathProblem(path);
    if (problem !== undefined) return { problem: `The ${side} path of "${text}" ${problem}.` };
  }
  return mapping;
}

export function printMapping(mapping: PathMapping): string {
  return `${mapping.content}:${mapping.public}`;
}

/**
 * Whether a mapping covers everything below a path rather than one page: its public path ends with a slash. The start page's does, too:
 * "/content/site/home:/" maps a page, "/content/site/:/" a tree.
 */
export function isTree(mapping: PathMapping): boolean {
  return mapping.public.endsWith('/') && (mapping.public !== '/' || mapping.content.endsWith('/'));
}

/** The target of a mapping. Of several with the same target the last wins; a page and the tree below it are different targets. */
export function mappedTo(mapping: PathMapping): string {
  return isTree(mapping) ? `below ${mapping.public}` : mapping.public;
}

/**
 * The content root without its trailing slash: the first tree mapped to `/` (others refine it), else the page mapped to `/`. Undefined if
 * nothing is mapped to `/`, or all content is (`/:/`).
 */
export function contentRoot(mappings: readonly string[]): string | undefined {
  return contentRoots(mappings)[0];
}

/** All content that is mapped to `/`, the content root first. */
export function contentRoots(mappings: readonly string[]): string[] {
  const onRoot = readMappings(mappings).filter((mapping) => mapping.public === '/' && mapping.content !== '/');
  const ordered = [...onRoot.filter(isTree), ...onRoot.filter((mapping) => !isTree(mapping))];
  return [...new Set(ordered.map((mapping) => withoutSlash(mapping.content)))];
}

/** The content path of the configuration page, without a trailing slash; undefined when none is mapped. */
export function configurationPage(mappings: readonly string[]): string | undefined {
  const mapping = readMappings(mappings).findLast((one) => one.public === CONFIGURATION_PATH);
  return mapping === undefined ? undefined : withoutSlash(mapping.content);
}

/** The valid mappings. Stored ones may break rules that were added later. */
export function readMappings(texts: readonly string[]): PathMapping[] {
  return texts.map(parseMapping).filter((mapping): mapping is PathMapping => 'content' in mapping);
}

/** Warnings about accepted mappings: one message for each target that several mappings share. */
export function mappingWarnings(texts: readonly string[]): string[] {
  const leading = new Map<string, Set<string>>();
  for (const mapping of readMappings(texts)) {
    const key = mappedTo(mapping);
    const others = leading.get(key) ?? new Set<string>();
    const text = printMapping(mapping);
    // Delete and add, so that the last mapping is at the end.
    others.delete(text);
    leading.set(key, others.add(text));
  }
  const written = new Set<string>();
  const doubles = new Set(texts.filter((text) => written.size === written.add(text).size));
  const several = [...leading.values()].filter((mappings) => mappings.size > 1).map((mappings) => [...mappings]);
  return [
    ...several.slice(0, MAX_LISTED).map((mappings) => severalWarning(mappings)),
    ...[...doubles].slice(0, MAX_LISTED).map((text) => `The mapping "${shown(text)}" is written more than once. Remove one of them.`),
    ...furtherWarning(Math.max(0, several.length - MAX_LISTED) + Math.max(0, doubles.size - MAX_LISTED)),
  ];
}

function severalWarning(mappings: readonly string[]): string {
  const last = mappings.at(-1) ?? '';
  const path = last.slice(last.indexOf(':') + 1);
  const others = mappings.length === 2 ? `"${shown(mappings[0] ?? '')}"` : `${mappings.length - 1} others`;
  return `The public path "${shown(path)}" is mapped more than once: "${shown(last)}" is the last and wins over ${others}.`;
}

function furtherWarning(count: number): string[] {
  return count === 0 ? [] : [`${count} further public paths or mappings occur more than once.`];
}

function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}

/** Warnings are sent in a header: few and short. */
const MAX_LISTED = 3;
const SHOWN = 100;

export const Mapping = z
  .string()
  .max(LIMITS.pathLength)
  .superRefine((text, context) => {
    const mapping = parseMapping(text);
    if ('problem' in mapping) context.addIssue({ code: 'custom', message: mapping.problem });
  })
  .meta({ description: '<content path>:<public path>, both absolute', examples: ['/content/site/:/'] });

/** All mappings of a site. Of several with the same target the last wins, with a warning (docs/contract.md 3.5). */
export const Mappings = z.array(Mapping);

export const PathPrefix = z
  .string()
  .max(LIMITS.pathLength)
  .superRefine((path, context) => {
    const problem = pathProblem(path);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `The path "${path}" ${problem}.` });
  })
  .meta({ description: 'absolute content path prefix', examples: ['/content/site/'] });

/**
 * `paths.includes` and `paths.excludes`: a plain path covers itself and everything below; with `*` (within a segment) or `**` (anything)
 * it is a glob (docs/contract.md 3.5).
 */
export const PathPatterns = z.array(PathPrefix).superRefine((patterns, context) => {
  const globs = [...patterns.entries()].filter(([, pattern]) => isGlob(pattern));
  const tooLong = globs.find(([, pattern]) => pattern.length > LIMITS.pathGlobLength);
  const [index] = tooLong ?? globs[LIMITS.pathGlobs] ?? [];
  const message = `At most ${LIMITS.pathGlobs} paths of a list have "*", each with at most ${LIMITS.pathGlobLength} characters.`;
  if (index !== undefined) context.addIssue({ code: 'custom', path: [index], message });
});

export function isGlob(pattern: string): boolean {
  return pattern.includes('*');
}

function pathProblem(path: string): string | undefined {
  if (/[<>]/.test(path)) return 'holds a placeholder in angle brackets: write the real path';
  if (!path.startsWith('/')) return 'must be absolute: start it with "/"';
  if (path.includes('//')) return 'has an empty segment ("//")';
  if (/(^|\/)\.\.?(\/|$)/.test(path)) return 'must not contain "." or ".." segments';
  if (/[\s:?#\\]/.test(path)) return 'must not contain spaces, ":", "?", "#" or "\\"';
  return undefined;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
