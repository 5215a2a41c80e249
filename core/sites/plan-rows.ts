import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { SetupPorts } from '../plan/ports.ts';
import { isUntried } from '../plan/service-steps.ts';
import type { Failure } from '../situation/situation.ts';
import { AT_ONCE, readBaseEdge } from './apply-rows.ts';
import { problemsOfFailure, problemsOfRow } from './cell-problems.ts';
import { eachBounded } from './each-bounded.ts';
import { createPace } from './pace.ts';
import type { RowPlan } from './plan-row.ts';
import { prepareRow } from './prepare-row.ts';
import { createRowGates } from './row-gate.ts';
import type { Reach } from './row-situation.ts';
import type { Batch, CellProblem, SiteRow } from './rows.ts';
import { createWriteAccess } from './write-access.ts';

export interface PlanOptions {
  readonly signal: AbortSignal;
  readonly concurrency?: number;
  readonly reach?: Reach;
  readonly sites?: readonly Pick<SiteListEntry, 'name'>[];
}

export interface PlannedRow {
  readonly row: SiteRow;
  readonly plan: RowPlan;
  /** What stands in the way, at its cells: found in the authoring system, or by a dry run of the row's write at the service. */
  readonly problems: readonly CellProblem[];
  /** Its write could not be tried: the service does not announce dry runs. */
  readonly untried?: Failure;
}

/**
 * The review of rows: what applyRows would do, without changing anything. Each row is read and planned as in the run, and its write is sent as a
 * dry run. A row without problems is applied by the run, unless somebody else changes something in between.
 */
export async function planRows(
  ports: SetupPorts,
  batch: Batch,
  rows: readonly SiteRow[],
  { signal, concurrency = AT_ONCE, reach = 'both', sites }: PlanOptions,
): Promise<PlannedRow[]> {
  const pace = createPace(ports, signal);
  const names = sites === undefined ? undefined : new Set(sites.map(({ name }) => name));
  const onWaiting = () => undefined;
  const [baseEdge, profile] = await Promise.all([
    readBaseEdge(ports, batch, reach, pace),
    pace.call(() => ports.service.profile(), onWaiting),
  ]);
  const readBy = profile.state === 'known' ? profile.value.email : '';
  const access = createWriteAccess(ports, pace, async () => readBy);
  const reading = {
    ports,
    batch,
    pace,
    reach,
    baseEdge,
    access,
    gates: createRowGates(ports, batch),
    signal,
    mayExist: (name: string) => names?.has(name) ?? true,
    onWaiting,
    readBy,
  };
  return eachBounded(rows, concurrency, async (row) => {
    const plan = await prepareRow(reading, row);
    if (plan.kind === 'blocked') return { row, plan, problems: problemsOfRow(plan.problem) };
    const call = plan.steps.find(({ step, state }) => step === 'register-site' && state.kind !== 'done')?.call;
    const answer = call === undefined ? undefined : await pace.call(() => ports.service.dryRun(call), onWaiting);
    if (answer?.state !== 'failed') return { row, plan, problems: [] };
    return isUntried(answer)
      ? { row, plan, problems: [], untried: answer.failure }
      : { row, plan, problems: problemsOfFailure(answer.failure) };
  });
}
