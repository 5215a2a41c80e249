import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { wasRestored } from '@repoless/core/history/version-store.ts';
import { type Change, hasNoChanges } from '@repoless/core/history/change.ts';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import type { HistoryPort, HistorySubject, Restoring, StoredDocument } from '@repoless/core/history/history-port.ts';
import { isObject } from '@repoless/core/history/json-place.ts';
import { undoChange } from '@repoless/core/history/undo-change.ts';
import { pathsAfterRestore, type PathsAfterRestore } from '@repoless/core/mappings/read-simulation.ts';
import { type Failure, failureOf, isUncertain, NOT_FOUND } from '@repoless/core/situation/call.ts';
import { useRef, useState } from 'react';

/** What a person wants: to restore a version, or the current state without the change of one version. */
export type Aim =
  | { readonly kind: 'restore'; readonly version: number }
  /** `change`: the documents before and after it; `before`: the number of the previous version. */
  | { readonly kind: 'undo'; readonly version: number; readonly before: number; readonly change: Difference };

export interface Difference {
  readonly before: StoredDocument;
  readonly after: StoredDocument;
}

export type Restore =
  | { readonly state: 'idle' }
  | { readonly state: 'testing'; readonly aim: Aim }
  /** What the service would store; valid only for the state that was previewed. */
  | {
      readonly state: 'tested';
      readonly aim: Aim;
      readonly restoring: Restoring;
      readonly changes: readonly Change[];
      readonly consequences: readonly ConsequenceOfSites[];
      /** If it changes the path mapping of a site: the paths that would be stored, and the site's author. */
      readonly paths?: PathsAfterRestore;
    }
  /** Later changes touched the same places (JSON pointers). */
  | { readonly state: 'overlaps'; readonly aim: Extract<Aim, { kind: 'undo' }>; readonly places: readonly string[] }
  | { readonly state: 'restoring'; readonly aim: Aim }
  /** `after`: what was refused. `lost`: it may be stored, but the stored state does not show it now. */
  | { readonly state: 'refused'; readonly aim: Aim; readonly failure: Failure; readonly after: 'look' | 'go' | 'lost' };

export interface Restorer {
  readonly restore: Restore;
  /** Asks the service what would change, without changing anything. */
  look(aim: Aim): Promise<void>;
  go(aim: Aim, restoring: Restoring): Promise<void>;
  dismiss(): void;
}

interface Told {
  readonly onRestored: (aim: Aim) => void;
  /** It may be stored: the history must be read again. */
  readonly onUncertain: () => void;
}

export function useRestore(history: HistoryPort, subject: HistorySubject, { onRestored, onUncertain }: Told): Restorer {
  const [restore, setRestore] = useState<Restore>({ state: 'idle' });
  const latest = useRef(0);
  /** A request without an answer, until it is known whether it is stored. */
  const lost = useRef<{ readonly aim: Aim; readonly restoring: Restoring }>(undefined);
  return {
    restore,
    async look(aim) {
      const mine = ++latest.current;
      setRestore({ state: 'testing', aim });
      const next = await dryRun(history, subject, aim);
      if (mine !== latest.current) return undefined;
      const isStored = lost.current?.aim === aim && changesNothing(next) && next.restoring.etag !== lost.current.restoring.etag;
      return isStored ? onRestored(aim) : setRestore(next);
    },
    async go(aim, restoring) {
      latest.current++;
      setRestore({ state: 'restoring', aim });
      const answer = await history.restore(subject, restoring);
      if (answer.state === 'known') return onRestored(aim);
      const failure = failureOf(answer);
      const isStored = isUncertain(failure) ? await wasRestored(history, subject, restoring) : false;
      if (isStored === true) return onRestored(aim);
      setRestore({ state: 'refused', aim, failure, after: isStored === undefined ? 'lost' : 'go' });
      lost.current = isStored === undefined ? { aim, restoring } : undefined;
      return isStored === undefined ? onUncertain() : undefined;
    },
    dismiss() {
      latest.current++;
      setRestore({ state: 'idle' });
    },
  };
}

function changesNothing(looked: Restore): looked is Extract<Restore, { state: 'tested' }> {
  return looked.state === 'tested' && hasNoChanges(looked.changes);
}

async function dryRun(history: HistoryPort, subject: HistorySubject, aim: Aim): Promise<Restore> {
  const refused = (failure: Failure): Restore => ({ state: 'refused', aim, failure, after: 'look' });
  const present = await history.present(subject);
  if (present.state === 'failed') return refused(present.failure);
  const over = present.state === 'known' ? { etag: present.value.etag } : {};
  let restoring: Restoring = { version: aim.version, confirm: false, ...over };
  if (aim.kind === 'undo') {
    if (present.state === 'missing') return refused(NOT_FOUND);
    const undone = undoChange(aim.change.before, aim.change.after, present.value.data);
    if (undone.state === 'overlaps') return { state: 'overlaps', aim, places: undone.places };
    if (undone.state === 'undone') return { state: 'tested', aim, restoring, changes: [], consequences: [] };
    restoring = { ...restoring, document: undone.document };
  }
  let answer = await history.dryRun(subject, restoring);
  if (answer.state === 'failed' && answer.failure.problem?.code === 'WOULD_LOCK_OUT') {
    // Its consequences say so, and are confirmed together with it.
    restoring = { ...restoring, confirm: true };
    answer = await history.dryRun(subject, restoring);
  }
  if (answer.state !== 'known') return refused(failureOf(answer));
  const { result, consequences = [] } = answer.value;
  if (!isObject(result)) return refused({ kind: 'unexpected' });
  const before = present.state === 'known' ? present.value.data : null;
  const paths = pathsAfterRestore(subject, before, result);
  return {
    state: 'tested',
    aim,
    restoring,
    changes: describeChange(before, result),
    consequences,
    ...(paths === undefined ? {} : { paths }),
  };
}
