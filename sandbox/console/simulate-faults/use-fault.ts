import { useEffect, useState } from 'react';
import { provoke, readFault } from './faults.ts';

export type FaultState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'ready'; readonly mode: string };

/** The trouble of one stand-in, and the way to change it. */
export function useFault(stand: string): [FaultState, (mode: string) => void] {
  const [fault, setFault] = useState<FaultState>({ state: 'loading' });
  useEffect(() => {
    let gone = false;
    void settled(readFault(stand)).then((found) => {
      if (!gone) setFault(found);
    });
    return () => {
      gone = true;
    };
  }, [stand]);
  return [fault, (mode) => void settled(provoke(stand, mode)).then(setFault)];
}

async function settled(asked: Promise<string>): Promise<FaultState> {
  try {
    return { state: 'ready', mode: await asked };
  } catch (error) {
    return { state: 'failed', sentence: error instanceof Error ? error.message : 'Couldn’t reach this stand-in.' };
  }
}
