import { createContext, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { goTo, NO_ROW, withParameters } from '../../app/host/address-state.ts';

interface Props<V> {
  readonly asked: V;
  /** Tells two views apart. */
  readonly id: string;
  readonly children: (shown: V) => ReactNode;
}

/** Draws the view that is asked for. The one before stays while leaving it would lose something, until the person has answered. */
export function LeaveGuard<V>({ asked, id, children }: Props<V>) {
  const [shown, setShown] = useState({ view: asked, id });
  const isElsewhere = id !== shown.id;
  const go = (): void => setShown({ view: asked, id });
  const leaving = useLeaving(isElsewhere, go);
  useUnloadPrompt(leaving.held !== undefined);
  const isKept = isElsewhere && leaving.held !== undefined;
  if (isElsewhere && !isKept) go();
  return <LeaveContext value={leaving}>{children(isKept ? shown.view : asked)}</LeaveContext>;
}

/** The browser asks before the window is closed or loaded again while something is held: its own question, in its own words. */
function useUnloadPrompt(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isHeld]);
}

/** What is asked about first. */
const WEIGHTIEST: readonly Held[] = ['unsaved', 'once', 'making', 'saving'];

/** Keeps what leaving would lose. `isElsewhere`: whether the address asks for another view; `onLeave` goes there all the same. */
export function useLeaving(isElsewhere: boolean, onLeave: () => void): Leaving {
  const [isUnsaved, setUnsaved] = useState(false);
  const [entries, setEntries] = useState<readonly { readonly held: Held; readonly scope: EntryScope }[]>([]);
  const [runs, setRuns] = useState<readonly { readonly scope: RunScope }[]>([]);
  const [closing, setClosing] = useState<() => void>();
  const settled = useRef<string>(undefined);
  const holds = (one: Held): boolean => entries.some(({ held }) => held === one);
  // The change of a view that is being saved is not lost; what was entered beside it is.
  const entered = isUnsaved && !holds('saving') ? 'unsaved' : WEIGHTIEST.find(holds);
  const held = entered ?? (runs.length > 0 ? 'running' : undefined);
  // What was asked about has ended by itself.
  if (held === undefined && closing !== undefined) setClosing(undefined);
  const isAsking = held !== undefined && (isElsewhere || closing !== undefined);
  const hold: Leaving['hold'] = useCallback((held, scope) => {
    const entry = { held, scope };
    setEntries((now) => [...now, entry]);
    return () => setEntries((now) => now.filter((one) => one !== entry));
  }, []);
  const begin = useCallback((scope: RunScope) => {
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
    held,
    isPlaceHeld: isUnsaved || entries.some(({ scope }) => scope === 'place'),
    isSiteRunning: runs.some(({ scope }) => scope === 'site'),
    isAsking,
    onUnsaved: setUnsaved,
    hold,
    begin,
    settle: (address) => void (settled.current = address),
    stay,
    leave: () => {
      setClosing(undefined);
      // A host that does not close the panel leaves it as it is.
      if (closing !== undefined) return closing();
      setUnsaved(false);
      onLeave();
    },
    close: (close) => {
      if (held === undefined) close();
      else if (isAsking) stay();
      else setClosing(() => close);
    },
  };
}

/**
 * What leaving would lose: an entry that is not saved, what became of one that is being saved, something that is shown only once or is
 * being made to be shown once, or the rest of a plan that is being carried out.
 */
export type Held = 'unsaved' | 'saving' | 'once' | 'making' | 'running';

/** Whether an entry is lost with the place where it is made, or with the view alone, which keeps it behind its other places. */
export type EntryScope = 'place' | 'view';

/** What a run goes on behind: all places of the view, or those of one site alone. */
export type RunScope = 'view' | 'site';

/** Guards what is drawn below against leaving: to another view, to another place of a view, or by closing the panel. */
interface Leaving {
  readonly held: Held | undefined;
  /** Another place of the same view would lose something, too. */
  readonly isPlaceHeld: boolean;
  /** Something runs that goes on behind the places of one site alone. */
  readonly isSiteRunning: boolean;
  /** Navigation or closing was requested while something would be lost. */
  readonly isAsking: boolean;
  onUnsaved(isUnsaved: boolean): void;
  /** Something is entered, being saved, or shown only once. Out: says that it no longer is. */
  hold(held: Exclude<Held, 'running'>, scope: EntryScope): () => void;
  /** A plan is being carried out. Out: says that it no longer is. */
  begin(scope: RunScope): () => void;
  /** The window is at an address that is shown: staying leads back there. */
  settle(address: string): void;
  stay(): void;
  leave(): void;
  /** Closes the panel, after asking where something would be lost. */
  close(close: () => void): void;
}

/** Absent where a view is drawn by itself. */
export const LeaveContext = createContext<Leaving | undefined>(undefined);
