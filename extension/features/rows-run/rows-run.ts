import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { type ApplyOptions, type ApplyOutcome, applyRows } from '@repoless/core/sites/apply-rows.ts';
import { isLeft, isTransientProblem } from '@repoless/core/sites/row-problems.ts';
import type { Batch, RowResult, RowsProgress, RowStatus, SiteRow } from '@repoless/core/sites/rows.ts';
import { useCallback, useReducer, useRef, useState } from 'react';
import { useActiveRun } from '../../ui/use-guarded.ts';
import { useStopper } from '../../ui/use-reading.ts';

/** A run over rows, including further runs over the remaining ones. */
export type RowsRun =
  | { readonly state: 'idle' }
  | ({ readonly state: 'running'; readonly stopping: boolean; readonly progress?: RowsProgress } & RunState)
  | ({ readonly state: 'ended'; readonly outcome: ApplyOutcome['outcome'] } & RunState);

interface RunState {
  readonly batch: Batch;
  /** All rows, starting with the first run. */
  readonly rows: readonly SiteRow[];
  readonly statuses: ReadonlyMap<string, RowStatus>;
  readonly results: ReadonlyMap<string, RowResult>;
}

export type RowsEvent =
  | { readonly type: 'start'; readonly batch: Batch; readonly rows: readonly SiteRow[] }
  | { readonly type: 'again'; readonly rows: readonly SiteRow[] }
  | { readonly type: 'statuses'; readonly statuses: readonly (readonly [string, RowStatus])[]; readonly progress?: RowsProgress }
  | { readonly type: 'stopping' }
  | { readonly type: 'ended'; readonly outcome: ApplyOutcome }
  | { readonly type: 'leave' };

const NOT_STARTED: RowsRun = { state: 'idle' };

function reduceRows(run: RowsRun, event: RowsEvent): RowsRun {
  switch (event.type) {
    case 'start': {
      const { batch, rows } = event;
      return { state: 'running', stopping: false, batch, rows, statuses: waiting(rows), results: new Map() };
    }
    case 'again': {
      if (run.state !== 'ended') return run;
      const { batch, rows, results } = run;
      return { state: 'running', stopping: false, batch, rows, results, statuses: new Map([...run.statuses, ...waiting(event.rows)]) };
    }
    case 'statuses': {
      if (run.state !== 'running') return run;
      const { progress } = event;
      return { ...run, statuses: new Map([...run.statuses, ...event.statuses]), ...(progress === undefined ? {} : { progress }) };
    }
    case 'stopping':
      return run.state === 'running' ? { ...run, stopping: true } : run;
    case 'ended': {
      if (run.state !== 'running') return run;
      const { batch, rows } = run;
      const { outcome, results } = event.outcome;
      const statuses = new Map([...run.statuses, ...results.map(({ row, status }) => [row.id, status] as const)]);
      return { state: 'ended', outcome, batch, rows, statuses, results: merged(run.results, results) };
    }
    case 'leave':
      return NOT_STARTED;
    default:
      return event satisfies never;
  }
}

/** The number of a run's rows in each state; `astray`: failed, and not restored. */
export function countsOf({ statuses }: Pick<RunState, 'statuses'>) {
  const counts = { done: 0, failed: 0, unchanged: 0, left: 0, astray: 0 };
  for (const status of statuses.values()) {
    if (status.state === 'done') counts.done += 1;
    else counts.left += 1;
    if (status.state === 'failed') counts.failed += 1;
    if (status.state === 'failed' && isLeft(status.problem)) counts.astray += 1;
    if (status.state === 'done' && status.outcome === 'unchanged') counts.unchanged += 1;
  }
  return counts;
}

/** The possible next steps: retrying what passes by itself or was not reached, and the review for what needs a change. */
export function nextActions({ rows, statuses }: Pick<RunState, 'rows' | 'statuses'>) {
  const left = rows.filter(({ id }) => statuses.get(id)?.state !== 'done');
  const wantsChange = ({ id }: SiteRow): boolean => {
    const status = statuses.get(id);
    return status?.state === 'failed' && !isTransientProblem(status.problem);
  };
  return { left, retry: left.filter((row) => !wantsChange(row)), correct: left.filter(wantsChange) };
}

