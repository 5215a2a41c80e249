import type { Consequence } from '@repoless/contract/consequence.ts';
import { groupConsequences } from '@repoless/core/access/consequences.ts';
import { type Explained, explainFailure, serviceAnswer } from '@repoless/core/messages/explain-failure.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import type { Failure, Known } from '@repoless/core/situation/call.ts';
import type { Denied } from '@repoless/core/checks/caller-permissions.ts';
import { type ReactNode, useState } from 'react';
import { Consequences } from '../../ui/Consequences.tsx';
import { Explanation, Notice } from '../../ui/Notice.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { TextButton } from '../../ui/TextButton.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useReading } from '../../ui/use-reading.ts';

/** Shown to people who may read but not change this: why, and who can grant it. */
export function ReadOnlyNotice({ failure }: { readonly failure: Failure }) {
  const { readOnly } = useMessages('access');
  const { sentence } = explainFailure(useMessages(), failure);
  return (
    <Notice tone="info" role="status" title={readOnly}>
      <p>{sentence}</p>
    </Notice>
  );
}

interface Props {
  readonly reading: { readonly state: 'loading' | 'missing' } | { readonly state: 'failed'; readonly failure: Failure };
  readonly loading: string;
  readonly missing: Explained;
  /** Shown to people who may not read it. */
  readonly notAllowed: string;
  readonly onRetry: () => void;
}

/** What could not be read (yet); people without permission see who has it. */
export function Unreadable({ reading, loading, missing, notAllowed, onRetry }: Props) {
  const messages = useMessages();
  if (reading.state === 'failed' && reading.failure.status === 403) {
    const next = serviceAnswer(messages, reading.failure);
    return <Explanation explained={{ sentence: notAllowed, ...(next === undefined ? {} : { next }) }} />;
  }
  return <Unread reading={reading} loading={loading} missing={missing} onRetry={onRetry} />;
}

/** An explained failure; the next step is left out if it refers to another view. */
export function explainHere(messages: Messages, failure: Failure): Explained {
  const explained = explainFailure(messages, failure);
  return failure.problem === undefined ? explained : { sentence: explained.sentence };
}

/** What a person should know before saving, announced as soon as it applies. */
export function Warnings({ kind, warnings }: { readonly kind: 'site' | 'organization'; readonly warnings: readonly Consequence[] }) {
  return (
    <div role="status" className="rp-warnings">
      <Consequences consequences={groupConsequences(warnings.map((what) => ({ what, sites: [] })))} about={kind} />
    </div>
  );
}

interface StoredProps<T> {
  /** Stable as long as it reads the same. */
  readonly read: () => Promise<Known<T>>;
  readonly missing: Explained;
  /** What it is about, if the caller lacks permission. */
  readonly about: Denied;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
  readonly children: (value: T, edited: { readonly onUnsaved: (isUnsaved: boolean) => void; readonly onSaved: () => void }) => ReactNode;
}

export function StoredAccess<T>({ read, missing, about, onUnsaved, onChanged, onHistory, children }: StoredProps<T>) {
  const { access } = useMessages();
  const [reading, reload, reloaded] = useReading(read);
  const [saved, setSaved] = useState(0);
  /** Another change was made since. */
  const [isSettled, setSettled] = useState(false);
  const settle = async (): Promise<void> => {
    await reloaded();
    setSaved((times) => times + 1);
    setSettled(false);
    onChanged();
  };
  const report = (isUnsaved: boolean): void => {
    if (isUnsaved) setSettled(true);
    onUnsaved(isUnsaved);
  };
  const failure = reading.state === 'ready' ? reading.failure : undefined;
  const unread = reading.state !== 'ready' ? reading : failure === undefined ? undefined : { state: 'failed' as const, failure };
  return (
    <>
      {saved > 0 && <Saved key={saved} isSettled={isSettled} onHistory={onHistory} />}
      {unread !== undefined && <Unread reading={unread} loading={access.reading} missing={missing} about={about} onRetry={reload} />}
      {unread === undefined && reading.state === 'ready' && children(reading.value, { onUnsaved: report, onSaved: () => void settle() })}
    </>
  );
}

interface SavedProps {
  /** Another change was made since: this one is no longer announced, and the link to the history stays. */
  readonly isSettled: boolean;
  readonly onHistory: () => void;
}

/** It is stored; undoing it is in the history. */
function Saved({ isSettled, onHistory }: SavedProps) {
  const { review } = useMessages('access');
  const focus = useFocusOnArrival<HTMLDivElement>(true);
  return (
    <Notice
      tone="info"
      role="status"
      title={isSettled ? undefined : review.saved}
      focus={focus}
      actions={<TextButton onPress={onHistory} text={review.history} />}
    />
  );
}
