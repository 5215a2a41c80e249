import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import { SITE_STATES } from '@repoless/contract/site-check.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { foundState, type Level, type TreeNode } from '@repoless/core/sites/tree.ts';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { FailureNotice, Loading, Status } from '../../ui/Notice.tsx';
import { SelectionCount } from '../../ui/grid/SelectionCount.tsx';
import { VirtualGrid } from '../../ui/grid/VirtualGrid.tsx';
import { gridHeight, gridRoom } from '../../ui/grid/grid-rows.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { CheckSites } from './CheckSites.tsx';
import { EVERYTHING, isEverything, matching, treeColumns, type TreeFilter, treeRows } from './tree-rows.tsx';
import { isChoosable, mayHoldSites, nodeAt, nodesRead, readCount, REPAIRED, TOP, type Tree, useDescent } from './use-tree.ts';

interface Props {
  readonly tree: Tree;
  /** The page for which the panel was opened. */
  readonly page: string;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  readonly onReview: (nodes: readonly TreeNode[]) => void;
}

export function ContentTree({ tree, page, chosen, onChoose, onReview }: Props) {
  const messages = useMessages('sites');
  const [filter, setFilter] = useState(EVERYTHING);
  const [active, setActive] = useState<string>(page);
  const shown = useDeferredValue(filter);
  const { tree: levels, reader, read } = tree;
  const { checked } = tree.checks;
  const rows = useMemo(() => treeRows(levels, reader, shown, checked), [levels, reader, shown, checked]);
  const open = useMemo(() => treeRows(levels, reader, EVERYTHING, checked).length, [levels, reader, checked]);
  const height = gridHeight(window.innerHeight);
  const count = useMemo(() => readCount(levels, reader), [levels, reader]);
  const nodes = useMemo(() => {
    const all = nodesRead(levels, reader);
    return [...chosen].flatMap((path) => all.get(path) ?? []);
  }, [levels, reader, chosen]);
  const columns = useMemo(() => treeColumns(messages, (path) => void read([path])), [messages, read]);
  const top = levels.levels.get(TOP);
  if (top === undefined || top.state === 'loading') return <Loading text={messages.tree.loadingFirst} />;
  if (top.state === 'failed') {
    return (
      <FailureNotice title={messages.tree.levelFailed({ path: TOP })} failure={top.failure}>
        <TextButton onPress={() => void read([TOP])} text={messages.tree.readAgain} />
      </FailureNotice>
    );
  }
  const node = nodeAt(levels, reader, active);
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
            selected={chosen}
            onSelect={onChoose}
            selectAll={(count) => messages.overview.selectShown({ count })}
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
        <TextButton
          variant="accent"
          isDisabled={nodes.length === 0}
          onPress={() => onReview(nodes)}
          text={messages.tree.review({ count: nodes.length })}
        />
        <SelectionCount
          text={messages.tree.chosen({ count: nodes.length })}
          selected={nodes.map(({ path }) => ({ id: path }))}
          rows={rows}
          onSelect={onChoose}
        />
        {nodes.length > 0 && (
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

/** The filters of the tree. Moving in the tree does not render them again. */
const TreeFilters = memo(Filters);

interface TreeReachProps {
  readonly tree: Tree;
  readonly count: { readonly pages: number; readonly all: boolean };
  /** Number of pages that match the search; undefined if there is none. */
  readonly found: number | undefined;
}

function TreeReach({ tree, count, found }: TreeReachProps) {
  const { tree: messages } = useMessages('sites');
  const descent = useDescent(tree);
  const read = count.pages;
  const text =
    found === undefined
      ? (count.all ? messages.readAllPages : messages.readSoFar)({ read })
      : (count.all ? messages.searchedAll : messages.searched)({ found, read });
  return (
    <div className="rp-actions">
      <Status as="span">{descent.pages === undefined ? text : messages.descending({ pages: descent.pages })}</Status>
      {!count.all && descent.pages === undefined && (
        <ActionButton isQuiet onPress={() => void descent.run(undefined, () => true)}>
          {messages.readAll}
        </ActionButton>
      )}
      {descent.pages !== undefined && (
        <ActionButton isQuiet onPress={descent.stop}>
          {messages.stop}
        </ActionButton>
      )}
    </div>
  );
}

interface ChooseBelowProps extends Pick<Props, 'tree' | 'chosen' | 'onChoose'> {
  /** The page with keyboard focus. */
  readonly node: TreeNode | undefined;
}

function ChooseBelow({ tree, node, chosen, onChoose }: ChooseBelowProps) {
  const messages = useMessages('sites').tree;
  const [outcome, setOutcome] = useState('');
  const [own, setOwn] = useState(false);
  const descent = useDescent(tree);
  const busy = descent.pages !== undefined;
  if (node === undefined) return null;
  const canChoose = (one: TreeNode): boolean => isChoosable(one, foundState(one, tree.checks.checked));
  if (!mayHoldSites(node) && !canChoose(node)) return <p className="rp-quiet">{whyNot(messages, node)}</p>;
  const choose = async (level: Level): Promise<void> => {
    // A button that is disabled while it works would lose keyboard focus.
    if (busy) return;
    setOutcome('');
    const found = await descent.run(node, mayHoldSites);
    if (found === undefined) return;
    const all = own ? [node, ...found.nodes] : found.nodes;
    const paths = all.filter((one) => canChoose(one) && (one.level === level || one === node)).map(({ path }) => path);
    const next = new Set([...chosen, ...paths]);
    setOutcome(
      [messages.added({ count: next.size - chosen.size }), ...(found.unread === 0 ? [] : [messages.unread({ levels: found.unread })])].join(
        ' ',
      ),
    );
    onChoose(next);
    // Selected pages are made visible, even in closed parts of the tree.
    tree.reveal(paths);
  };
  return (
    <div className="rp-actions rp-below">
      <span className="rp-value">{messages.chooseBelow({ title: node.title })}</span>
      <ActionButton isDisabled={!mayHoldSites(node)} onPress={() => void choose('country')}>
        {messages.chooseCountries}
      </ActionButton>
      <ActionButton isDisabled={!mayHoldSites(node)} onPress={() => void choose('locale')}>
        {messages.chooseLocales}
      </ActionButton>
      <Checkbox isSelected={own} onChange={setOwn} isDisabled={!canChoose(node)}>
        {messages.chooseOwn}
      </Checkbox>
      {busy && (
        <ActionButton isQuiet onPress={descent.stop}>
          {messages.stop}
        </ActionButton>
      )}
      <Status as="span">{descent.pages === undefined ? outcome : messages.descending({ pages: descent.pages })}</Status>
    </div>
  );
}

function whyNot({ whyNot: sentences }: MessagesOf<'sites'>['tree'], { level, state }: TreeNode): string {
  switch (state.kind) {
    case 'site':
      return level === 'root' || REPAIRED.has(state.state) ? sentences.root : sentences.site;
    case 'covered':
    case 'unknown':
      return sentences[state.kind];
    case 'missing-site':
    case 'not-yet':
      return '';
    default:
      return state satisfies never;
  }
}
