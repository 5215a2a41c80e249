import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { useState } from 'react';

/** Whether grave consequences are confirmed. Other consequences require a new confirmation. */
export interface Confirmation {
  readonly isNeeded: boolean;
  readonly isGiven: boolean;
  give(isGiven: boolean): void;
}

/** Separate from the view of consequences, which is loaded only if there are some. */
export function useGiven(consequences: readonly ConsequenceOfSites[]): Confirmation {
  const grave = JSON.stringify(consequences.filter((one) => one.grave));
  const [given, setGiven] = useState<string>();
  const isNeeded = grave !== '[]';
  return { isNeeded, isGiven: !isNeeded || given === grave, give: (is) => setGiven(is ? grave : undefined) };
}
