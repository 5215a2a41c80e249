import { useRef, useState } from 'react';
import type { Change } from '#extension/setup/history/change.ts';
import { describeChange } from '#extension/setup/history/describe-change.ts';
import type { HistoryPort, Restoring } from '#extension/setup/history/history-port.ts';
import { isObject } from '#extension/setup/history/json-place.ts';
import type { HistorySubject } from '#extension/setup/history/subject.ts';
import type { Failure } from '#extension/setup/situation.ts';

export type Restore =
  | { readonly state: 'idle' }
  | { readonly state: 'rehearsing'; readonly version: number }
  /** What the service would store; restoring holds only over the state that was looked at. */
  | { readonly state: 'rehearsed'; readonly restoring: Restoring; readonly changes: readonly Change[] }
  | { readonly state: 'restoring'; readonly version: number }
  | { readonly state: 'refused'; readonly version: number; readonly failure: Failure; readonly wasRehearsal: boolean };

export interface Restorer {
  readonly restore: Restore;
  /** Asks the service what restoring would change, without changing anything. */
  look(version: number, confirm?: boolean): Promise<void>;
  go(restoring: Restoring): Promise<void>;
  dismiss(): void;
}

export function useRestore(history: HistoryPort, subject: HistorySubject, onRestored: (version: number) => void): Restorer {
  const [restore, setRestore] = useState<Restore>({ state: 'idle' });
  const latest = useRef(0);
  return {
    restore,
    async look(version, confirm = false) {
      const mine = ++latest.current;
      setRestore({ state: 'rehearsing', version });
      const next = await rehearse(history, subject, version, confirm);
      if (mine === latest.current) setRestore(next);
    },
    async go(restoring) {
      const { version } = restoring;
      latest.current++;
      setRestore({ state: 'restoring', version });
      const answer = await history.restore(subject, restoring);
      if (answer.state === 'known') return onRestored(version);
      const failure: Failure = answer.state === 'failed' ? answer.failure : { kind: 'refused', status: 404 };
      return setRestore({ state: 'refused', version, failure, wasRehearsal: false });
    },
    dismiss() {
      latest.current++;
      setRestore({ state: 'idle' });
    },
  };
}

async function rehearse(history: HistoryPort, subject: HistorySubject, version: number, confirm: boolean): Promise<Restore> {
  const refused = (failure: Failure): Restore => ({ state: 'refused', version, failure, wasRehearsal: true });
  const present = await history.present(subject);
  if (present.state === 'failed') return refused(present.failure);
  const restoring: Restoring = { version, confirm, ...(present.state === 'known' ? { etag: present.value.etag } : {}) };
  const answer = await history.rehearse(subject, restoring);
  if (answer.state === 'failed') return refused(answer.failure);
  if (answer.state === 'missing') return refused({ kind: 'refused', status: 404 });
  const { result } = answer.value;
  if (!isObject(result)) return refused({ kind: 'unexpected' });
  return { state: 'rehearsed', restoring, changes: describeChange(present.state === 'known' ? present.value.data : null, result) };
}
