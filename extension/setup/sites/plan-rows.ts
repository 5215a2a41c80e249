import type { SetupPorts } from '../ports.ts';
import { AT_ONCE, readBaseEdge } from './apply-rows.ts';
import type { ApplyOptions } from './apply-rows.ts';
import { problemsOfFailure } from './cell-problems.ts';
import { eachBounded } from './each-bounded.ts';
import { createPace } from './pace.ts';
import { planRow } from './plan-row.ts';
import type { RowPlan } from './plan-row.ts';
import { readRow } from './row-situation.ts';
import type { Batch, CellProblem, SiteRow } from './rows.ts';

export interface PlannedRow {
  readonly row: SiteRow;
  readonly plan: RowPlan;
  /** What the service would refuse (a dry run of the row's write). */
  readonly refusals: readonly CellProblem[];
}

/** What applyRows would do, changing nothing: each row read and planned, and its write rehearsed where there is one. */
export async function planRows(
  ports: SetupPorts,
  batch: Batch,
  rows: readonly SiteRow[],
  { signal, concurrency = AT_ONCE, reach = 'both', sites }: Pick<ApplyOptions, 'signal' | 'concurrency' | 'reach' | 'sites'>,
): Promise<PlannedRow[]> {
  const pace = createPace(ports, signal);
  const names = sites === undefined ? undefined : new Set(sites.map(({ name }) => name));
  const onWaiting = () => undefined;
  const baseEdge = await readBaseEdge(ports, batch, reach, pace);
  const mayExist = (name: string) => names?.has(name) ?? true;
  return eachBounded(rows, concurrency, async (row) => {
    const situation = await readRow({ ports, batch, pace, reach, baseEdge, mayExist, onWaiting, readBy: '' }, row);
    const plan = planRow(batch, row, situation);
    const call = plan.kind === 'ready' ? plan.steps.find(({ step }) => step === 'register-site')?.call : undefined;
    const answer = call === undefined ? undefined : await pace.call(() => ports.service.rehearse(call), onWaiting);
    return { row, plan, refusals: answer?.state === 'failed' ? problemsOfFailure(answer.failure) : [] };
  });
}
