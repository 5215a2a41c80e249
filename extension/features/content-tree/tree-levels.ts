import type { Failure } from '@repoless/core/situation/situation.ts';
import type { ReadLevel } from '@repoless/core/sites/tree.ts';

/** What is known of the pages below a path. */
export type LevelRead =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'ready'; readonly read: ReadLevel };

export interface TreeLevels {
  /** By the path above. */
  readonly levels: ReadonlyMap<string, LevelRead>;
  readonly expanded: ReadonlySet<string>;
}

export type TreeEvent =
  | { readonly type: 'expand'; readonly paths: readonly string[] }
  | { readonly type: 'collapse'; readonly path: string }
  | { readonly type: 'asked'; readonly paths: readonly string[] }
  | { readonly type: 'answered'; readonly answers: readonly (readonly [path: string, level: LevelRead])[] };

/** The path whose children are the roots. */
export const TOP = '/content';

export const NOTHING_READ: TreeLevels = { levels: new Map(), expanded: new Set() };

export function reduceTree(tree: TreeLevels, event: TreeEvent): TreeLevels {
  switch (event.type) {
    case 'expand':
      return { ...tree, expanded: new Set([...tree.expanded, ...event.paths]) };
    case 'collapse':
      return { ...tree, expanded: new Set([...tree.expanded].filter((path) => path !== event.path)) };
    case 'asked': {
      // What was read before stays visible until the new answer arrives.
      const open = event.paths.filter((path) => tree.levels.get(path)?.state !== 'ready');
      return { ...tree, levels: new Map([...tree.levels, ...open.map((path) => [path, { state: 'loading' }] as const)]) };
    }
    case 'answered':
      return { ...tree, levels: new Map([...tree.levels, ...event.answers]) };
    default:
      return event satisfies never;
  }
}

/** The paths above a page from the root of its tree downwards, the page left out: what to open so that it is seen. */
export function pathsAbove(page: string): string[] {
  const segments = page.split('/').slice(2);
  return segments.slice(0, -1).map((_segment, index) => [TOP, ...segments.slice(0, index + 1)].join('/'));
}
