import type { Explained } from '@repoless/core/messages/explain-failure.ts';
import type { Denied } from '@repoless/core/checks/caller-permissions.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { type ReactNode, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';

interface Props<T> {
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

export function StoredAccess<T>({ read, missing, about, onUnsaved, onChanged, onHistory, children }: Props<T>) {
  const { access } = useMessages();
  const [reading, again, readAgain] = useReading(read);
  const [saved, setSaved] = useState(0);
  /** Another change was made since. */
  const [isOver, setOver] = useState(false);
  const settle = async (): Promise<void> => {
    await readAgain();
    setSaved((times) => times + 1);
    setOver(false);
    onChanged();
  };
  const tell = (isUnsaved: boolean): void => {
    if (isUnsaved) setOver(true);
    onUnsaved(isUnsaved);
  };
  const failure = reading.state === 'ready' ? reading.failure : undefined;
  const unread = reading.state !== 'ready' ? reading : failure === undefined ? undefined : { state: 'failed' as const, failure };
  return (
    <>
      {saved > 0 && <Saved key={saved} isOver={isOver} onHistory={onHistory} />}
      {unread !== undefined && <Unread reading={unread} loading={access.reading} missing={missing} about={about} onRetry={again} />}
      {unread === undefined && reading.state === 'ready' && children(reading.value, { onUnsaved: tell, onSaved: () => void settle() })}
    </>
  );
}

interface SavedProps {
  /** Another change was made since: this one is no longer announced, and the link to the history stays. */
  readonly isOver: boolean;
  readonly onHistory: () => void;
}

/** It is stored; undoing it is in the history. */
function Saved({ isOver, onHistory }: SavedProps) {
  const { review } = useMessages('access');
  const focus = useFocusOnArrival<HTMLDivElement>(true);
  return (
    <Notice
      tone="info"
      role="status"
      title={isOver ? undefined : review.saved}
      focus={focus}
      actions={<TextButton onPress={onHistory} text={review.history} />}
    />
  );
}
