import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Button } from '@adobe/react-spectrum/Button';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import { SITE_STATES } from '@repoless/contract/site-check.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { TreeNode } from '@repoless/core/sites/tree.ts';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { Explanation } from '../../ui/Explanation.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { VirtualGrid } from '../../ui/grid/VirtualGrid.tsx';
import { gridHeight, gridRoom } from '../../ui/grid/grid-window.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { CheckSites } from './CheckSites.tsx';
import { ChooseBelow } from './ChooseBelow.tsx';
import { TreeReach } from './TreeReach.tsx';
import { treeColumns } from './tree-columns.tsx';
import { nodeAt, readCount, TOP } from './tree-nodes.ts';
import { EVERYTHING, isEverything, matching, type TreeFilter, treeRows } from './tree-rows.ts';
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

/** The content tree: to look at, to search, and to choose pages from. */
export function ContentTree({ tree, page, chosen, onChoose, onReview }: Props) {
  const messages = useMessages('sites');
  const [filter, setFilter] = useState(EVERYTHING);
  const [active, setActive] = useState<string>(page);
  const shown = useDeferredValue(filter);
  const { tree: levels, reader, read } = tree;
  const { checked } = tree.checks;
  const rows = useMemo(() => treeRows(levels, reader, shown, checked), [levels, reader, shown, checked]);
  const open = useMemo(() => treeRows(levels, reader, EVERYTHING, checked).length, [levels, reader, checked]);
  const height = gridHeight(screen.availHeight);
  const count = useMemo(() => readCount(levels, reader), [levels, reader]);
  const columns = useMemo(() => treeColumns(messages, (path) => void read([path])), [messages, read]);
  const top = levels.levels.get(TOP);
  if (top === undefined || top.state === 'loading') return <Loading text={messages.tree.loadingFirst} />;
  if (top.state === 'failed') {
    return (
      <Explanation title={messages.tree.levelFailed({ path: TOP })} explained={explainFailure(messages, top.failure)}>
        <Button variant="secondary" onPress={() => void read([TOP])}>
          {messages.tree.readAgain}
        </Button>
      </Explanation>
    );
  }
  const node = nodeAt(levels, reader, active);
  const nodes = (): TreeNode[] => [...chosen].flatMap((path) => nodeAt(levels, reader, path) ?? []);
  return (
    <>
      <TreeFilters filter={filter} onChange={setFilter} />
      <TreeReach tree={tree} count={count} found={isEverything(shown) ? undefined : matching(rows, shown, checked)} />
      <div style={{ minHeight: gridRoom(open, height) }}>
        {top.read.pages.length === 0 ? (
          <p className="rp-empty">{messages.tree.empty}</p>
        ) : rows.length === 0 ? (
          <p className="rp-empty" role="status">
            {messages.tree.nothingFound}
          </p>
        ) : (
          <VirtualGrid
            label={messages.tree.label}
            help={messages.tree.keys}
            rows={rows}
            columns={columns}
            selection="many"
            selected={chosen}
            onSelect={onChoose}
            active={active}
            onActive={setActive}
            {...(isEverything(shown) ? { onExpand: (path, open) => (open ? tree.expand(path) : tree.collapse(path)) } : {})}
            height={height}
          />
        )}
      </div>
      <CheckSites
        checks={tree.checks}
        pages={rows.flatMap((row) =>
          row.kind === 'node' && row.node.site !== undefined ? [{ page: row.id, siteName: row.node.site.name }] : [],
        )}
      />
      <ChooseBelow tree={tree} node={node} chosen={chosen} onChoose={onChoose} />
      <div className="rp-actions">
        <Button variant="accent" isDisabled={chosen.size === 0} onPress={() => onReview(nodes())}>
          {messages.tree.review}
        </Button>
        <span role="status">{messages.tree.chosen({ count: chosen.size })}</span>
        {chosen.size > 0 && (
          <ActionButton isQuiet onPress={() => onChoose(new Set())}>
            {messages.tree.clear}
          </ActionButton>
        )}
      </div>
    </>
  );
}

const STATES = ['any', ...SITE_STATES, 'covered'] as const;
const LEVELS = ['any', 'root', 'country', 'locale', 'page'] as const;

function Filters({ filter, onChange }: { readonly filter: TreeFilter; readonly onChange: (filter: TreeFilter) => void }) {
  const { tree, siteStates } = useMessages('sites');
  return (
    <div className="rp-filters">
      <SearchField label={tree.search} value={filter.text} onChange={(text) => onChange({ ...filter, text })} width="100%" />
      <Picker
        label={tree.stateFilter}
        selectedKey={filter.state}
        onSelectionChange={(key) => onChange({ ...filter, state: STATES.find((state) => state === key) ?? 'any' })}
        width="100%"
      >
        {STATES.map((state) => (
          <Item key={state}>{state === 'any' ? tree.anyState : state === 'covered' ? tree.covered : siteStates[state]}</Item>
        ))}
      </Picker>
      <Picker
        label={tree.levelFilter}
        selectedKey={filter.level}
        onSelectionChange={(key) => onChange({ ...filter, level: LEVELS.find((level) => level === key) ?? 'any' })}
        width="100%"
      >
        {LEVELS.map((level) => (
          <Item key={level}>{level === 'any' ? tree.anyLevel : tree.levels[level]}</Item>
        ))}
      </Picker>
    </div>
  );
}

/** What is shown of the tree. Moving in the tree does not draw it again. */
const TreeFilters = memo(Filters);
