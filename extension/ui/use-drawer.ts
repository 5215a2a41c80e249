import { useEffect, useRef, useState } from 'react';

export interface Drawer<S> {
  /** What is open. */
  readonly subject: S | undefined;
  open(subject: S): void;
  close(): void;
}

/** Something that temporarily replaces a view. The view stays as it is behind it, and focus returns there. */
export function useDrawer<S>(): Drawer<S> {
  const [subject, setSubject] = useState<S>();
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
