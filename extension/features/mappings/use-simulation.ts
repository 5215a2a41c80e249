import { useEffect, useRef, useState } from 'react';
import { readSimulation } from '@repoless/core/mappings/read-simulation.ts';
import type { IntendedPaths, ReadSimulation } from '@repoless/core/mappings/read-simulation.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { failureOf } from '@repoless/core/run/failure-of.ts';
import type { SimulationPorts } from '../../ui/simulation-context.ts';

export type SimulationState =
  | { readonly state: 'none' | 'stopped' }
  | { readonly state: 'reading'; readonly pages: number }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'ready'; readonly simulation: ReadSimulation };

export interface Simulating {
  readonly simulating: SimulationState;
  start(): Promise<void>;
  stop(): void;
}

/** Simulates a change of mappings when it is asked for; stops when the view goes. */
export function useSimulation(ports: SimulationPorts, intended: IntendedPaths): Simulating {
  const [simulating, setSimulating] = useState<SimulationState>({ state: 'none' });
  const stopper = useRef<AbortController>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const start = async (): Promise<void> => {
    const { signal } = (stopper.current = new AbortController());
    setSimulating({ state: 'reading', pages: 0 });
    const onPages = (pages: number): void => {
      if (!signal.aborted) setSimulating({ state: 'reading', pages });
    };
    const answer = await readSimulation(ports, intended, { signal, onPages });
    if (signal.aborted) return;
    if (answer.state === 'known') setSimulating({ state: 'ready', simulation: answer.value });
    else setSimulating({ state: 'failed', failure: failureOf(answer) });
  };
  const stop = (): void => {
    stopper.current?.abort();
    setSimulating({ state: 'stopped' });
  };
  return { simulating, start, stop };
}
