import type { SiteListEntry } from '#contract/site.ts';
import type { SetupPorts } from '../ports.ts';
import { AT_ONCE } from './apply-rows.ts';
import { problemsOfFailure } from './cell-problems.ts';
import { eachBounded } from './each-bounded.ts';
import { createPace } from './pace.ts';
import { planRow } from './plan-row.ts';
import type { Batch, CellProblem, RowProblem, SiteRow } from './rows.ts';

export interface RehearseOptions {
  readonly signal: AbortSignal;
  readonly concurrency?: number;
  readonly sites?: readonly Pick<SiteListEntry, 'name'>[];
}

/**
 * Asks the service, without changing anything, whether it would take each row's write (a dry run). Out: what it finds wrong,
 * by the row's id; a row that it would take, or that needs no write, has an empty list.
 */
export async function rehearseRows(
  ports: SetupPorts,
  batch: Batch,
  rows: readonly SiteRow[],
  { signal, concurrency = AT_ONCE, sites }: RehearseOptions,
): Promise<Map<string, CellProblem[]>> {
  const pace = createPace(ports, signal);
  const names = sites === undefined ? undefined : new Set(sites.map(({ name }) => name));
  const quiet = () => undefined;
  const problems = await eachBounded(rows, concurrency, async (row): Promise<CellProblem[]> => {
    if (signal.aborted) return [];
    const read = () => ports.service.configuration(batch.organization, row.siteName);
    const site = names?.has(row.siteName) === false ? ({ state: 'missing' } as const) : await pace.call(read, quiet);
    const plan = planRow(batch, row, { site, readAt: '', readBy: '' });
    if (plan.kind === 'blocked') return blocked(plan.problem);
    const call = plan.steps.find((step) => step.step === 'register-site')?.call;
    if (call === undefined) return [];
    const answer = await pace.call(() => ports.service.rehearse(call), quiet);
    return answer.state === 'failed' ? problemsOfFailure(answer.failure) : [];
  });
  return new Map(rows.map((row, index) => [row.id, problems[index] ?? []]));
}

/** A mismatch of account and environment is found by checkRows already. */
function blocked({ reason, data, failure }: RowProblem): CellProblem[] {
  if (failure !== undefined) return problemsOfFailure(failure);
  if (reason !== 'name-taken') return [];
  return [{ cell: 'siteName', says: { kind: 'name-taken', site: data['site'] ?? '', root: data['root'] ?? '' } }];
}
