import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useState } from 'react';
import type { TreeNode } from '#extension/setup/sites/tree.ts';
import { useDescent } from '../content-tree/use-descent.ts';
import { isChoosable } from '../content-tree/tree-nodes.ts';
import type { ContentTree } from '../content-tree/use-tree.ts';
import { CopyButton } from '../shared/CopyButton.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { pathsToSites } from './organization-rows.ts';
import type { SiteGridRow } from './organization-rows.ts';

interface Props {
  readonly rows: readonly SiteGridRow[];
  readonly tree: ContentTree;
  readonly author: string;
  /** The list as text, for a spreadsheet. */
  readonly csv: string;
  /** A run is under way, beside which no other may begin. */
  readonly isBusy: boolean;
  readonly onRepair: (nodes: readonly TreeNode[]) => void;
  readonly onClear: () => void;
}

/** What can be done with the chosen sites. It stays in sight while the list scrolls. */
export function ChosenBar({ rows, tree, author, csv, isBusy, onRepair, onClear }: Props) {
  const { overview: messages } = useMessages('sites');
  const descent = useDescent(tree);
  const [outcome, setOutcome] = useState('');
  const repair = async (): Promise<void> => {
    setOutcome('');
    const sites = rows.map(({ site }) => site);
    const above = pathsToSites(sites, author);
    const roots = new Set(sites.filter((site) => site.author === author).map(({ contentRoot }) => contentRoot));
    const read = await descent.run(undefined, (node) => above.has(node.path));
    if (read === undefined) return;
    const states = new Map(rows.map(({ site, state }) => [site.contentRoot, state]));
    const nodes = read.nodes.filter((node) => roots.has(node.path) && isChoosable(node, states.get(node.path)));
    if (nodes.length === 0) return setOutcome(messages.repairNone);
    onRepair(nodes);
  };
  return (
    <div className="rp-chosen" role="group" aria-label={messages.actions}>
      <span className="rp-strong" role="status">
        {messages.chosen(rows.length)}
      </span>
      <ActionButton isDisabled={isBusy || descent.pages !== undefined} onPress={() => void repair()}>
        {messages.repair}
      </ActionButton>
      <CopyButton text={csv} shown={messages.csv} />
      <ActionButton isQuiet onPress={onClear}>
        {messages.unchoose}
      </ActionButton>
      <span className="rp-quiet" role="status">
        {descent.pages === undefined ? outcome : messages.repairing(descent.pages)}
      </span>
    </div>
  );
}
