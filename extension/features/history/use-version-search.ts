import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import type { VersionStore } from '@repoless/core/history/version-store.ts';
import type { VersionRow } from '@repoless/core/history/versions-with-before.ts';
import { eachBounded } from '@repoless/core/sites/each-bounded.ts';
import { changeSentence } from '@repoless/core/messages/change-sentence.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { useMessages } from '../../ui/use-messages.ts';

/** So many versions are read for a search without being asked. */
const FEW = 60;
const AT_ONCE = 4;
/** While many are read, what was found is shown anew after so many. */
const STEP = 50;

export interface VersionSearch {
  readonly text: string;
  /** The versions that fit, as far as they were read. */
  readonly rows: readonly VersionRow[];
  /** How many were not read, so that only their person and name were searched. */
  readonly unread: number;
  /** Versions read of those that are being read. */
  readonly progress: { readonly done: number; readonly all: number } | undefined;
  find(text: string): void;
  searchAll(): void;
  stop(): void;
}

/** Finds versions by person, name, and what they changed in words. */
export function useVersionSearch(all: readonly VersionRow[], store: VersionStore): VersionSearch {
  const messages = useMessages('history');
  const [text, setText] = useState('');
  const [progress, setProgress] = useState<VersionSearch['progress']>();
  const stopper = useRef<AbortController>(null);
  useEffect(() => () => stopper.current?.abort(), [store]);
  const revision = useSyncExternalStore(store.subscribe, () =>
    text === '' ? 0 : progress === undefined ? store.revision() : Math.floor(store.revision() / STEP),
  );
  const sentences = useMemo(() => createSentences(store, messages), [store, messages]);
  // What was read meanwhile is searched as well.
  const readSoFar = useMemo(() => ({ revision, sentenceOf: sentences }), [revision, sentences]);
  const wanted = text.trim().toLocaleLowerCase();
  const rows = useMemo(
    () =>
      wanted === ''
        ? all
        : all.filter((row) =>
            `${row.user ?? ''}\n${row.name ?? ''}\n${readSoFar.sentenceOf(row) ?? ''}`.toLocaleLowerCase().includes(wanted),
          ),
    [all, wanted, readSoFar],
  );
  const unread = wanted === '' ? [] : all.filter(({ version }) => store.get(version) === undefined);

  const read = async (versions: readonly number[]): Promise<void> => {
    stopper.current?.abort();
    const controller = new AbortController();
    stopper.current = controller;
    let done = 0;
    setProgress({ done, all: versions.length });
    await eachBounded(versions, AT_ONCE, async (version) => {
      if (controller.signal.aborted) return;
      await store.load(version);
      done++;
      if (!controller.signal.aborted && done % STEP === 0) setProgress({ done, all: versions.length });
    });
    if (stopper.current === controller) setProgress(undefined);
  };
  return {
    text,
    rows,
    unread: unread.length,
    progress,
    find(next) {
      setText(next);
      const missing = all.filter(({ version }) => store.get(version) === undefined);
      if (next.trim() !== '' && progress === undefined && missing.length > 0 && missing.length <= FEW)
        void read(missing.map(({ version }) => version));
    },
    searchAll: () => void read(unread.map(({ version }) => version)),
    stop() {
      stopper.current?.abort();
      setProgress(undefined);
    },
  };
}

/** What a version changed, as one text, made once; undefined while it is not read. */
function createSentences(store: VersionStore, messages: MessagesOf<'history'>): (row: VersionRow) => string | undefined {
  const made = new Map<number, string>();
  return ({ version, before }) => {
    const present = made.get(version);
    if (present !== undefined) return present;
    const after = store.get(version);
    const old = before === undefined ? undefined : store.get(before);
    if (after?.state !== 'known' || (before !== undefined && old?.state !== 'known')) return undefined;
    const changes = describeChange(old?.state === 'known' ? old.value.data : undefined, after.value.data);
    const text = changes.map((change) => `${messages.areaNames[change.area]} ${changeSentence(messages, change)}`).join('\n');
    made.set(version, text);
    return text;
  };
}
