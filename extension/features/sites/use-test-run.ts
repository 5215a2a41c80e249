import { useCallback, useEffect, useRef, useState } from 'react';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { IntendedPaths } from '@repoless/core/mappings/read-simulation.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { planRows } from '@repoless/core/sites/plan-rows.ts';
import type { Batch, CellProblem, SiteRow } from '@repoless/core/sites/rows.ts';

export interface TestedRow {
  readonly batch: Batch;
  readonly row: SiteRow;
  readonly problems: readonly CellProblem[];
  /** The service cannot try a write: what it refuses shows in the run. */
  readonly untried?: Failure;
  /** Where it changes the path mapping of a site that is there. */
  readonly paths?: IntendedPaths;
}

export interface TestRun {
  /** What was found for a row as it is now; undefined where it was not asked, or the row was changed since. */
  answer(batch: Batch, row: SiteRow): TestedRow | undefined;
  readonly asking: { readonly done: number; readonly of: number } | undefined;
  /** Asks for rows. Out: false where something is wrong with one of them. */
  run(batch: Batch, rows: readonly SiteRow[]): Promise<boolean>;
}

const GROUP = 24;

/** Asks service and authoring system whether the run could set rows up; a changed row is asked for again. */
export function useTestRun(ports: SetupPorts, sites: readonly SiteListEntry[]): TestRun {
  const [answers, setAnswers] = useState<ReadonlyMap<string, TestedRow>>(new Map());
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
        const planned = await planRows(ports, batch, group, { signal, sites });
        if (signal.aborted) return false;
        const found = planned.map(({ row, plan, problems, untried }) => {
          const paths = plan.kind === 'ready' ? plan.paths : undefined;
          const more = { ...(untried === undefined ? {} : { untried }), ...(paths === undefined ? {} : { paths }) };
          const tested: TestedRow = { batch, row, problems, ...more };
          return [row.id, tested] as const;
        });
        fine &&= found.every(([, tested]) => tested.problems.length === 0);
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
