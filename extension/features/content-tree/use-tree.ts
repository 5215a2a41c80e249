import type { AuthoringPort, SetupPorts } from '@repoless/core/situation/ports.ts';
import { eachBounded, retry } from '@repoless/core/run/retry.ts';
import { readLevel } from '@repoless/core/sites/read-tree.ts';
import type { ReadLevel, TreeContext, TreeNode } from '@repoless/core/sites/tree.ts';
import { failureOf, type Known } from '@repoless/core/situation/call.ts';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { type PreviousStates, type SiteChecks, useSiteChecks } from './CheckSites.tsx';
import {
  createNodeReader,
  type LevelRead,
  type NodeReader,
  NOTHING_READ,
  pathsAbove,
  reduceTree,
  TOP,
  type TreeLevels,
} from './tree-nodes.ts';

const AT_ONCE = 6;

export interface Descending {
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
  /** Reads below a page (undefined: from the top) as deep as `wanted` decides. Returns every node found, and how many levels could not be read. */
  descend(
    from: TreeNode | undefined,
    wanted: (node: TreeNode) => boolean,
    descending: Descending,
  ): Promise<{ readonly nodes: readonly TreeNode[]; readonly unread: number }>;
}

/** The content tree of an author, read level by level. Initially opened far enough to show `page`. `kept`: earlier findings. */
export function useTree(ports: SetupPorts, context: TreeContext, page: string, kept: PreviousStates): Tree {
  const { authoring } = ports;
  const [tree, dispatch] = useReducer(reduceTree, NOTHING_READ);
  const checks = useSiteChecks(ports, context, kept);
  const reader = useMemo(() => createNodeReader(context), [context]);
  const now = useRef({ tree, reader });
  useEffect(() => {
    now.current = { tree, reader };
  }, [tree, reader]);

  const read = useCallback(
    async (paths: readonly string[]): Promise<void> => {
      dispatch({ type: 'asked', paths });
      await eachBounded(paths, AT_ONCE, async (path) => {
        const level = await readOne(authoring, path);
        dispatch({ type: 'answered', answers: [[path, level]] });
      });
    },
    [authoring],
  );
  const descend = useCallback(
    async (from: TreeNode | undefined, wanted: (node: TreeNode) => boolean, { signal, onPages }: Descending) => {
      const found: TreeNode[] = [];
      let unread = 0;
      let open: (TreeNode | undefined)[] = [from];
      while (open.length > 0 && !signal.aborted) {
        const answers = await eachBounded(open, AT_ONCE, async (node): Promise<readonly [string, LevelRead]> => {
          const path = node?.path ?? TOP;
          const held = now.current.tree.levels.get(path);
          if (held?.state === 'ready') return [path, held];
          return [path, signal.aborted ? { state: 'loading' } : await readPatiently(ports, path, signal)];
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
        open = nodes.filter((node) => node.hasChildren && wanted(node));
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
async function readPatiently(ports: Pick<SetupPorts, 'authoring' | 'wait'>, path: string, signal: AbortSignal): Promise<LevelRead> {
  const answer = await retry({ ports, signal, onWaiting: () => undefined }, () => readLevel(ports.authoring, path));
  return levelOf(answer);
}

async function readOne(authoring: AuthoringPort, path: string): Promise<LevelRead> {
  return levelOf(await readLevel(authoring, path));
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
    wanted: (node: TreeNode) => boolean,
  ): Promise<{ readonly nodes: readonly TreeNode[]; readonly unread: number } | undefined>;
  stop(): void;
}

/** Reads many levels of the tree, shows progress, and can be stopped. */
export function useDescent(tree: Pick<Tree, 'descend'>): Descent {
  const [pages, setPages] = useState<number>();
  const stopper = useRef<AbortController>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  return {
    pages,
    run: async (from, wanted) => {
      stopper.current?.abort();
      const controller = new AbortController();
      stopper.current = controller;
      setPages(0);
      const found = await tree.descend(from, wanted, { signal: controller.signal, onPages: setPages });
      if (stopper.current === controller) setPages(undefined);
      return controller.signal.aborted ? undefined : found;
    },
    stop: () => stopper.current?.abort(),
  };
}
