import { SITES_READ_FOR_LIST } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { useFocusRestore } from '../../ui/focus.ts';
import { ReadRefused, type SignInAgain } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly organization: string;
  readonly sites: readonly SiteListEntry[];
  readonly failure: Failure | undefined;
  readonly onReload: () => Promise<unknown>;
  readonly onSignedOut: SignInAgain;
}

/** Why the sites could not be read, and for how many the pages are unknown; each with a button that reads them. */
export function UnreadSites({ organization, sites, failure, onReload, onSignedOut }: Props) {
  const { tree } = useMessages('sites');
  return (
    <>
      {failure !== undefined && (
        <ReadRefused
          title={tree.sitesUnread}
          failure={failure}
          about={{ organization }}
          onRetry={() => void onReload()}
          onSignedOut={onSignedOut}
        />
      )}
      <UnknownPages sites={sites} onReload={onReload} />
    </>
  );
}

function UnknownPages({ sites, onReload }: Pick<Props, 'sites' | 'onReload'>) {
  const { organization } = useMessages('sites');
  const [reading, setReading] = useState<'running' | 'done'>();
  const count = sites.filter(({ isUnread }) => isUnread === true).length;
  // The pressed button disappears with the last page.
  const focus = useFocusRestore<HTMLParagraphElement>(count === 0 ? reading : undefined);
  if (count === 0 && reading === undefined) return null;
  const read = async (): Promise<void> => {
    setReading('running');
    await onReload();
    setReading('done');
  };
  return (
    <div className="rp-actions">
      <p className="rp-quiet" role="status" tabIndex={-1} ref={focus}>
        {count === 0 ? organization.allKnown : organization.unread({ count })}
      </p>
      {count > 0 && (
        <TextButton
          isPending={reading === 'running'}
          onPress={() => void read()}
          text={organization.readMore({ count: Math.min(count, SITES_READ_FOR_LIST) })}
        />
      )}
    </div>
  );
}
