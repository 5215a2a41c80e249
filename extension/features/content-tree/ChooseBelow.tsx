import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import type { Level, TreeNode } from '@repoless/core/sites/tree.ts';
import { useState } from 'react';
import { useMessages } from '../../ui/use-messages.ts';
import { isChoosable, mayHoldSites } from './tree-nodes.ts';
import { foundState } from './tree-rows.ts';
import { type ContentTree, useDescent } from './use-tree.ts';

interface Props {
  readonly tree: ContentTree;
  /** The page that keys work on. */
  readonly node: TreeNode | undefined;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Chooses all countries or locales below a page, whether they were opened or not. */
export function ChooseBelow({ tree, node, chosen, onChoose }: Props) {
  const messages = useMessages('sites').tree;
  const [outcome, setOutcome] = useState('');
  const [own, setOwn] = useState(false);
  const descent = useDescent(tree);
  const busy = descent.pages !== undefined;
  if (node === undefined) return null;
  const canChoose = (one: TreeNode): boolean => isChoosable(one, foundState(one, tree.checks.checked));
  if (!mayHoldSites(node) && !canChoose(node)) return <p className="rp-quiet">{whyNot(messages, node)}</p>;
  const choose = async (level: Level): Promise<void> => {
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
    // What is chosen is seen, also where the tree was closed.
    tree.reveal(paths);
  };
  return (
    <div className="rp-actions rp-below">
      <span className="rp-value">{messages.chooseBelow({ title: node.title })}</span>
      <ActionButton isDisabled={busy || !mayHoldSites(node)} onPress={() => void choose('country')}>
        {messages.chooseCountries}
      </ActionButton>
      <ActionButton isDisabled={busy || !mayHoldSites(node)} onPress={() => void choose('locale')}>
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
      <span role="status" className="rp-quiet">
        {descent.pages === undefined ? outcome : messages.descending({ pages: descent.pages })}
      </span>
    </div>
  );
}

function whyNot({ whyNot: sentences }: MessagesOf<'sites'>['tree'], { level, state }: TreeNode): string {
  switch (state.kind) {
    case 'site':
      return level === 'root' || state.state === 'differs' || state.state === 'unfinished' ? sentences.root : sentences.site;
    case 'covered':
    case 'unknown':
      return sentences[state.kind];
    case 'promised':
    case 'not-yet':
      return '';
    default:
      return state satisfies never;
  }
}
