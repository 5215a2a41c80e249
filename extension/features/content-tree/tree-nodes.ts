import type { SiteState } from '@repoless/contract/site-check.ts';
import { knownSites, type Level, type ReadLevel, type TreeContext, type TreeNode, treeStates } from '@repoless/core/sites/tree.ts';
import type { Failure } from '@repoless/core/situation/call.ts';

/** Creates the nodes of levels, once per level and list of sites. */
export interface NodeReader {
  nodes(parent: TreeNode | undefined, read: ReadLevel): readonly TreeNode[];
}

export function createNodeReader(context: TreeContext): NodeReader {
  const known = context.sites === undefined ? undefined : knownSites(context.sites, context.author);
  const made = new WeakMap<ReadLevel, { readonly parent: TreeNode | undefined; readonly nodes: readonly TreeNode[] }>();
  return {
    nodes: (parent, read) => {
      const before = made.get(read);
      if (before !== undefined && before.parent === parent) return before.nodes;
      const nodes = treeStates(context, parent, read, known);
      made.set(read, { parent, nodes });
      return nodes;
    },
  };
}

/**
 * Whether a page can get a site: it has none and is at a level for sites, or its site differs from its settings, or a check
 * (`checked`) found a problem.
 */
export function isChoosable({ level, state }: TreeNode, checked?: SiteState): boolean {
  switch (state.kind) {
    case 'not-yet':
    case 'promised':
      return level !== 'page';
    case 'site':
      // The base site itself is repaired in its page properties.
      return REPAIRED.has(checked ?? state.state) && (level === 'country' || level === 'locale');
    case 'covered':
      return level === 'country' || level === 'locale';
    case 'unknown':
      return false;
    default:
      return state satisfies never;
  }
}

/** States in which applying setup again finds what is missing, and adds it. */
export const REPAIRED: ReadonlySet<SiteState> = new Set<SiteState>(['faulty', 'differs', 'not-set-up']);

export function nodeAt({ levels }: TreeLevels, reader: NodeReader, path: string): TreeNode | undefined {
  let node: TreeNode | undefined;
  for (const above of pathsDown(path)) {
    const level = levels.get(node?.path ?? TOP);
    if (level?.state !== 'ready') return undefined;
    node = reader.nodes(node, level.read).find((candidate) => candidate.path === above);
    if (node === undefined) return undefined;
  }
  return node;
}

export function nodesRead({ levels }: TreeLevels, reader: NodeReader): ReadonlyMap<string, TreeNode> {
  const found = new Map<string, TreeNode>();
  const below = (parent: TreeNode | undefined): void => {
    const level = levels.get(parent?.path ?? TOP);
    if (level?.state !== 'ready') return;
    for (const node of reader.nodes(parent, level.read)) {
      found.set(node.path, node);
      if (node.hasChildren) below(node);
    }
  };
  below(undefined);
  return found;
}

/** How many pages were read so far, and whether there are more below them. */
export function readCount(tree: TreeLevels, reader: NodeReader): { readonly pages: number; readonly all: boolean } {
  const nodes = [...nodesRead(tree, reader).values()];
  const open = nodes.some(({ path, hasChildren }) => hasChildren && tree.levels.get(path)?.state !== 'ready');
  return { pages: nodes.length, all: !open && tree.levels.get(TOP)?.state === 'ready' };
}

/** The levels that contain sites: roots, countries and what is directly below them. */
export function mayHoldSites(node: TreeNode): boolean {
  return node.hasChildren && HOLDERS.has(node.level);
}

const HOLDERS: ReadonlySet<Level> = new Set(['root', 'country']);

function pathsDown(path: string): string[] {
  const segments = path.split('/').slice(2);
  return segments.map((_segment, index) => [TOP, ...segments.slice(0, index + 1)].join('/'));
}

/** The pages below a path, as far as they are known. */
export type LevelRead =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'ready'; readonly read: ReadLevel };

export interface TreeLevels {
  /** By parent path. */
  readonly levels: ReadonlyMap<string, LevelRead>;
  readonly expanded: ReadonlySet<string>;
}

type TreeEvent =
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
      // Earlier results stay visible until the new answer arrives.
      const open = event.paths.filter((path) => tree.levels.get(path)?.state !== 'ready');
      return { ...tree, levels: new Map([...tree.levels, ...open.map((path) => [path, { state: 'loading' }] as const)]) };
    }
    case 'answered':
      return { ...tree, levels: new Map([...tree.levels, ...event.answers]) };
    default:
      return event satisfies never;
  }
}

/** The ancestors of a page from the root of its tree downwards, without the page itself: what to open to make it visible. */
export function pathsAbove(page: string): string[] {
  const segments = page.split('/').slice(2);
  return segments.slice(0, -1).map((_segment, index) => [TOP, ...segments.slice(0, index + 1)].join('/'));
}
