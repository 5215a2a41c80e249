import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { goTo, withParameters } from '../../app/host/address-state.ts';
import { NO_ROW } from '../../ui/address/row-parameters.ts';
import { type EntryScope, type Held, LeaveContext, type Leaving, type RunScope } from './leave-context.ts';

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
