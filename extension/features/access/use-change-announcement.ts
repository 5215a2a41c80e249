import { useState } from 'react';
import { useMessages } from '../../ui/use-messages.ts';

interface Change {
  readonly kind: 'added' | 'removed';
  readonly entry: string;
}

/**
 * What is said of an entry that was just added to a list, or taken from it: as long as it is neither saved nor taken back. In: nothing can be
 * changed now, because it is being saved; whether an entry is in the list.
 */
export function useChangeAnnouncement(isDisabled: boolean, isThere: (entry: string) => boolean): [string, (change: Change) => void] {
  const messages = useMessages('access');
  const [change, setChange] = useState<Change>();
  if (isDisabled && change !== undefined) setChange(undefined);
  const isSo = change !== undefined && isThere(change.entry) === (change.kind === 'added');
  return [isSo ? messages[change.kind]({ entry: change.entry }) : '', setChange];
}
