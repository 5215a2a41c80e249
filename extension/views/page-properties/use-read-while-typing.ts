import { useEffect } from 'react';
import type { Choices } from '#extension/setup/settings.ts';

/** Milliseconds without a key after which a name counts as typed. */
const PAUSE = 350;

/** Reads for choices as soon as the person pauses; the field keeps its focus. In: whether they ask for something unread. */
export function useReadWhileTyping(isUnread: boolean, choices: Choices, onRead: (choices: Choices) => Promise<void>): void {
  useEffect(() => {
    if (!isUnread) return undefined;
    const timer = setTimeout(() => void onRead(choices), PAUSE);
    return () => clearTimeout(timer);
  }, [isUnread, choices, onRead]);
}
