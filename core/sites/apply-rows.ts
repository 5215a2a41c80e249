import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { AT_ONCE, createPace, mapConcurrently, type Pace } from '../run/retry.ts';
import { createWriteAccess } from './write-access.ts';
import { type Failure, hasNoDryRun } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import type { RowPlan } from './plan-row.ts';
import { prepareRow, type Reach, type Reading } from './prepare-row.ts';
import { createRowGates } from './row-gate.ts';
import { endOfRun, problemsOfFailure, problemsOfRow } from './row-problems.ts';
import type { Batch, CellProblem, PlannedStep, RowResult, RowsProgress, RowStatus, SiteRow } from './rows.ts';
import { applyRow } from './apply-row.ts';

export interface ApplyOptions {
  /** Stops the run: running rows finish their current call, the others don't start. */
  readonly signal: AbortSignal;
  readonly concurrency?: number;
  /** So many rows are taken first, and the others only if each of those is done and verified. Default: 0. */
  readonly first?: number;
  /** `service`: the authoring system is left alone (no authoring token available). Default: `both`. */
  readonly reach?: Reach;
  /** The service's sites, if known: rows whose site is not among them skip reading it. */
  readonly sites?: readonly Pick<SiteListEntry, 'name'>[];
  /** The reviewed steps by row ID: nothing else is written. */
  readonly shown?: ShownSteps;
  readonly onProgress?: (progress: RowsProgress) => void;
  readonly onRow?: (row: SiteRow, status: RowStatus) => void;
  /** Called after each write of a row with what an undo of the run needs now: the steps that are done and not reverted. */
  readonly onSteps?: (row: SiteRow, steps: readonly PlannedStep[]) => void;
}

export type ShownSteps = ReadonlyMap<string, readonly PlannedStep[]>;

export function shownSteps(planned: readonly PlannedRow[]): ShownSteps {
  return new Map(planned.flatMap(({ row, plan }) => (plan.kind === 'ready' ? [[row.id, plan.steps] as const] : [])));
}

export interface ApplyOutcome {
  /**
   * `unreachable`: the service or the authoring system stopped answering; `signed-out`: it no longer accepts the caller's sign-in. Rows
   * that did not start are left for another run. `first-failed`: the others were not started, because one of the first failed.
   */
  readonly outcome: 'complete' | 'failed' | 'first-failed' | 'stopped' | 'unreachable' | 'signed-out';
  readonly results: readonly RowResult[];
}

/**
 * Applies rows, some concurrently. Every row is read first, so that applying again, also after an interrupted run,
 * recognizes what is done and doesn't write it again. Takes rows that passed checkRows; for a retry, those that failed.
 * Nothing throws.
 */
export async function applyRows(ports: SetupPorts, batch: Batch, rows: readonly SiteRow[], options: ApplyOptions): Promise<ApplyOutcome> {
  const { signal, concurrency = AT_ONCE, first = 0, reach = 'both' } = options;
  const pace = createPace(ports, signal);
  const reading = await startReading({ ports, batch, pace, reach, signal }, options.sites);
  const progress = trackProgress(ports, rows, pace, options);
  let over: ReturnType<typeof endOfRun> | 'first-failed';
  const take = async (row: SiteRow): Promise<RowResult> => {
    if (signal.aborted || over !== undefined) {
      progress(row, { state: 'stopped' });
      return { row, status: { state: 'stopped' }, calls: [] };
    }
    const result = await applyRow(
      {
        ...reading,
        shown: options.shown?.get(row.id),
        onStatus: (status) => progress(row, status),
        onSteps: (steps) => options.onSteps?.(row, steps),
      },
      row,
    );
    if (result.status.state === 'failed') over ??= endOfRun(result.status.problem);
    return result;
  };
  const ahead = await mapConcurrently(rows.slice(0, first), concurrency, take);
  if (rows.length > first && ahead.some(({ status }) => status.state === 'failed')) over ??= 'first-failed';
  const results = [...ahead, ...(await mapConcurrently(rows.slice(first), concurrency, take))];
  return { outcome: outcomeOf(results, over, signal), results };
}

/** The rows for another run: those that failed or were not reached. */
export function rowsLeft(results: readonly RowResult[]): SiteRow[] {
  return results.filter(({ status }) => status.state !== 'done').map(({ row }) => row);
}

