import { ComboBox, Item } from '@adobe/react-spectrum/ComboBox';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { hidePair } from '@repoless/core/history/cdn-credentials.ts';
import { removeVersion, nameVersion, type VersionRow, type VersionStore } from '@repoless/core/history/version-store.ts';
import type { Change } from '@repoless/core/history/change.ts';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import type { HistoryPort, HistorySubject, StoredDocument, VersionData } from '@repoless/core/history/history-port.ts';
import { type Failure, type Known, NOT_FOUND } from '@repoless/core/situation/call.ts';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { createPatch } from 'rfc6902';
import { Age } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { BackButton, Fold } from '../../ui/Card.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { printJson } from '@repoless/core/history/json-values.ts';
import { Unread } from '../../ui/Unread.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { ChangeList } from './ChangeList.tsx';
import { RemoveVersion, NameVersion } from './NameVersion.tsx';
import { type Aim, RestoreVersion } from './RestoreVersion.tsx';

interface Props {
  readonly history: HistoryPort;
  readonly subject: HistorySubject;
  readonly row: VersionRow;
  /** Newest first. */
  readonly rows: readonly VersionRow[];
  readonly current: number | undefined;
  readonly store: VersionStore;
  readonly onBack: () => void;
  /** The list may have changed. */
  readonly onListed: () => void;
  readonly onForgotten: () => void;
  readonly onRestored: (aim: Aim) => void;
}

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
        <BackButton text={messages.backToList} onPress={onBack} />
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
      <RemoveVersion
        version={row.version}
        isCurrent={isCurrent}
        onRemove={async () => {
          const change = await removeVersion(history, subject, row.version);
          if (change.state === 'done') onForgotten();
          return change;
        }}
      />
    </section>
  );
}

/**
 * How to undo a change: that of the newest version by restoring the previous one, an older one by removing it from what is
 * stored now. Undefined if there is no earlier state, or nothing stored to remove it from.
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

interface CompareWithProps extends Pick<Props, 'row' | 'rows' | 'current'> {
  readonly chosen: number | undefined;
  readonly onChoose: (version: number) => void;
}

/** Maximum number of versions offered; typing a number narrows them. */
const OFFERED = 40;

function CompareWith({ row, rows, current, chosen, onChoose }: CompareWithProps) {
  const history = useMessages('history');
  const label = (version: number, name: string | undefined): string => {
    const role = version === current ? history.compareCurrent : version === row.before ? history.compareBefore : name;
    return role === undefined ? history.version({ version }) : `${history.version({ version })} – ${role}`;
  };
  const nameOf = (version: number | undefined): string =>
    version === undefined ? '' : label(version, rows.find((other) => other.version === version)?.name);
  const [text, setText] = useState(nameOf(chosen));
  const [isWritten, setIsWritten] = useState(false);
  const others = rows.filter(({ version }) => version !== row.version);
  const query = text.trim().toLocaleLowerCase();
  const items = others
    .map(({ version, name }) => ({ version, name: label(version, name) }))
    .filter(({ version, name }) => !isWritten || String(version) === query || name.toLocaleLowerCase().includes(query))
    .slice(0, OFFERED);
  return (
    <ComboBox
      label={history.compare}
      items={items}
      inputValue={text}
      onInputChange={(next) => {
        setText(next);
        setIsWritten(next !== nameOf(chosen));
      }}
      selectedKey={chosen === undefined ? null : String(chosen)}
      onSelectionChange={(key) => {
        const next = key === null ? chosen : Number(key);
        setText(nameOf(next));
        setIsWritten(false);
        if (next !== undefined) onChoose(next);
      }}
      menuTrigger="focus"
      width="100%"
    >
      {(item) => <Item key={String(item.version)}>{item.name}</Item>}
    </ComboBox>
  );
}

/** The difference as a JSON patch, and the complete document without credentials, to read, select and copy. */
function JsonTexts({ before, after }: { readonly before: StoredDocument | null | undefined; readonly after: StoredDocument | null }) {
  const history = useMessages('history');
  const shown = hidePair(before ?? {}, after ?? {});
  const then = before === null || before === undefined ? null : shown.before;
  const now = after === null ? null : shown.after;
  return (
    <div className="rp-stack-tight">
      <JsonText title={history.patch} copy={history.copyPatch} value={createPatch(then, now)} />
      {now !== null && <JsonText title={history.data} copy={history.copyData} value={now} />}
    </div>
  );
}

function JsonText({ title, copy, value }: { readonly title: string; readonly copy: string; readonly value: unknown }) {
  const text = printJson(value);
  return (
    <Fold title={title}>
      <div>
        <CopyButton text={text} label={copy} />
      </div>
      <pre className="rp-pre" tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </Fold>
  );
}

export type Comparison =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | {
      readonly state: 'ready';
      /** Undefined if there was nothing before. */
      readonly before: StoredDocument | null | undefined;
      readonly after: StoredDocument | null;
      readonly changes: readonly Change[];
    };

/** The difference between two versions, once both are read. They are requested as long as this is mounted. */
export function useComparison(store: VersionStore, before: number | undefined, after: number): Comparison {
  const old = useVersion(store, before);
  const next = useVersion(store, after);
  return useMemo(() => compare(before, old, next), [before, old, next]);
}

function useVersion(store: VersionStore, version: number | undefined): Known<VersionData> | undefined {
  useEffect(() => (version === undefined ? undefined : store.want(version)), [store, version]);
  return useSyncExternalStore(store.subscribe, () => (version === undefined ? undefined : store.get(version)));
}

function compare(before: number | undefined, old: Known<VersionData> | undefined, next: Known<VersionData> | undefined): Comparison {
  if (next === undefined || (old === undefined && before !== undefined)) return { state: 'loading' };
  for (const version of [next, old]) {
    if (version?.state === 'failed') return version;
    if (version?.state === 'missing') return { state: 'failed', failure: NOT_FOUND };
  }
  if (next.state !== 'known') return { state: 'loading' };
  const data = old?.state === 'known' ? old.value.data : undefined;
  return { state: 'ready', before: data, after: next.value.data, changes: describeChange(data, next.value.data) };
}
