import { isLeft, passesByItself } from '@repoless/core/sites/row-problem.ts';
import type { ApplyOutcome } from '@repoless/core/sites/apply-rows.ts';
import type { Batch, RowResult, RowsProgress, RowStatus, SiteRow } from '@repoless/core/sites/rows.ts';

/** A run over rows, further runs over those that were left included. */
export type RowsRun =
  | { readonly state: 'idle' }
  | ({ readonly state: 'running'; readonly stopping: boolean; readonly progress?: RowsProgress } & Taken)
  | ({ readonly state: 'ended'; readonly outcome: ApplyOutcome['outcome'] } & Taken);

interface Taken {
  readonly batch: Batch;
  /** All rows, from the first run on. */
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

export const NOT_STARTED: RowsRun = { state: 'idle' };

export function reduceRows(run: RowsRun, event: RowsEvent): RowsRun {
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

/** How many rows of a run are in each state; `astray`: failed, and not put back where they were. */
export function countsOf({ statuses }: Pick<Taken, 'statuses'>) {
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

/** What can help: the same again for what passes by itself or was not reached, the review for what wants a change. */
export function nextActions({ rows, statuses }: Pick<Taken, 'rows' | 'statuses'>) {
  const left = rows.filter(({ id }) => statuses.get(id)?.state !== 'done');
  const wantsChange = ({ id }: SiteRow): boolean => {
    const status = statuses.get(id);
    return status?.state === 'failed' && !passesByItself(status.problem);
  };
  return { left, again: left.filter((row) => !wantsChange(row)), correct: left.filter(wantsChange) };
}

/** The result of every row, in order; rows that did not start are shown as stopped. */
export function resultsOf({ rows, results }: Taken): RowResult[] {
  return rows.map((row) => results.get(row.id) ?? { row, status: { state: 'stopped' }, calls: [] });
}

function waiting(rows: readonly SiteRow[]): Map<string, RowStatus> {
  return new Map(rows.map(({ id }) => [id, { state: 'waiting' }]));
}

/** A later run only says what came last; the calls of both were made. */
function merged(before: ReadonlyMap<string, RowResult>, results: readonly RowResult[]): Map<string, RowResult> {
  const all = new Map(before);
  for (const result of results) {
    const earlier = all.get(result.row.id);
    all.set(result.row.id, { ...result, calls: [...(earlier?.calls ?? []), ...result.calls] });
  }
  return all;
}
