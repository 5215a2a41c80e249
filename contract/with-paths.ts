import type { PublicPaths } from './site.ts';

/** Paths with some of their members replaced, and those kept that nothing here knows. */
export function withPaths(paths: PublicPaths | undefined, changed: PublicPaths): PublicPaths {
  return Object.assign({}, paths, changed);
}
