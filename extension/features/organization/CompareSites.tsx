import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useState } from 'react';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import { useDescent } from '../content-tree/use-descent.ts';
import type { ContentTree } from '../content-tree/use-tree.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { pathsToSites } from './organization-rows.ts';

interface Props {
  readonly tree: ContentTree;
  readonly sites: readonly OrganizationSite[];
  readonly author: string;
}

/** Reads the pages of all sites of the environment at hand, so that their settings can be compared. */
export function CompareSites({ tree, sites, author }: Props) {
  const { organization, tree: treeMessages } = useMessages('sites');
  const { compare: messages } = organization;
  const [outcome, setOutcome] = useState('');
  const descent = useDescent(tree);
  const start = async (): Promise<void> => {
    setOutcome('');
    const wanted = pathsToSites(sites, author);
    const read = await descent.run(undefined, (node) => wanted.has(node.path));
    if (read === undefined) return setOutcome(messages.stopped);
    const here = sites.filter((site) => site.author === author).length;
    const unread = read.unread === 0 ? [] : [treeMessages.unread({ levels: read.unread })];
    setOutcome([messages.done({ count: here }), ...unread].join(' '));
  };
  return (
    <div className="rp-actions">
      <ActionButton isDisabled={descent.pages !== undefined || sites.length === 0} onPress={() => void start()}>
        {messages.now}
      </ActionButton>
      {descent.pages !== undefined && (
        <ActionButton isQuiet onPress={descent.stop}>
          {messages.stop}
        </ActionButton>
      )}
      <span role="status" className="rp-quiet">
        {descent.pages === undefined ? outcome : messages.running({ pages: descent.pages })}
      </span>
    </div>
  );
}
