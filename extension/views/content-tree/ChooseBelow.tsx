import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { useState } from 'react';
import type { Level, TreeNode } from '#extension/setup/sites/tree.ts';
import { useSitesWords } from '../sites/use-sites-words.ts';
import { isChoosable, mayHoldSites } from './tree-nodes.ts';
import { useDescent } from './use-descent.ts';
import type { ContentTree } from './use-tree.ts';

interface Props {
  readonly tree: ContentTree;
  /** The page that keys work on. */
  readonly node: TreeNode | undefined;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Chooses all countries or locales below a page, whether they were opened or not. */
export function ChooseBelow({ tree, node, chosen, onChoose }: Props) {
  const words = useSitesWords().tree;
  const [outcome, setOutcome] = useState('');
  const [own, setOwn] = useState(false);
  const descent = useDescent(tree);
  const busy = descent.pages !== undefined;
  if (node === undefined || (!mayHoldSites(node) && !isChoosable(node))) {
    return <p className="rp-quiet">{node === undefined || node.state.kind === 'not-yet' ? '' : whyNot(words, node)}</p>;
  }
  const choose = async (level: Level): Promise<void> => {
    setOutcome('');
    const found = await descent.run(node, mayHoldSites);
    if (found === undefined) return;
    const all = own ? [node, ...found.nodes] : found.nodes;
    const paths = all.filter((one) => isChoosable(one) && (one.level === level || one === node)).map(({ path }) => path);
    const next = new Set([...chosen, ...paths]);
    setOutcome([words.added(next.size - chosen.size), ...(found.unread === 0 ? [] : [words.unread(found.unread)])].join(' '));
    onChoose(next);
  };
  return (
    <div className="rp-actions rp-below">
      <span>{words.chooseBelow(node.title)}</span>
      <ActionButton isDisabled={busy || !mayHoldSites(node)} onPress={() => void choose('country')}>
        {words.chooseCountries}
      </ActionButton>
      <ActionButton isDisabled={busy || !mayHoldSites(node)} onPress={() => void choose('locale')}>
        {words.chooseLocales}
      </ActionButton>
      <Checkbox isSelected={own} onChange={setOwn} isDisabled={!isChoosable(node)}>
        {words.chooseOwn}
      </Checkbox>
      {busy && (
        <ActionButton isQuiet onPress={descent.stop}>
          {words.stop}
        </ActionButton>
      )}
      <span role="status" className="rp-quiet">
        {descent.pages === undefined ? outcome : words.descending(descent.pages)}
      </span>
    </div>
  );
}

function whyNot({ whyNot: sentences }: ReturnType<typeof useSitesWords>['tree'], { state }: TreeNode): string {
  switch (state.kind) {
    case 'base':
    case 'service-site':
    case 'covered':
    case 'unknown':
      return sentences[state.kind];
    case 'drifted':
    case 'not-yet':
      return '';
    default:
      return state satisfies never;
  }
}
