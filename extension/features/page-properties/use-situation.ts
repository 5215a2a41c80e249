import { useCallback, useEffect, useRef, useState } from 'react';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { withEdits } from '@repoless/core/plan/edits.ts';
import type { Edits } from '@repoless/core/plan/edits.ts';
import { proposeChoices } from '@repoless/core/plan/propose-choices.ts';
import type { Choices } from '@repoless/core/situation/settings.ts';
import type { Failure, Known, Situation } from '@repoless/core/situation/situation.ts';

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
  /** Reads afresh what is proposed, with what the person decided. */
  read(edits: Edits): Promise<void>;
}

/** What reads and plans is not needed to draw the first view: it comes while that is drawn. */
const loadReading = () => import('@repoless/core/situation/read-situation.ts');

async function readLater(ports: SetupPorts, page: string, edits: Edits, organization: string | undefined): Promise<Known<Situation>> {
  const loaded = await loadReading().catch(() => undefined);
  return loaded === undefined
    ? { state: 'failed', failure: { kind: 'unreachable' } }
    : loaded.readSituation(ports, page, edits, organization);
}

/**
 * The situation of a page, read when the panel opens and whenever `read` is called. `organization`: that of a page whose settings
 * name none. The answer that was asked for last counts.
 */
export function useSituation(ports: SetupPorts, page: string, first: Edits, organization?: string): Reading {
  const [situation, setSituation] = useState<SituationState>({ state: 'loading' });
  const latest = useRef(0);
  const opening = useRef(first);
  const read = useCallback(
    async (edits: Edits): Promise<void> => {
      const mine = ++latest.current;
      setSituation((now) => (now.state === 'ready' ? readingAgain(now) : { state: 'loading' }));
      const answer = await readLater(ports, page, edits, organization);
      if (mine !== latest.current) return;
      if (answer.state !== 'known') {
        setSituation((now) => (answer.state === 'failed' && now.state === 'ready' ? failedAgain(now, answer.failure) : answer));
        return;
      }
      const readFor = withEdits(proposeChoices(answer.value), edits);
      setSituation({ state: 'ready', situation: answer.value, readFor, reading: false });
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
