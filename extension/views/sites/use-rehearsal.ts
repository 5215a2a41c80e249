import { useCallback, useEffect, useRef, useState } from 'react';
import type { SiteListEntry } from '#contract/site.ts';
import type { SetupPorts } from '#extension/setup/ports.ts';
import { rehearseRows } from '#extension/setup/sites/rehearse-rows.ts';
import type { Batch, CellProblem, SiteRow } from '#extension/setup/sites/rows.ts';

export interface Rehearsed {
  readonly batch: Batch;
  readonly row: SiteRow;
  readonly problems: readonly CellProblem[];
}

export interface Rehearsal {
  /** What the service said to a row as it is now; undefined where it was not asked, or the row was changed since. */
  answer(batch: Batch, row: SiteRow): Rehearsed | undefined;
  readonly asking: { readonly done: number; readonly of: number } | undefined;
  /** Asks for rows. Out: false where the service finds something wrong with one of them. */
  run(batch: Batch, rows: readonly SiteRow[]): Promise<boolean>;
}

const GROUP = 24;

/** Asks the service by dry runs whether it would take rows; a changed row is asked for again. */
export function useRehearsal(ports: SetupPorts, sites: readonly SiteListEntry[]): Rehearsal {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Rehearsed>>(new Map());
  const [asking, setAsking] = useState<{ done: number; of: number }>();
  const stopper = useRef<AbortController>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const run = useCallback(
    async (batch: Batch, rows: readonly SiteRow[]): Promise<boolean> => {
      stopper.current?.abort();
      const controller = new AbortController();
      stopper.current = controller;
      const { signal } = controller;
      let fine = true;
      for (let done = 0; done < rows.length && !signal.aborted; done += GROUP) {
        setAsking({ done, of: rows.length });
        const group = rows.slice(done, done + GROUP);
        const problems = await rehearseRows(ports, batch, group, { signal, sites });
        if (signal.aborted) return false;
        const found = group.map((row) => [row.id, { batch, row, problems: problems.get(row.id) ?? [] }] as const);
        fine &&= found.every(([, rehearsed]) => rehearsed.problems.length === 0);
        setAnswers((now) => new Map([...now, ...found]));
      }
      if (!signal.aborted) setAsking(undefined);
      return fine && !signal.aborted;
    },
    [ports, sites],
  );
  return {
    answer: (batch, row) => {
      const found = answers.get(row.id);
      return found?.row === row && found.batch === batch ? found : undefined;
    },
    asking,
    run,
  };
}
