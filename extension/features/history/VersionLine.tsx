import { memo } from 'react';
import type { VersionRow } from '@repoless/core/history/versions-with-before.ts';
import type { VersionStore } from '@repoless/core/history/version-store.ts';
import { changeSentence } from '@repoless/core/messages/change-sentence.ts';
import { Age } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import type { Comparison } from './use-version.ts';
import { useComparison } from './use-version.ts';

interface Props {
  readonly row: VersionRow;
  readonly store: VersionStore;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly tabIndex: 0 | -1;
  readonly onSelect: (version: number) => void;
}

/** One version in the list: what it changed, who made it and when. */
export const VersionLine = memo(function VersionLine({ row, store, isCurrent, isSelected, tabIndex, onSelect }: Props) {
  const history = useMessages('history');
  const comparison = useComparison(store, row.before, row.version);
  return (
    <button
      type="button"
      className={`rp-version${isSelected ? ' rp-version-selected' : ''}`}
      tabIndex={tabIndex}
      aria-pressed={isSelected}
      onClick={() => onSelect(row.version)}
    >
      <span className="rp-version-change">
        <Summary comparison={comparison} />
      </span>{' '}
      <span className="rp-version-line">
        <span className="rp-version-who" title={row.user}>
          {history.version({ version: row.version })} · <Age time={row.created} /> · {row.user ?? history.nobody}
        </span>{' '}
        {row.restoredFrom !== undefined && <span className="rp-version-name">{history.restoredFrom({ version: row.restoredFrom })}</span>}{' '}
        {row.name !== undefined && (
          <span className="rp-version-name" title={row.name}>
            {row.name}
          </span>
        )}{' '}
        {isCurrent && <Badge tone="positive" text={history.current} />}
      </span>
    </button>
  );
});

function Summary({ comparison }: { readonly comparison: Comparison }) {
  const messages = useMessages('history');
  if (comparison.state === 'loading') return <span className="rp-dim">{messages.readingChange}</span>;
  if (comparison.state === 'failed') return <span className="rp-dim">{messages.unreadChange}</span>;
  const [first, ...others] = comparison.changes;
  if (first === undefined) return null;
  return (
    <>
      <span className="rp-version-sentence">{changeSentence(messages, first)}</span>{' '}
      {others.length > 0 && (
        <span className="rp-version-more">
          <span aria-hidden="true">+{others.length}</span>
          <span className="rp-hidden">{messages.more({ count: others.length })}</span>
        </span>
      )}
    </>
  );
}
