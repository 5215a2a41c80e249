import { useEffect, useRef, useState } from 'react';
import type { TreeNode } from '@repoless/core/sites/tree.ts';
import type { ContentTree } from './use-tree.ts';

export interface Descent {
  /** Pages read so far; undefined while nothing is being read. */
  readonly pages: number | undefined;
  /** Reads on below a page. Out: every node found, and how many levels were not read; undefined when it was stopped. */
  run(
    from: TreeNode | undefined,
    wanted: (node: TreeNode) => boolean,
  ): Promise<{ readonly nodes: readonly TreeNode[]; readonly unread: number } | undefined>;
  stop(): void;
}

/** Reads many levels of the tree, shows how far it is, and can be stopped. */
export function useDescent(tree: Pick<ContentTree, 'descend'>): Descent {
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
