import { createContext, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { goTo, NO_ROW, withParameters } from '../host/address-state.ts';

interface Props<V> {
  readonly requested: V;
  /** Distinguishes views. */
  readonly id: string;
  readonly children: (shown: V) => ReactNode;
}

/** Renders the requested view. The previous one stays while leaving it would lose something, until the person has answered. */
export function LeaveGuard<V>({ requested, id, children }: Props<V>) {
  const [shown, setShown] = useState({ view: requested, id });
  const isElsewhere = id !== shown.id;
  const go = (): void => setShown({ view: requested, id });
  const leaving = useLeaving(isElsewhere, go);
  useUnloadPrompt(leaving.reason !== undefined);
  const isKept = isElsewhere && leaving.reason !== undefined;
  if (isElsewhere && !isKept) go();
  return <LeaveContext value={leaving}>{children(isKept ? shown.view : requested)}</LeaveContext>;
}

/** The browser asks, with its own dialog, before the window is closed or reloaded while something would be lost. */
function useUnloadPrompt(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isActive]);
}

/** In order of importance for the question. */
const WEIGHTIEST: readonly LeaveReason[] = ['unsaved', 'once', 'making', 'saving'];

/** Protects what leaving would lose. `isElsewhere`: whether the address requests another view; `onLeave` goes there nevertheless. */
export function useLeaving(isElsewhere: boolean, onLeave: () => void): Leaving {
  const [isUnsaved, setUnsaved] = useState(false);
  const [entries, setEntries] = useState<readonly { readonly reason: LeaveReason; readonly scope: EntryScope }[]>([]);
  const [runs, setRuns] = useState<readonly { readonly scope: RunScope }[]>([]);
  const [closing, setClosing] = useState<() => void>();
  const settled = useRef<string>(undefined);
  const holds = (one: LeaveReason): boolean => entries.some(({ reason }) => reason === one);
  // A change that is being saved is not lost; other input next to it is.
  const entered = isUnsaved && !holds('saving') ? 'unsaved' : WEIGHTIEST.find(holds);
  const reason = entered ?? (runs.length > 0 ? 'running' : undefined);
  // What the question was about has ended by itself.
  if (reason === undefined && closing !== undefined) setClosing(undefined);
  const isAsking = reason !== undefined && (isElsewhere || closing !== undefined);
  const hold: Leaving['hold'] = useCallback((reason, scope) => {
    const entry = { reason, scope };
    setEntries((now) => [...now, entry]);
    return () => setEntries((now) => now.filter((one) => one !== entry));
  }, []);
  const startRun = useCallback((scope: RunScope) => {
    const run = { scope };
    setRuns((now) => [...now, run]);
    return () => setRuns((now) => now.filter((one) => one !== run));
  }, []);
  const stay = (): void => {
    setClosing(undefined);
    const { current } = settled;
    if (current !== undefined && current !== location.hash) goTo(withParameters(current, NO_ROW));
  };
  return {
    reason,
    isPlaceHeld: isUnsaved || entries.some(({ scope }) => scope === 'place'),
    isSiteRunning: runs.some(({ scope }) => scope === 'site'),
    isAsking,
    onUnsaved: setUnsaved,
    hold,
    startRun,
    settle: (address) => void (settled.current = address),
    stay,
    leave: () => {
      setClosing(undefined);
      // If the host does not close the panel, it stays as it is.
      if (closing !== undefined) return closing();
      setUnsaved(false);
      onLeave();
    },
    close: (close) => {
      if (reason === undefined) close();
      else if (isAsking) stay();
      else setClosing(() => close);
    },
  };
}

/**
 * What leaving would lose: unsaved input, the outcome of a save in progress, a value that is shown only once or is being created to be
 * shown once, or the rest of a running plan.
 */
export type LeaveReason = 'unsaved' | 'saving' | 'once' | 'making' | 'running';

/** Whether input is lost with its place, or only with the view, which keeps it while its other places are shown. */
export type EntryScope = 'place' | 'view';

/** Where a run continues in the background: behind all places of the view, or only those of one site. */
export type RunScope = 'view' | 'site';

/** Guards what is rendered below against leaving: for another view, for another place of a view, or by closing the panel. */
interface Leaving {
  readonly reason: LeaveReason | undefined;
  /** Another place of the same view would also lose something. */
  readonly isPlaceHeld: boolean;
  readonly isSiteRunning: boolean;
  /** Navigation or closing was requested while something would be lost. */
  readonly isAsking: boolean;
  onUnsaved(isUnsaved: boolean): void;
  /** Something is entered, being saved, or shown only once. Returns a function that ends that. */
  hold(reason: Exclude<LeaveReason, 'running'>, scope: EntryScope): () => void;
  /** A plan is being carried out. Returns a function that ends that. */
  startRun(scope: RunScope): () => void;
  /** The window's address is now that of the shown view: staying returns there. */
  settle(address: string): void;
  stay(): void;
  leave(): void;
  /** Closes the panel, after asking if something would be lost. */
  close(close: () => void): void;
}

/** Absent if a view is rendered by itself. */
export const LeaveContext = createContext<Leaving | undefined>(undefined);
