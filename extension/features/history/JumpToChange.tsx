import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import { findLastChange, type SearchedArea, type VersionRow, type VersionStore } from '@repoless/core/history/version-store.ts';
import type { HistorySubject } from '@repoless/core/history/history-port.ts';
import { changeSentence } from '@repoless/core/messages/change-sentence.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { mapConcurrently } from '@repoless/core/run/retry.ts';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useStopper } from '../../ui/use-reading.ts';
import { Status } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  /** Newest first. */
  readonly versions: readonly VersionRow[];
  readonly store: VersionStore;
  readonly kind: HistorySubject['kind'];
  readonly selected: number | undefined;
  readonly onFound: (version: number) => void;
}

const AREAS: Readonly<Record<HistorySubject['kind'], readonly SearchedArea[]>> = {
  site: ['access', 'mappings'],
  profile: ['access', 'mappings'],
  organization: ['access'],
};

/**
 * Opens the version that last changed access or path mappings; when repeated, the change before that. A version that the
 * person opened during the search stays open.
 */
export function JumpToChange({ versions, store, kind, selected, onFound }: Props) {
  const history = useMessages('history');
  const [outcome, setOutcome] = useState('');
  const [last, setLast] = useState<{ readonly area: SearchedArea; readonly version: number }>();
  const [running, setRunning] = useState(false);
  const shown = useRef(selected);
  useEffect(() => void (shown.current = selected), [selected]);
  const stopper = useStopper();
  const jump = async (area: SearchedArea): Promise<void> => {
    if (running) return undefined;
    const isFurther = last?.area === area && last.version === selected;
    const numbers = versions.map(({ version }) => version).filter((version) => !isFurther || version < last.version);
    const signal = stopper.start();
    setRunning(true);
    setOutcome(history.jumping);
    const found = await findLastChange(numbers, area, async (version) => (signal.aborted ? { state: 'missing' } : store.load(version)));
    if (signal.aborted) return undefined;
    setRunning(false);
    if (found.state === 'failed') return setOutcome(history.jumpFailed);
    if (found.state === 'none') return setOutcome(history.neverChanged({ area: history.areas[area] }));
    setLast({ area, version: found.version });
    setOutcome(history.jumped({ area: history.areas[area], version: found.version }));
    return shown.current === selected ? onFound(found.version) : undefined;
  };
  return (
    <div className="rp-jump" role="group" aria-label={history.jump}>
      <span className="rp-quiet" aria-hidden="true">
        {history.jump}
      </span>
      {AREAS[kind].map((area) => (
        <ActionButton key={area} onPress={() => void jump(area)}>
          {history.areas[area]}
        </ActionButton>
      ))}
      <Status as="span">{outcome}</Status>
    </div>
  );
}

/** Maximum number of versions that a search reads by itself. */
const FEW = 60;
const AT_ONCE = 4;
/** While many are read, results are updated after so many. */
const STEP = 50;

/** Finds versions by person, name, and the description of their changes. */
export function useVersionSearch(all: readonly VersionRow[], store: VersionStore) {
  const messages = useMessages('history');
  const [text, setText] = useState('');
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>();
  const stopper = useStopper();
  const revision = useSyncExternalStore(store.subscribe, () =>
    text === '' ? 0 : progress === undefined ? store.revision() : Math.floor(store.revision() / STEP),
  );
  const sentences = useMemo(() => createSentences(store, messages), [store, messages]);
  // Versions read in the meantime are searched as well.
  const readSoFar = useMemo(() => ({ revision, sentenceOf: sentences }), [revision, sentences]);
  const query = text.trim().toLocaleLowerCase();
  const rows = useMemo(
    () =>
      query === ''
        ? all
        : all.filter((row) =>
            `${row.user ?? ''}\n${row.name ?? ''}\n${readSoFar.sentenceOf(row) ?? ''}`.toLocaleLowerCase().includes(query),
          ),
    [all, query, readSoFar],
  );
  const unread = query === '' ? [] : all.filter(({ version }) => store.get(version) === undefined);

  const read = async (versions: readonly number[]): Promise<void> => {
    const signal = stopper.start();
    let done = 0;
    setProgress({ done, all: versions.length });
    await mapConcurrently(versions, AT_ONCE, async (version) => {
      if (signal.aborted) return;
      await store.load(version);
      done++;
      if (!signal.aborted && done % STEP === 0) setProgress({ done, all: versions.length });
    });
    if (!signal.aborted) setProgress(undefined);
  };
  return {
    text,
    /** The matching versions of those that were read. */
    rows,
    /** Number of unread versions, of which only person and name were searched. */
    unread: unread.length,
    progress,
    find(next: string): void {
      setText(next);
      const missing = all.filter(({ version }) => store.get(version) === undefined);
      if (next.trim() !== '' && progress === undefined && missing.length > 0 && missing.length <= FEW)
        void read(missing.map(({ version }) => version));
    },
    searchAll: (): void => void read(unread.map(({ version }) => version)),
    stop(): void {
      stopper.stop();
      setProgress(undefined);
    },
  };
}

/** The description of a version's changes as one text, created once; undefined until it is read. */
function createSentences(store: VersionStore, messages: MessagesOf<'history'>): (row: VersionRow) => string | undefined {
  const sentences = new Map<number, string>();
  return ({ version, before }) => {
    const known = sentences.get(version);
    if (known !== undefined) return known;
    const after = store.get(version);
    const old = before === undefined ? undefined : store.get(before);
    if (after?.state !== 'known' || (before !== undefined && old?.state !== 'known')) return undefined;
    const changes = describeChange(old?.state === 'known' ? old.value.data : undefined, after.value.data);
    const text = changes.map((change) => `${messages.areaNames[change.area]} ${changeSentence(messages, change)}`).join('\n');
    sentences.set(version, text);
    return text;
  };
}
