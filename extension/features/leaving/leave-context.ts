import { createContext } from 'react';

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
export interface Leaving {
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
