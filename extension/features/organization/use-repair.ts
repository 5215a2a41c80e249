import { useState } from 'react';
import type { TreeNode } from '@repoless/core/sites/tree.ts';
import { isChoosable } from '../content-tree/tree-nodes.ts';
import { useDescent } from '../content-tree/use-descent.ts';
import type { ContentTree } from '../content-tree/use-tree.ts';
import { pathsToSites } from './organization-rows.ts';
import type { SiteGridRow } from './organization-rows.ts';

export interface Repair {
  /** Pages read so far; undefined while none are being read. */
  readonly pages: number | undefined;
  /** None of the sites had a page that can be repaired here. */
  readonly isNone: boolean;
  begin(rows: readonly SiteGridRow[]): Promise<void>;
}

/** The way from sites to the review of their pages: reads the tree as far as the pages lie, and hands on those that can be set right. */
export function useRepair(tree: ContentTree, author: string, onRepair: (nodes: readonly TreeNode[]) => void): Repair {
  const descent = useDescent(tree);
  const [isNone, setNone] = useState(false);
  const begin = async (rows: readonly SiteGridRow[]): Promise<void> => {
    setNone(false);
    const here = rows.filter(({ site }) => site.author === author);
    const states = new Map(here.map(({ site, state }) => [site.contentRoot, state]));
    const above = pathsToSites(
      here.map(({ site }) => site),
      author,
    );
    const read = await descent.run(undefined, (node) => above.has(node.path));
    if (read === undefined) return;
    const nodes = read.nodes.filter((node) => states.has(node.path) && isChoosable(node, states.get(node.path)));
    if (nodes.length === 0) setNone(true);
    else onRepair(nodes);
  };
  return { pages: descent.pages, isNone, begin };
}
