import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import { type HistoryPort, type HistorySubject, subjectName } from '@repoless/core/history/history-port.ts';
import { createVersionStore, type VersionRow, type VersionStore, versionsWithBefore } from '@repoless/core/history/version-store.ts';
import Refresh from '@spectrum-icons/workflow/Refresh';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import type { VersionList } from '@repoless/contract/history.ts';
import { changeSentence } from '@repoless/core/messages/change-sentence.ts';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { BackButton } from '../../ui/Card.tsx';
import { FailureNotice, Loading, Notice, Status } from '../../ui/Notice.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useGlossary } from '../../ui/use-glossary.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import './history.css';
import { readAddress, setAddressParameters } from '../../host/address-state.ts';
import { Age } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { WindowedList } from '../../ui/WindowedList.tsx';
import { JumpToChange, useVersionSearch } from './JumpToChange.tsx';
import { type Comparison, useComparison, VersionDetail } from './VersionDetail.tsx';

export interface HistoryProps {
  readonly history: HistoryPort;
  readonly subject: HistorySubject;
  /** Absent if the history is a separate place. */
  readonly onClose?: (() => void) | undefined;
  readonly onRestored: () => void;
}

export function HistoryPanel({ history, subject: first, onClose, onRestored }: HistoryProps) {
  const general = useMessages();
  const messages = useMessages('history');
  const [subject] = useState(first);
  const store = useMemo(() => createVersionStore((version) => history.version(subject, version)), [history, subject]);
  const read = useCallback(() => history.versions(subject), [history, subject]);
  const [reading, reload] = useReading(read);
  const glossary = useGlossary();
  const heading = useFocusOnArrival<HTMLHeadingElement>(subject);
  const isEmpty = reading.state === 'missing' || (reading.state === 'ready' && reading.value.versions.length === 0);
  return (
    <section className="rp-stack" aria-labelledby="rp-history">
      <header className="rp-history-head">
        {onClose !== undefined && <BackButton text={messages.close} onPress={onClose} />}
        <h2 id="rp-history" tabIndex={-1} ref={heading}>
          {messages.title({ kind: subject.kind, name: subjectName(subject) })}
        </h2>
        <ActionButton isQuiet onPress={reload}>
          <Refresh />
          <Text>{messages.readAgain}</Text>
        </ActionButton>
        {glossary.button}
      </header>
      {glossary.text}
      {reading.state === 'loading' && <Loading text={general.history.reading} />}
      {isEmpty && (
        <div className="rp-card" role="status">
          <p>{messages.empty.sentence}</p>
          <p className="rp-quiet">{messages.empty.next}</p>
        </div>
      )}
      {reading.state === 'failed' && (
        <Unread reading={reading} loading={general.history.reading} missing={messages.empty} onRetry={reload} />
      )}
      {reading.state === 'ready' && reading.failure !== undefined && <FailureNotice failure={reading.failure} />}
      {reading.state === 'ready' && !isEmpty && (
        <Versions
          history={history}
          subject={subject}
          list={reading.value}
          store={store}
          isAddressed={onClose === undefined}
          onChanged={(isRestored) => {
            reload();
            if (isRestored) onRestored();
          }}
        />
      )}
    </section>
  );
}

interface VersionsProps extends Pick<HistoryProps, 'history' | 'subject'> {
  readonly list: VersionList;
  readonly store: VersionStore;
  /** The window's address stores which version is open: the history is a separate place. */
  readonly isAddressed: boolean;
  /** The list has changed; `isRestored`: so has the stored state. */
  readonly onChanged: (isRestored: boolean) => void;
}

const ROW = 96;
const HEIGHT = 546;

