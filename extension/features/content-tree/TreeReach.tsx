import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useMessages } from '../../ui/use-messages.ts';
import { type ContentTree, useDescent } from './use-tree.ts';

interface TreeReachProps {
  readonly tree: ContentTree;
  readonly count: { readonly pages: number; readonly all: boolean };
  /** How many pages fit the search; undefined while there is none. */
  readonly found: number | undefined;
}

/** How much of the tree the search looks at, and the way to read all of it. */
export function TreeReach({ tree, count, found }: TreeReachProps) {
  const { tree: messages } = useMessages('sites');
  const descent = useDescent(tree);
  const read = count.pages;
  const text =
    found === undefined
      ? (count.all ? messages.readAllPages : messages.readSoFar)({ read })
      : (count.all ? messages.searchedAll : messages.searched)({ found, read });
  return (
    <div className="rp-actions">
      <span role="status" className="rp-quiet">
        {descent.pages === undefined ? text : messages.descending({ pages: descent.pages })}
      </span>
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
