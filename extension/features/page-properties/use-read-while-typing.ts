import { useEffect } from 'react';
import type { Edits } from '@repoless/core/plan/edits.ts';

/** Milliseconds without a key after which a name counts as typed. */
const PAUSE = 350;

/** Reads for what was typed as soon as the person pauses; the field keeps its focus. In: whether they ask for something unread. */
export function useReadWhileTyping(isUnread: boolean, edits: Edits, onRead: (edits: Edits) => Promise<void>): void {
  useEffect(() => {
    if (!isUnread) return undefined;
    const timer = setTimeout(() => void onRead(edits), PAUSE);
    return () => clearTimeout(timer);
  }, [isUnread, edits, onRead]);
}
