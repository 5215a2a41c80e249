import type { PublicPaths } from './content-paths.ts';

/** Whether a site that maps paths has no list of what is included: all of its content is. */
export function includesAll(paths: PublicPaths | undefined): boolean {
  return paths?.mappings !== undefined && paths.includes === undefined;
}
