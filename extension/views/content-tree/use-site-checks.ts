import { useCallback, useState } from 'react';
import type { SetupPorts } from '#extension/setup/ports.ts';
import { readSituation } from '#extension/setup/read-situation.ts';
import { stateOfSituation } from '#extension/setup/site-state.ts';
import type { SiteState } from '#contract/site-check.ts';
import { eachBounded } from '#extension/setup/sites/each-bounded.ts';
import type { TreeContext } from '#extension/setup/sites/tree.ts';

/** The states of sites that were checked, by the page at their root. */
export type CheckedStates = ReadonlyMap<string, SiteState>;

/** Sites that are checked at once: each asks about twenty questions. */
const AT_ONCE = 3;
const NOTHING: CheckedStates = new Map();

export interface SiteChecks {
  readonly checked: CheckedStates;
  /** Checks the sites of pages, some at a time. Out: how many could not be read. */
  check(pages: readonly string[], signal: AbortSignal, onChecked: (count: number) => void): Promise<number>;
}

/** Checks sites as their page properties do. What was found holds until the service's sites are read afresh. */
export function useSiteChecks(ports: SetupPorts, context: TreeContext): SiteChecks {
  const [held, setHeld] = useState<{ readonly context: TreeContext; readonly states: CheckedStates }>({ context, states: NOTHING });
  const check = useCallback(
    async (pages: readonly string[], signal: AbortSignal, onChecked: (count: number) => void): Promise<number> => {
      let done = 0;
      let unread = 0;
      await eachBounded(pages, AT_ONCE, async (page) => {
        if (signal.aborted) return;
        const answer = await readSituation(ports, page);
        if (signal.aborted) return;
        if (answer.state === 'known') {
          const state = stateOfSituation(answer.value);
          setHeld((now) => ({ context, states: new Map(now.context === context ? now.states : NOTHING).set(page, state) }));
        } else unread++;
        onChecked(++done);
      });
      return unread;
    },
    [ports, context],
  );
  return { checked: held.context === context ? held.states : NOTHING, check };
}
