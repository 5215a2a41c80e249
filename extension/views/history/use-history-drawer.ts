import { useEffect, useRef, useState } from 'react';
import type { HistorySubject } from '#extension/setup/history/subject.ts';

export interface HistoryDrawer {
  /** Whose history is open. */
  readonly subject: HistorySubject | undefined;
  open(subject: HistorySubject): void;
  close(): void;
}

/** A history that takes the place of a view for a while. The view stays as it is behind it, and the focus goes back there. */
export function useHistoryDrawer(): HistoryDrawer {
  const [subject, setSubject] = useState<HistorySubject>();
  const opener = useRef<Element>(null);
  useEffect(() => {
    if (subject !== undefined) return;
    if (opener.current instanceof HTMLElement) opener.current.focus();
    opener.current = null;
  }, [subject]);
  return {
    subject,
    open(next) {
      opener.current = document.activeElement;
      setSubject(next);
    },
    close: () => setSubject(undefined),
  };
}
