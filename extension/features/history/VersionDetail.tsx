import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import ArrowLeft from '@spectrum-icons/workflow/ArrowLeft';
import { useState } from 'react';
import type { HistoryPort, StoredDocument } from '@repoless/core/history/history-port.ts';
import { forgetVersion, nameVersion } from '@repoless/core/history/change-versions.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { VersionStore } from '@repoless/core/history/version-store.ts';
import type { VersionRow } from '@repoless/core/history/versions-with-before.ts';
import { Age } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { ChangeList } from './ChangeList.tsx';
import { CompareWith } from './CompareWith.tsx';
import { ForgetVersion } from './ForgetVersion.tsx';
import { JsonTexts } from './JsonTexts.tsx';
import { NameVersion } from './NameVersion.tsx';
import { RestoreVersion } from './RestoreVersion.tsx';
import type { Aim } from './use-restore.ts';
import { useComparison } from './use-version.ts';
import type { Comparison } from './use-version.ts';

interface Props {
  readonly history: HistoryPort;
  readonly subject: HistorySubject;
  readonly row: VersionRow;
  readonly rows: readonly VersionRow[];
  readonly current: number | undefined;
  readonly store: VersionStore;
  readonly onBack: () => void;
  /** The list may be another one. */
  readonly onListed: () => void;
  readonly onForgotten: () => void;
  readonly onRestored: (aim: Aim) => void;
}

/** One version: who and when, what it changed, and what can be done with it. */
export function VersionDetail(props: Props) {
  const { history, subject, row, rows, current, store, onBack, onListed, onForgotten, onRestored } = props;
  const messages = useMessages('history');
  const dates = useDateFormatter({ dateStyle: 'long', timeStyle: 'medium' });
  const [other, setOther] = useState(row.before);
  const isNewer = other !== undefined && other > row.version;
  const comparison = useComparison(store, isNewer ? row.version : other, isNewer ? other : row.version);
  const heading = useFocusOnArrival<HTMLHeadingElement>(row.version);
  const isCurrent = row.version === current;
  const isRemoval = recordsRemoval(store, row.version);
  const own = useComparison(store, row.before, row.version);
  const undo = undoOf(row, current, own);
  return (
    <section className="rp-card rp-history-detail" aria-labelledby="rp-version">
      <div className="rp-history-back">
        <ActionButton isQuiet onPress={onBack}>
          <ArrowLeft />
          <Text>{messages.backToList}</Text>
        </ActionButton>
      </div>
      <div className="rp-stack-tight">
        <div className="rp-section-head">
          <h2 id="rp-version" tabIndex={-1} ref={heading}>
            {messages.version({ version: row.version })}
          </h2>
          {isCurrent && <Badge tone="positive" text={messages.current} />}
        </div>
        {row.name !== undefined && <p className="rp-strong rp-value">{row.name}</p>}
        {row.restoredFrom !== undefined && <p>{messages.restoredFrom({ version: row.restoredFrom })}</p>}
        <p className="rp-quiet">
          {row.user ?? messages.nobody} · <Age time={row.created} /> · {dates.format(new Date(row.created))}
        </p>
      </div>
      {rows.length > 1 && <CompareWith row={row} rows={rows} current={current} chosen={other} onChoose={setOther} />}
      {comparison.state !== 'ready' && (
        <Unread
          reading={comparison}
          loading={messages.readingChange}
          missing={{ sentence: messages.unreadChange }}
          onRetry={() => [row.version, other].forEach((version) => version !== undefined && store.retry(version))}
        />
      )}
      {comparison.state === 'ready' && (
        <>
          <h3>{messages.what}</h3>
          <ChangeList changes={comparison.changes} label={messages.what} />
          {row.before === undefined && <p className="rp-quiet">{messages.nothingBefore}</p>}
          <JsonTexts before={comparison.before} after={comparison.after} />
        </>
      )}
      <hr className="rp-line" />
      <RestoreVersion
        history={history}
        subject={subject}
        version={row.version}
        undo={undo}
        isCurrent={isCurrent}
        isRemoval={isRemoval}
        onRestored={onRestored}
        onUncertain={onListed}
      />
      <hr className="rp-line" />
      <NameVersion
        name={row.name ?? ''}
        onSave={async (name) => {
          const change = await nameVersion(history, subject, row.version, name);
          if (change.state === 'done') onListed();
          return change;
        }}
      />
      <ForgetVersion
        version={row.version}
        isCurrent={isCurrent}
        onForget={async () => {
          const change = await forgetVersion(history, subject, row.version);
          if (change.state === 'done') onForgotten();
          return change;
        }}
      />
    </section>
  );
}

/**
 * How a change is undone: that of the newest version by bringing back the one before, an older one by taking it out of what
 * is stored now. Undefined where there is no state before it, or nothing stored to take it out of.
 */
function undoOf({ version, before }: VersionRow, current: number | undefined, own: Comparison): Aim | undefined {
  if (before === undefined || own.state !== 'ready' || !isDocument(own.before)) return undefined;
  if (version === current || (current === undefined && own.after === null)) return { kind: 'restore', version: before };
  if (current === undefined || own.after === null) return undefined;
  return { kind: 'undo', version, before, change: { before: own.before, after: own.after } };
}

function isDocument(data: StoredDocument | null | undefined): data is StoredDocument {
  return data !== undefined && data !== null;
}

/** A version that records a removal cannot be restored. */
function recordsRemoval(store: VersionStore, version: number): boolean {
  const found = store.get(version);
  return found?.state === 'known' && found.value.data === null;
}