/** The result of every row, in order; rows that did not start are shown as stopped. */
export function resultsOf({ rows, results }: RunState): RowResult[] {
  return rows.map((row) => results.get(row.id) ?? { row, status: { state: 'stopped' }, calls: [] });
}

function waiting(rows: readonly SiteRow[]): Map<string, RowStatus> {
  return new Map(rows.map(({ id }) => [id, { state: 'waiting' }]));
}

/** A later run only reports its own result; the calls of both were made. */
function merged(before: ReadonlyMap<string, RowResult>, results: readonly RowResult[]): Map<string, RowResult> {
  const all = new Map(before);
  for (const result of results) {
    const earlier = all.get(result.row.id);
    const steps = [...(earlier?.steps ?? []), ...(result.steps ?? [])];
    all.set(result.row.id, { ...result, calls: [...(earlier?.calls ?? []), ...result.calls], steps });
  }
  return all;
}

type RowsOptions = Pick<ApplyOptions, 'sites' | 'first' | 'onSteps' | 'shown'>;

interface RowsRunner {
  readonly run: RowsRun;
  start(ports: SetupPorts, batch: Batch, rows: readonly SiteRow[], how: RowsOptions): Promise<ApplyOutcome>;
  /** Takes rows of the same run again, as they were reviewed. */
  retry(ports: SetupPorts, batch: Batch, rows: readonly SiteRow[], how: Omit<RowsOptions, 'shown'>): Promise<ApplyOutcome>;
  stop(): void;
  leave(): void;
}

/** Milliseconds between updates of a run's progress. */
const DRAWN_EVERY = 250;

/** Applies rows, reports the progress of each, and stops when the panel unmounts. */
export function useRowsRun(): RowsRunner {
  const [run, dispatch] = useReducer(reduceRows, NOT_STARTED);
  useActiveRun(run.state === 'running', 'view');
  const stopper = useStopper();
  const shown = useRef<Pick<RowsOptions, 'shown'>>({});
  const apply = async (ports: SetupPorts, batch: Batch, rows: readonly SiteRow[], how: RowsOptions) => {
    const signal = stopper.start();
    // 200 rows change state more than a thousand times; rendering each change would cost more than the calls themselves.
    let changed = new Map<string, RowStatus>();
    let progress: RowsProgress | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      timer = undefined;
      dispatch({ type: 'statuses', statuses: [...changed], ...(progress === undefined ? {} : { progress }) });
      changed = new Map();
    };
    const later = () => (timer ??= setTimeout(update, DRAWN_EVERY));
    const outcome = await applyRows(ports, batch, rows, {
      signal,
      ...how,
      onRow: (row, status) => {
        changed.set(row.id, status);
        later();
      },
      onProgress: (now) => {
        progress = now;
        later();
      },
    });
    clearTimeout(timer);
    dispatch({ type: 'ended', outcome });
    return outcome;
  };
  return {
    run,
    start: async (ports, batch, rows, how) => {
      dispatch({ type: 'start', batch, rows });
      shown.current = how.shown === undefined ? {} : { shown: how.shown };
      return apply(ports, batch, rows, how);
    },
    retry: async (ports, batch, rows, how) => {
      dispatch({ type: 'again', rows });
      return apply(ports, batch, rows, { ...how, ...shown.current });
    },
    stop: () => {
      stopper.stop();
      dispatch({ type: 'stopping' });
    },
    leave: () => dispatch({ type: 'leave' }),
  };
}

/**
 * For a reviewed table whose rows have a button that leaves them out. Returns the last announcement, and a function to call before
 * the row is removed: focus moves to the button of a neighboring row or, after the last row, to the heading.
 */
export function useLeavingOut(): [string, (pressed: Element, sentence: string) => void] {
  const [announcement, setAnnouncement] = useState('');
  const leave = useCallback((pressed: Element, sentence: string): void => {
    const buttons = [...(pressed.closest('tbody')?.querySelectorAll<HTMLElement>(LAST_BUTTON) ?? [])];
    const index = buttons.findIndex((button) => button.contains(pressed));
    const heading = pressed.closest('section')?.querySelector<HTMLElement>('h2[tabindex]');
    (buttons[index + 1] ?? buttons[index - 1] ?? heading)?.focus();
    setAnnouncement(sentence);
  }, []);
  return [announcement, leave];
}

const LAST_BUTTON = '.rp-row-actions > button:last-child';
