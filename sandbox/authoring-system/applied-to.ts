import type { ReadableTree } from './content-store.ts';

/** The resources that `:applyTo` names, which are there; those below one with `/*`. Undefined where the form has no such field. */
export function appliedTo(seen: ReadableTree, path: string, form: URLSearchParams): string[] | undefined {
  const given = form.getAll(':applyTo');
  if (given.length === 0) return undefined;
  return given.flatMap((one) => {
    const named = resolvePath(path, one);
    if (named.endsWith('/*')) return seen.children(named.slice(0, -'/*'.length)).map((child) => child.path);
    return seen.read(named) === undefined ? [] : [named];
  });
}

/** Where a path points to: below another, beside it with `..`, or anywhere with a slash before it. */
export function resolvePath(from: string, path: string): string {
  const segments: string[] = [];
  for (const segment of (path.startsWith('/') ? path : `${from}/${path}`).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}
