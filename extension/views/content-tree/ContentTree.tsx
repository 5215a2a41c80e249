import { Button } from '@adobe/react-spectrum/Button';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useDeferredValue, useMemo, useState } from 'react';
import type { TreeNode } from '#extension/setup/sites/tree.ts';
import { explainFailure } from '#extension/words/explain-failure.ts';
import { VirtualGrid } from '../grid/VirtualGrid.tsx';
import { Explanation } from '../shared/Explanation.tsx';
import { Loading } from '../shared/Loading.tsx';
import { useSitesWords } from '../sites/use-sites-words.ts';
import { ChooseBelow } from './ChooseBelow.tsx';
import { treeColumns } from './tree-columns.tsx';
import { TreeFilters } from './TreeFilters.tsx';
import { TOP } from './tree-levels.ts';
import { nodeAt } from './tree-nodes.ts';
import { EVERYTHING, isEverything, treeRows } from './tree-rows.ts';
import type { ContentTree as Tree } from './use-tree.ts';

interface Props {
  readonly tree: Tree;
  /** The page that the panel was opened for. */
  readonly page: string;
  /** Paths of the pages that are chosen. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  readonly onReview: (nodes: readonly TreeNode[]) => void;
}

const HEIGHT = 460;

/** The content tree: to look at, to search, and to choose pages from. */
export function ContentTree({ tree, page, chosen, onChoose, onReview }: Props) {
  const words = useSitesWords();
  const [filter, setFilter] = useState(EVERYTHING);
  const [active, setActive] = useState<string>(page);
  const shown = useDeferredValue(filter);
  const { tree: levels, reader, read } = tree;
  const rows = useMemo(() => treeRows(levels, reader, shown), [levels, reader, shown]);
  const columns = useMemo(() => treeColumns(words, (path) => void read([path])), [words, read]);
  const top = levels.levels.get(TOP);
  if (top === undefined || top.state === 'loading') return <Loading text={words.tree.loadingFirst} />;
  if (top.state === 'failed') {
    return (
      <Explanation title={words.tree.levelFailed(TOP)} explained={explainFailure(words, top.failure)}>
        <Button variant="secondary" onPress={() => void read([TOP])}>
          {words.tree.readAgain}
        </Button>
      </Explanation>
    );
  }
  const node = nodeAt(levels, reader, active);
  const nodes = (): TreeNode[] => [...chosen].flatMap((path) => nodeAt(levels, reader, path) ?? []);
  return (
    <>
      <TreeFilters filter={filter} onChange={setFilter} />
      {top.read.pages.length === 0 ? (
        <p className="rp-empty">{words.tree.empty}</p>
      ) : rows.length === 0 ? (
        <p className="rp-empty" role="status">
          {words.tree.nothingFound}
        </p>
      ) : (
        <VirtualGrid
          label={words.tree.label}
          help={words.tree.keys}
          rows={rows}
          columns={columns}
          selection="many"
          selected={chosen}
          onSelect={onChoose}
          active={active}
          onActive={setActive}
          {...(isEverything(shown) ? { onExpand: (path, open) => (open ? tree.expand(path) : tree.collapse(path)) } : {})}
          height={HEIGHT}
        />
      )}
      <ChooseBelow tree={tree} node={node} chosen={chosen} onChoose={onChoose} />
      <div className="rp-actions">
        <Button variant="accent" isDisabled={chosen.size === 0} onPress={() => onReview(nodes())}>
          {words.tree.review}
        </Button>
        <span role="status">{words.tree.chosen(chosen.size)}</span>
        {chosen.size > 0 && (
          <ActionButton isQuiet onPress={() => onChoose(new Set())}>
            {words.tree.clear}
          </ActionButton>
        )}
      </div>
    </>
  );
}
