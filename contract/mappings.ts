import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** Where a configuration page must be mapped so that it becomes the site's public configuration sheet. */
export const CONFIGURATION_PATH = '/.helix/config.json';

/** One entry of `public.paths.mappings`, read. Both paths are absolute; a trailing slash means "and all below". */
export interface PathMapping {
  readonly content: string;
  readonly public: string;
}

/** Reads `<content_path>:<public_path>`; a sentence where it is none. */
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

/** The content root: the content path that is mapped to `/`, without its trailing slash; undefined when none is. */
export function contentRoot(mappings: readonly string[]): string | undefined {
  for (const text of mappings) {
    const mapping = parseMapping(text);
    if ('content' in mapping && mapping.public === '/') return withoutSlash(mapping.content);
  }
  return undefined;
}

/** The content path of the configuration page, without a trailing slash; undefined when none is mapped. */
export function configurationPage(mappings: readonly string[]): string | undefined {
  for (const text of mappings) {
    const mapping = parseMapping(text);
    if ('content' in mapping && mapping.public === CONFIGURATION_PATH) return withoutSlash(mapping.content);
  }
  return undefined;
}

export const Mapping = z
  .string()
  .max(LIMITS.pathLength)
  .superRefine((text, context) => {
    const mapping = parseMapping(text);
    if ('problem' in mapping) context.addIssue({ code: 'custom', message: mapping.problem });
  })
  .meta({ description: '<content path>:<public path>, both absolute', examples: ['/content/site/:/'] });

/** All mappings of a site: at most one to the configuration path, no public path twice (docs/contract.md 3.5). */
export const Mappings = z.array(Mapping).superRefine((texts, context) => {
  const seen = new Map<string, number>();
  let doubles = 0;
  texts.forEach((text, index) => {
    // No more are told.
    if (doubles === LIMITS.toldErrors) return;
    const mapping = parseMapping(text);
    if ('problem' in mapping) return;
    const key = mapping.public === '/' ? '/' : withoutSlash(mapping.public);
    const first = seen.get(key);
    if (first === undefined) return void seen.set(key, index);
    doubles += 1;
    context.addIssue({
      code: 'custom',
      path: [index],
      message:
        key === CONFIGURATION_PATH
          ? `Only one mapping may lead to ${CONFIGURATION_PATH}; "${texts[first]}" does already.`
          : `The public path "${mapping.public}" is mapped twice; "${texts[first]}" maps it already.`,
    });
  });
});

export const PathPrefix = z
  .string()
  .max(LIMITS.pathLength)
  .superRefine((path, context) => {
    const problem = pathProblem(path);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `The path "${path}" ${problem}.` });
  })
  .meta({ description: 'absolute content path prefix', examples: ['/content/site/'] });

/**
 * `paths.includes` and `paths.excludes`: a plain path stands for itself and all below; one with `*` (anything within a segment) or `**`
 * (anything) is a glob (docs/contract.md 3.5).
 */
export const PathPatterns = z
  .array(
    PathPrefix.meta({
      description: 'absolute content path, a prefix or a glob',
      examples: ['/content/site/', '/content/site/**/drafts/**'],
    }),
  )
  .superRefine((patterns, context) => {
    const globs = [...patterns.keys()].filter((index) => isGlob(patterns[index] ?? ''));
    const report = (index: number | undefined, message: string) => context.addIssue({ code: 'custom', path: [index ?? 0], message });
    const tooLong = globs.find((index) => (patterns[index] ?? '').length > LIMITS.pathGlobLength);
    if (tooLong !== undefined) report(tooLong, `A path with "*" has at most ${LIMITS.pathGlobLength} characters.`);
    if (globs.length > LIMITS.pathGlobs) report(globs[LIMITS.pathGlobs], `At most ${LIMITS.pathGlobs} paths of a list have "*".`);
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
