import { useState } from 'react';

export interface Guarded<P> {
  /** What is shown: what the address asks for, unless that would lose what is not saved. */
  readonly shown: P;
  /** The address asks for another place while something is not saved here. */
  readonly isAsking: boolean;
  /** Goes to what the address asks for; what was not saved is lost. */
  leave(): void;
  /** Says whether something is entered here that is not saved. */
  onUnsaved(isUnsaved: boolean): void;
}

/** Follows an address, and stops where a person would lose what they entered. `key` tells two places apart. */
export function useGuarded<P>(asked: P, key: string): Guarded<P> {
  const [shown, setShown] = useState({ place: asked, key });
  const [isUnsaved, setUnsaved] = useState(false);
  const isElsewhere = key !== shown.key;
  if (isElsewhere && !isUnsaved) setShown({ place: asked, key });
  return {
    shown: isElsewhere && isUnsaved ? shown.place : asked,
    isAsking: isElsewhere && isUnsaved,
    leave: () => setUnsaved(false),
    onUnsaved: setUnsaved,
  };
}
