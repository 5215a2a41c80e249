import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { eachBounded } from './each-bounded.ts';
import { createPace } from './pace.ts';
import type { Pace } from './pace.ts';
import { createRowGates } from './row-gate.ts';
import { endOfRun } from './row-problem.ts';
import type { Reach } from './row-situation.ts';
import type { Batch, RowResult, RowStatus, RowsProgress, SiteRow } from './rows.ts';
import { takeRow } from './take-row.ts';
import { createWriteAccess } from './write-access.ts';

/** Rows that are worked on at once, where nothing else is said. */
export const AT_ONCE = 6;

export interface ApplyOptions {
  /** Stops the run: running rows finish their current call, the others don't start. */
  readonly signal: AbortSignal;
  readonly concurrency?: number;
  /** `service`: the authoring system is left alone (no authoring token at hand). `both` without it. */
  readonly reach?: Reach;
  /** The service's sites where they are known: rows whose site is not among them are not asked for first. */
  readonly sites?: readonly Pick<SiteListEntry, 'name'>[];
  readonly onProgress?: (progress: RowsProgress) => void;
  /** Told whenever the status of a row changes. */
  readonly onRow?: (row: SiteRow, status: RowStatus) => void;
}

export interface ApplyOutcome {
  /**
   * `unreachable`: the service or the authoring system stopped answering; `signed-out`: it no longer accepts the caller's sign-in. Rows that did
   * not start are left for a further run.
   */
  readonly outcome: 'complete' | 'failed' | 'stopped' | 'unreachable' | 'signed-out';
  /** In the order of the rows. */
  readonly results: readonly RowResult[];
}

/**
 * Takes rows, some at a time. Every row is read first, so that applying again, or after a run that was cut short, finds
 * what is done and writes nothing for it. Nothing throws. In: rows that passed checkRows; for a retry, those that failed.
 */
export async function applyRows(ports: SetupPorts, batch: Batch, rows: readonly SiteRow[], options: ApplyOptions): Promise<ApplyOutcome> {
  const { signal, concurrency = AT_ONCE, reach = 'both' } = options;
  const pace = createPace(ports, signal);
  const names = options.sites === undefined ? undefined : new Set(options.sites.map(({ name }) => name));
  const readProfile = pace.call(
    () => ports.service.profile(),
    () => undefined,
  );
  const [profile, baseEdge] = await Promise.all([readProfile, readBaseEdge(ports, batch, reach, pace)]);
  const readBy = profile.state === 'known' ? profile.value.email : '';
  const access = createWriteAccess(ports, pace, async () => readBy);
  const gates = createRowGates(ports, batch);
  const progress = trackProgress(ports, rows, pace, options);
  let over: ReturnType<typeof endOfRun>;
  const results = await eachBounded(rows, concurrency, async (row): Promise<RowResult> => {
    if (signal.aborted || over !== undefined) {
      progress(row, { state: 'stopped' });
      return { row, status: { state: 'stopped' }, calls: [] };
    }
    const result = await takeRow(
      {
        ports,
        batch,
        pace,
        reach,
        baseEdge,
        access,
        gates,
        signal,
        readBy,
        mayExist: (name) => names?.has(name) ?? true,
        onStatus: (status) => progress(row, status),
      },
      row,
    );
    if (result.status.state === 'failed') over ??= endOfRun(result.status.problem);
    return result;
  });
  return { outcome: outcomeOf(results, over, signal), results };
}

/** The rows that a further run has to take: those that failed or were not reached. */
export function rowsLeft(results: readonly RowResult[]): SiteRow[] {
  return results.filter(({ status }) => status.state !== 'done').map(({ row }) => row);
}

/** What new configurations begin with. */
export async function readBaseEdge(ports: SetupPorts, { baseConfiguration }: Batch, reach: Reach, pace: Pace) {
  if (reach === 'service' || baseConfiguration === undefined) return undefined;
  return pace.call(
    () => ports.authoring.edgeConfiguration(baseConfiguration),
    () => undefined,
  );
}

function outcomeOf(results: readonly RowResult[], over: ReturnType<typeof endOfRun>, signal: AbortSignal): ApplyOutcome['outcome'] {
  if (over !== undefined) return over;
  if (results.some(({ status }) => status.state === 'failed')) return 'failed';
  return signal.aborted && results.some(({ status }) => status.state === 'stopped') ? 'stopped' : 'complete';
}

/** Keeps count of the rows and tells it whenever a row's status changes. */
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
