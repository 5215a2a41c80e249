import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { mapConcurrently, retry } from '@repoless/core/run/retry.ts';
import { readLevel } from '@repoless/core/sites/read-tree.ts';
import { knownSites, type Level, type ReadLevel, type TreeContext, type TreeNode, treeStates } from '@repoless/core/sites/tree.ts';
import { type Failure, failureOf, type Known } from '@repoless/core/situation/call.ts';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { SiteState } from '@repoless/contract/site-check.ts';
import { useStopper } from '../../ui/use-reading.ts';
import { type PreviousStates, type SiteChecks, useSiteChecks } from './CheckSites.tsx';

const AT_ONCE = 6;

interface Descending {
  readonly signal: AbortSignal;
  /** Called after each round with the number of pages so far. */
  readonly onPages: (pages: number) => void;
}

export interface Tree {
  readonly tree: TreeLevels;
  readonly reader: NodeReader;
  /** Opens a page and reads the level below it, if it was not read yet. */
  expand(path: string): void;
  collapse(path: string): void;
  /** Opens all ancestors of pages to make them visible. */
  reveal(paths: readonly string[]): void;
  readonly checks: SiteChecks;
  /** Reads levels again; their previous content stays until the answer arrives. */
  read(paths: readonly string[]): Promise<void>;
  /**
   * Reads below a page (undefined: from the top) as deep as `isIncluded` decides. Returns every node found, and how many levels could not
   * be read.
   */
  descend(
    from: TreeNode | undefined,
    isIncluded: (node: TreeNode) => boolean,
    descending: Descending,
  ): Promise<{ readonly nodes: readonly TreeNode[]; readonly unread: number }>;
}

/** The content tree of an author, read level by level. Initially opened far enough to show `page`. `stored`: the states of earlier checks. */
export function useTree(ports: SetupPorts, context: TreeContext, page: string, stored: PreviousStates): Tree {
  const { authoring } = ports;
  const [tree, dispatch] = useReducer(reduceTree, NOTHING_READ);
  const checks = useSiteChecks(ports, context, stored);
  const reader = useMemo(() => createNodeReader(context), [context]);
  const now = useRef({ tree, reader });
  useEffect(() => {
    now.current = { tree, reader };
  }, [tree, reader]);

  const read = useCallback(
    async (paths: readonly string[]): Promise<void> => {
      dispatch({ type: 'requested', paths });
      await mapConcurrently(paths, AT_ONCE, async (path) => {
        const level = levelOf(await readLevel(authoring, path));
        dispatch({ type: 'answered', answers: [[path, level]] });
      });
    },
    [authoring],
  );
  const descend = useCallback(
    async (from: TreeNode | undefined, isIncluded: (node: TreeNode) => boolean, { signal, onPages }: Descending) => {
      const found: TreeNode[] = [];
      let unread = 0;
      let open: (TreeNode | undefined)[] = [from];
      while (open.length > 0 && !signal.aborted) {
        const answers = await mapConcurrently(open, AT_ONCE, async (node): Promise<readonly [string, LevelRead]> => {
          const path = node?.path ?? TOP;
          const level = now.current.tree.levels.get(path);
          if (level?.state === 'ready') return [path, level];
          return [path, signal.aborted ? { state: 'loading' } : await readWithRetry(ports, path, signal)];
        });
        if (signal.aborted) break;
        dispatch({ type: 'answered', answers });
        unread += answers.filter(([, level]) => level.state === 'failed').length;
        const parents = open;
        const nodes = answers.flatMap(([, level], index) =>
          level.state === 'ready' ? now.current.reader.nodes(parents[index], level.read) : [],
        );
        found.push(...nodes);
        onPages(found.length);
        open = nodes.filter((node) => node.hasChildren && isIncluded(node));
      }
      return { nodes: found, unread };
    },
    [ports],
  );
  const first = useRef(page);
  useEffect(() => {
    const above = pathsAbove(first.current);
    dispatch({ type: 'expand', paths: above });
    void read([TOP, ...above]);
  }, [read]);

  const expand = (path: string): void => {
    dispatch({ type: 'expand', paths: [path] });
    const { state } = tree.levels.get(path) ?? { state: 'unread' };
    if (state !== 'ready' && state !== 'loading') void read([path]);
  };
  const collapse = (path: string): void => dispatch({ type: 'collapse', path });
  const reveal = (paths: readonly string[]): void => dispatch({ type: 'expand', paths: paths.flatMap(pathsAbove) });
  return { tree, reader, expand, collapse, reveal, checks, read, descend };
}

/** Retries, so that no level is missing because the service was briefly busy. */
async function readWithRetry(ports: Pick<SetupPorts, 'authoring' | 'wait'>, path: string, signal: AbortSignal): Promise<LevelRead> {
  return levelOf(await retry({ ports, signal, onWaiting: () => undefined }, () => readLevel(ports.authoring, path)));
}

function levelOf(answer: Known<ReadLevel>): LevelRead {
  if (answer.state === 'known') return { state: 'ready', read: answer.value };
  return { state: 'failed', failure: failureOf(answer) };
}

interface Descent {
  /** Pages read so far; undefined while nothing is being read. */
  readonly pages: number | undefined;
  /** Continues reading below a page. Returns every node found, and how many levels were not read; undefined if it was stopped. */
  run(
    from: TreeNode | undefined,
    isIncluded: (node: TreeNode) => boolean,
  ): Promise<{ readonly nodes: readonly TreeNode[]; readonly unread: number } | undefined>;
  stop(): void;
}

/** Reads many levels of the tree, shows progress, and can be stopped. */
export function useDescent(tree: Pick<Tree, 'descend'>): Descent {
  const [pages, setPages] = useState<number>();
  const stopper = useStopper();
  return {
    pages,
    run: async (from, isIncluded) => {
      const signal = stopper.start();
      setPages(0);
      const found = await tree.descend(from, isIncluded, { signal, onPages: setPages });
      if (signal.aborted) return undefined;
      setPages(undefined);
      return found;
    },
    stop: () => {
      stopper.stop();
      setPages(undefined);
    },
  };
}

/** Creates the nodes of levels, once per level and list of sites. */
export interface NodeReader {
  nodes(parent: TreeNode | undefined, read: ReadLevel): readonly TreeNode[];
}

function createNodeReader(context: TreeContext): NodeReader {
  const known = context.sites === undefined ? undefined : knownSites(context.sites, context.author);
  const cached = new WeakMap<ReadLevel, { readonly parent: TreeNode | undefined; readonly nodes: readonly TreeNode[] }>();
  return {
    nodes: (parent, read) => {
      const before = cached.get(read);
      if (before !== undefined && before.parent === parent) return before.nodes;
      const nodes = treeStates(context, parent, read, known);
      cached.set(read, { parent, nodes });
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
    case 'missing-site':
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
type LevelRead =
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
  | { readonly type: 'requested'; readonly paths: readonly string[] }
  | { readonly type: 'answered'; readonly answers: readonly (readonly [path: string, level: LevelRead])[] };

/** The path whose children are the roots. */
export const TOP = '/content';

const NOTHING_READ: TreeLevels = { levels: new Map(), expanded: new Set() };

function reduceTree(tree: TreeLevels, event: TreeEvent): TreeLevels {
  switch (event.type) {
    case 'expand':
      return { ...tree, expanded: new Set([...tree.expanded, ...event.paths]) };
    case 'collapse':
      return { ...tree, expanded: new Set([...tree.expanded].filter((path) => path !== event.path)) };
    case 'requested': {
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
  return pathsDown(page).slice(0, -1);
}
