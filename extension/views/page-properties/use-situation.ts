import { useCallback, useEffect, useRef, useState } from 'react';
import type { SetupPorts } from '#extension/setup/ports.ts';
import { completeChoices, proposeChoices } from '#extension/setup/propose-choices.ts';
import type { Choices } from '#extension/setup/settings.ts';
import type { Failure, Known, Situation } from '#extension/setup/situation.ts';

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
  /**
   * Reads afresh for choices; without any, for what will be proposed. Out: the choices with what they left to be proposed;
   * undefined where nothing was read, or something else was asked for meanwhile.
   */
  read(choices?: Choices): Promise<Choices | undefined>;
}

/** What reads and plans is not needed to draw the first view: it comes while that is drawn. */
const loadReading = () => import('#extension/setup/read-situation.ts');

async function readLater(
  ports: SetupPorts,
  page: string,
  choices: Choices | undefined,
  organization: string | undefined,
): Promise<Known<Situation>> {
  const loaded = await loadReading().catch(() => undefined);
  return loaded === undefined
    ? { state: 'failed', failure: { kind: 'unreachable' } }
    : loaded.readSituation(ports, page, choices, organization);
}

/**
 * The situation of a page, read when the panel opens and whenever `read` is called. `organization`: that of a page whose settings
 * name none. The answer that was asked for last counts.
 */
export function useSituation(ports: SetupPorts, page: string, first: Choices | undefined, organization?: string): Reading {
  const [situation, setSituation] = useState<SituationState>({ state: 'loading' });
  const latest = useRef(0);
  const opening = useRef(first);
  const read = useCallback(
    async (choices?: Choices): Promise<Choices | undefined> => {
      const mine = ++latest.current;
      setSituation((now) => (now.state === 'ready' ? readingAgain(now) : { state: 'loading' }));
      const answer = await readLater(ports, page, choices, organization);
      if (mine !== latest.current) return undefined;
      if (answer.state !== 'known') {
        setSituation((now) => (answer.state === 'failed' && now.state === 'ready' ? failedAgain(now, answer.failure) : answer));
        return undefined;
      }
      const readFor = choices === undefined ? proposeChoices(answer.value) : completeChoices(choices, answer.value);
      setSituation({ state: 'ready', situation: answer.value, readFor, reading: false });
      return readFor;
    },
    [ports, page, organization],
  );
  useEffect(() => {
    void read(opening.current);
    const counter = latest;
    return () => void counter.current++;
  }, [read]);
  return { situation, read };
}

function failedAgain(now: Extract<SituationState, { state: 'ready' }>, failure: Failure): SituationState {
  return { ...now, reading: false, failure };
}

function readingAgain({ situation, readFor }: Extract<SituationState, { state: 'ready' }>): SituationState {
  return { state: 'ready', situation, readFor, reading: true };
}
