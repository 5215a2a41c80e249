import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { TreeNode } from '@repoless/core/sites/tree.ts';
import { useState } from 'react';
import { SelectionCount } from '../../ui/grid/SelectionCount.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Status } from '../../ui/Loading.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { isChoosable } from '../content-tree/tree-nodes.ts';
import { type Tree, useDescent } from '../content-tree/use-tree.ts';
import { pathsToSites, type SiteGridRow } from './organization-rows.tsx';

interface Props {
  /** The selected sites, and those that match the filter. */
  readonly rows: readonly SiteGridRow[];
  readonly shown: readonly SiteGridRow[];
  readonly csv: string;
  /** A run is in progress, and no other one may start. */
  readonly isBusy: boolean;
  readonly repair: Repair;
  /** Absent if the service does not change many sites. */
  readonly onEdit: (() => void) | undefined;
  readonly onMove: () => void;
  /** Absent if what is deleted with a site cannot be read. */
  readonly onRemove: (() => void) | undefined;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** Actions for the selected sites. Shown below the list, next to the number of sites, so that no row moves. */
export function ChosenBar({ rows, shown, csv, isBusy, repair, onEdit, onMove, onRemove, onSelect }: Props) {
  const { overview: messages, move, removals } = useMessages('sites');
  const count = rows.length;
  return (
    <div className="rp-chosen-actions" role="group" aria-label={messages.actions}>
      <SelectionCount text={messages.chosen({ count })} selected={rows} rows={shown} onSelect={onSelect} />
      <ActionButton isDisabled={isBusy || repair.pages !== undefined} onPress={() => void repair.begin(rows)}>
        {messages.repair({ count })}
      </ActionButton>
      {onEdit !== undefined && <ActionButton onPress={onEdit}>{messages.edit({ count })}</ActionButton>}
      <ActionButton isDisabled={isBusy} onPress={onMove}>
        {move.open({ count })}
      </ActionButton>
      {onRemove !== undefined && (
        <ActionButton isDisabled={isBusy} onPress={onRemove}>
          {removals.open({ count })}
        </ActionButton>
      )}
      <CopyButton text={csv} shown={messages.csv({ count })} />
      <ActionButton isQuiet onPress={() => onSelect(new Set())}>
        {messages.unchoose}
      </ActionButton>
      <RepairStatus repair={repair} />
    </div>
  );
}

export function RepairStatus({ repair: { pages, isNone } }: { readonly repair: Repair }) {
  const { overview: messages } = useMessages('sites');
  return <Status as="span">{pages === undefined ? (isNone ? messages.repairNone : '') : messages.repairing({ pages })}</Status>;
}

export interface Repair {
  /** Pages read so far; undefined while none are being read. */
  readonly pages: number | undefined;
  /** None of the sites has a page that can be repaired here. */
  readonly isNone: boolean;
  begin(rows: readonly SiteGridRow[]): Promise<void>;
}

/** Leads from sites to the review of their pages: reads the tree down to those pages, and passes on the repairable ones. */
export function useRepair(tree: Tree, author: string, onRepair: (nodes: readonly TreeNode[]) => void): Repair {
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