async function startReading(
  run: Pick<Reading, 'ports' | 'batch' | 'pace' | 'reach' | 'signal'>,
  sites: readonly Pick<SiteListEntry, 'name'>[] | undefined,
): Promise<Omit<Reading, 'onWaiting'>> {
  const { ports, batch, pace, reach } = run;
  const { baseConfiguration } = batch;
  const [profile, baseEdge] = await Promise.all([
    pace.call(() => ports.service.profile()),
    reach === 'service' || baseConfiguration === undefined
      ? undefined
      : pace.call(() => ports.authoring.edgeConfiguration(baseConfiguration)),
  ]);
  const readBy = profile.state === 'known' ? profile.value.email : '';
  const names = sites === undefined ? undefined : new Set(sites.map(({ name }) => name));
  return {
    ...run,
    baseEdge,
    readBy,
    access: createWriteAccess(ports, readBy),
    gates: createRowGates(ports, batch),
    mayExist: (name) => names?.has(name) ?? true,
  };
}

function outcomeOf(
  results: readonly RowResult[],
  over: ReturnType<typeof endOfRun> | 'first-failed',
  signal: AbortSignal,
): ApplyOutcome['outcome'] {
  if (over !== undefined) return over;
  if (results.some(({ status }) => status.state === 'failed')) return 'failed';
  return signal.aborted && results.some(({ status }) => status.state === 'stopped') ? 'stopped' : 'complete';
}

function trackProgress(
  ports: Pick<SetupPorts, 'now'>,
  rows: readonly SiteRow[],
  pace: Pace,
  { onProgress, onRow }: Pick<ApplyOptions, 'onProgress' | 'onRow'>,
) {
  const began = ports.now().getTime();
  const counts = { waiting: rows.length, running: 0, done: 0, failed: 0, stopped: 0 };
  let unchanged = 0;
  const states = new Map<string, RowStatus['state']>();
  return (row: SiteRow, status: RowStatus): void => {
    counts[states.get(row.id) ?? 'waiting'] -= 1;
    counts[status.state] += 1;
    states.set(row.id, status.state);
    if (status.state === 'done' && status.outcome === 'unchanged') unchanged += 1;
    const ended = counts.done + counts.failed;
    const each = (ports.now().getTime() - began) / 1000 / Math.max(1, ended);
    const paused = Math.ceil(pace.pausedFor() / 1000);
    onRow?.(row, status);
    onProgress?.({
      total: rows.length,
      done: counts.done,
      failed: counts.failed,
      running: counts.running,
      unchanged,
      ...(ended === 0 ? {} : { secondsLeft: Math.round(each * (counts.waiting + counts.running)) }),
      ...(paused === 0 ? {} : { pausedSeconds: paused }),
    });
  };
}

interface PlanOptions {
  readonly signal: AbortSignal;
  readonly concurrency?: number;
  readonly reach?: Reach;
  readonly sites?: readonly Pick<SiteListEntry, 'name'>[];
  /** The plan is no longer needed: remaining rows are not read. A stopped run still plans them, to report what it left. */
  readonly abandoned?: AbortSignal;
  readonly onPlanned?: () => void;
}

export interface PlannedRow {
  readonly row: SiteRow;
  readonly plan: RowPlan;
  /** Problems by cell: found in the authoring system, or by a dry run of the row's write at the service. */
  readonly problems: readonly CellProblem[];
  readonly consequences: readonly ConsequenceOfSites[];
  /** There was no dry run of its write: the service does not announce dry runs. */
  readonly untried?: Failure;
}

/**
 * The review of rows: what applyRows would do, without changing anything. Each row is read and planned as in the run, and its write is sent
 * as a dry run. A row without problems is applied by the run, unless someone else changes something in between.
 */
export async function planRows(
  ports: SetupPorts,
  batch: Batch,
  rows: readonly SiteRow[],
  { signal, concurrency = AT_ONCE, reach = 'both', sites, abandoned, onPlanned }: PlanOptions,
): Promise<PlannedRow[]> {
  const pace = createPace(ports, signal);
  const reading = { ...(await startReading({ ports, batch, pace, reach, signal }, sites)), onWaiting: () => undefined };
  const planOne = async (row: SiteRow): Promise<PlannedRow> => {
    const plan = await prepareRow(reading, row);
    const planned = { row, plan, problems: [], consequences: [] };
    if (plan.kind === 'blocked') return { ...planned, problems: problemsOfRow(plan.problem) };
    const call = plan.steps.find(({ id, state }) => id === 'register-site' && state.kind !== 'done')?.call;
    const answer = call === undefined ? undefined : await pace.call(() => ports.service.dryRun(call));
    if (answer?.state === 'failed')
      return hasNoDryRun(answer) ? { ...planned, untried: answer.failure } : { ...planned, problems: problemsOfFailure(answer.failure) };
    const consequences = answer?.state === 'known' ? (answer.value.consequences ?? []) : [];
    return { ...planned, consequences: consequences.map((one) => ({ ...one, sites: [row.siteName] })) };
  };
  const work = async (row: SiteRow): Promise<PlannedRow> => {
    const planned = await planOne(row);
    onPlanned?.();
    return planned;
  };
  return mapConcurrently(rows, concurrency, work, abandoned);
}