export function Versions({ history, subject, list, store, isAddressed, onChanged }: VersionsProps) {
  const messages = useMessages('history');
  const all = useMemo(() => versionsWithBefore(list.versions), [list]);
  const [selected, setSelected] = useOpenVersion(isAddressed);
  const [done, setDone] = useState<{ readonly text: string }>();
  const search = useVersionSearch(all, store);
  const focus = useFocusOnArrival<HTMLDivElement>(done);
  const section = useRef<HTMLElement>(null);
  const [returned, setReturned] = useState(0);
  useEffect(() => {
    if (returned > 0) section.current?.querySelector<HTMLElement>('[data-row] button[tabindex="0"]')?.focus();
  }, [returned]);
  const chosen = all.find(({ version }) => version === selected);
  const choose = useCallback(
    (version: number | undefined): void => {
      setSelected(version);
      setDone(undefined);
    },
    [setSelected],
  );
  return (
    <>
      {list.current === undefined && done === undefined && (
        <Notice tone="warning" role="status">
          <p>{messages.removed}</p>
        </Notice>
      )}
      {done !== undefined && <Notice tone="positive" icon={CheckmarkCircle} role="status" title={done.text} focus={focus} />}
      <div className={`rp-history${chosen === undefined ? '' : ' rp-history-chosen'}`}>
        <section className="rp-card rp-history-list" aria-label={messages.label} ref={section}>
          <SearchField label={messages.filter} value={search.text} onChange={search.find} width="100%" />
          {all.length > 1 && (
            <JumpToChange
              versions={all}
              store={store}
              kind={subject.kind}
              selected={selected}
              onFound={(version) => {
                search.find('');
                choose(version);
              }}
            />
          )}
          <div className="rp-history-count">
            <Status as="span">
              {search.progress === undefined
                ? (search.rows.length === all.length ? messages.count.all : messages.count.some)({
                    shown: search.rows.length,
                    all: all.length,
                  })
                : messages.searching({ done: search.progress.done, all: search.progress.all })}
            </Status>
            {search.progress !== undefined && (
              <ActionButton isQuiet onPress={search.stop}>
                {messages.stop}
              </ActionButton>
            )}
          </div>
          {search.unread > 0 && search.progress === undefined && (
            <div className="rp-actions">
              <span className="rp-quiet">{messages.unread({ count: search.unread })}</span>
              <ActionButton onPress={search.searchAll}>{messages.searchAll}</ActionButton>
            </div>
          )}
          {search.rows.length === 0 ? (
            <p className="rp-empty">{messages.nothingFound}</p>
          ) : (
            <WindowedList
              label={messages.label}
              rows={search.rows}
              idOf={({ version }) => String(version)}
              rowHeight={ROW}
              height={HEIGHT}
              {...(selected === undefined ? {} : { shown: String(selected) })}
            >
              {(row, tabIndex) => (
                <VersionLine
                  row={row}
                  store={store}
                  isCurrent={row.version === list.current}
                  isSelected={row.version === selected}
                  tabIndex={tabIndex}
                  onSelect={choose}
                />
              )}
            </WindowedList>
          )}
        </section>
        {chosen === undefined ? (
          <p className="rp-empty rp-history-hint">{messages.choose}</p>
        ) : (
          <VersionDetail
            key={chosen.version}
            history={history}
            subject={subject}
            row={chosen}
            rows={all}
            current={list.current}
            store={store}
            onBack={() => {
              choose(undefined);
              setReturned(returned + 1);
            }}
            onListed={() => onChanged(false)}
            onForgotten={() => {
              setSelected(undefined);
              setDone({ text: messages.remove.done({ version: chosen.version }) });
              onChanged(false);
            }}
            onRestored={(aim) => {
              setSelected(undefined);
              setDone({ text: messages[aim.kind].done({ version: aim.version }) });
              onChanged(true);
            }}
          />
        )}
      </div>
    </>
  );
}

/** The open version. `isAddressed`: initially read from the window's address, and stored there. */
function useOpenVersion(isAddressed: boolean): [number | undefined, (version: number | undefined) => void] {
  const [version, setVersion] = useState(() => (isAddressed ? versionIn(location.hash) : undefined));
  const open = useCallback(
    (next: number | undefined): void => {
      setVersion(next);
      if (isAddressed) setAddressParameters({ version: next === undefined ? '' : String(next) });
    },
    [isAddressed],
  );
  return [version, open];
}

function versionIn(hash: string): number | undefined {
  const text = readAddress(hash).get('version') ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

interface VersionLineProps {
  readonly row: VersionRow;
  readonly store: VersionStore;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly tabIndex: 0 | -1;
  readonly onSelect: (version: number) => void;
}

const VersionLine = memo(function VersionLine({ row, store, isCurrent, isSelected, tabIndex, onSelect }: VersionLineProps) {
  const history = useMessages('history');
  const comparison = useComparison(store, row.before, row.version);
  const who = [row.user ?? history.nobody, ...(row.elsewhere === true ? [history.elsewhere] : [])].join(' · ');
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
        <span className="rp-version-who" title={who}>
          {history.version({ version: row.version })} · <Age time={row.created} /> · {who}
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
