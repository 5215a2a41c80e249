import { useCallback, useEffect, useRef, useState } from 'react';
import type { SetupPorts } from '#extension/setup/ports.ts';
import { proposeChoices } from '#extension/setup/propose-choices.ts';
import { readSituation } from '#extension/setup/read-situation.ts';
import type { Choices } from '#extension/setup/settings.ts';
import type { Failure, Situation } from '#extension/setup/situation.ts';

export type SituationState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'missing' }
  /** `readFor`: the choices that the situation was read for. */
  | {
      readonly state: 'ready';
      readonly situation: Situation;
      readonly readFor: Choices;
      readonly reading: boolean;
      /** Why the last reading afresh came to nothing; what was read before is still shown. */
      readonly failure?: Failure;
    };

export interface Reading {
  readonly situation: SituationState;
  /** Reads afresh for choices; without any, for what will be proposed. */
  read(choices?: Choices): Promise<void>;
}

/** The situation of a page, read when the panel opens and whenever `read` is called. The answer that was asked for last counts. */
export function useSituation(ports: SetupPorts, page: string, first: Choices | undefined): Reading {
  const [situation, setSituation] = useState<SituationState>({ state: 'loading' });
  const latest = useRef(0);
  const opening = useRef(first);
  const read = useCallback(
    async (choices?: Choices): Promise<void> => {
      const mine = ++latest.current;
      setSituation((now) => (now.state === 'ready' ? readingAgain(now) : { state: 'loading' }));
      const answer = await readSituation(ports, page, choices);
      if (mine !== latest.current) return;
      if (answer.state === 'missing') return setSituation(answer);
      if (answer.state === 'failed') {
        return setSituation((now) => (now.state === 'ready' ? { ...now, reading: false, failure: answer.failure } : answer));
      }
      const readFor = choices ?? proposeChoices(answer.value);
      setSituation({ state: 'ready', situation: answer.value, readFor, reading: false });
    },
    [ports, page],
  );
  useEffect(() => {
    void read(opening.current);
    const counter = latest;
    return () => void counter.current++;
  }, [read]);
  return { situation, read };
}

function readingAgain({ situation, readFor }: Extract<SituationState, { state: 'ready' }>): SituationState {
  return { state: 'ready', situation, readFor, reading: true };
}
