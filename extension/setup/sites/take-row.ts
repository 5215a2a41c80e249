import type { Call } from '../plan.ts';
import type { Known } from '../situation.ts';
import { planRow } from './plan-row.ts';
import type { PlannedStep, RowPlan } from './plan-row.ts';
import { problemOf, rowProblem } from './row-problem.ts';
import { readRow } from './row-situation.ts';
import type { Reading } from './row-situation.ts';
import type { RowProblem, RowResult, RowStatus, RowStep, SiteRow } from './rows.ts';
import { verifyRow } from './verify-row.ts';

/** How often a row is planned anew because somebody else changed something under it. */
const REPLANS = 3;

export interface Taking extends Omit<Reading, 'onWaiting'> {
  readonly signal: AbortSignal;
  onStatus(status: RowStatus): void;
}

/**
 * Takes the steps of one row that are not done yet, in the safe order. What was done before (by a run that was cut short,
 * or by somebody else) is recognised and not done twice. Nothing throws.
 */
export async function takeRow(taking: Taking, row: SiteRow): Promise<RowResult> {
  const calls: Call[] = [];
  let outcome: 'created' | 'changed' | 'unchanged' | undefined;
  const ended = (status: RowStatus): RowResult => {
    taking.onStatus(status);
    return { row, status, calls };
  };
  for (let replans = 0; ; replans++) {
    const mayExist = (name: string) => replans > 0 || taking.mayExist(name);
    const reading = { ...taking, mayExist, onWaiting: waiting(taking, 'read') };
    taking.onStatus({ state: 'running', step: 'read' });
    const situation = await readRow(reading, row);
    const plan = planRow(taking.batch, row, situation);
    if (plan.kind === 'blocked') return ended(taking.signal.aborted ? { state: 'stopped' } : { state: 'failed', problem: plan.problem });
    // A write whose answer was lost is found done the second time; it is this run's all the same.
    outcome ??= plan.outcome;
    const stopped = await takeSteps(taking, row, plan, calls);
    if (stopped === undefined) return ended({ state: 'done', outcome });
    if (stopped === 'stopped') return ended({ state: 'stopped' });
    if (stopped.reason !== 'changed-meanwhile' || replans === REPLANS) return ended({ state: 'failed', problem: stopped });
  }
}

async function takeSteps(
  taking: Taking,
  row: SiteRow,
  plan: RowPlan & { kind: 'ready' },
  calls: Call[],
): Promise<RowProblem | 'stopped' | undefined> {
  for (const planned of plan.steps) {
    if (planned.state.kind === 'done') continue;
    if (taking.signal.aborted) return 'stopped';
    const { step } = planned;
    taking.onStatus({ state: 'running', step });
    const problem =
      step === 'verify'
        ? await verifyRow(taking.ports, taking.batch, row, plan.public, { signal: taking.signal, onWaiting: waiting(taking, 'verify') })
        : await makeCall(taking, row, planned, calls);
    if (problem !== undefined) return taking.signal.aborted ? 'stopped' : problem;
  }
  return undefined;
}

async function makeCall(taking: Taking, row: SiteRow, { step, call }: PlannedStep, calls: Call[]): Promise<RowProblem | undefined> {
  if (call === undefined) return undefined;
  let attempts = 0;
  const answer = await taking.pace.call(() => make(taking, row, { step, call, again: attempts++ > 0 }), waiting(taking, step));
  if (answer.state === 'known' && answer.value !== THERE_ALREADY) calls.push(call);
  if (answer.state === 'failed') return problemOf(step, answer.failure);
  return answer.state === 'missing'
    ? rowProblem(step, step === 'register-site' ? 'refused' : 'page-missing', { page: row.contentRoot })
    : undefined;
}

const THERE_ALREADY = 'there already';

interface Attempt {
  readonly step: PlannedStep['step'];
  readonly call: Call;
  /** An earlier attempt may have arrived although its answer was lost. */
  readonly again: boolean;
}

/**
 * One attempt. A page is looked for before it is made once more (there would be two), and before it is switched (Sling
 * would make one that was deleted meanwhile).
 */
async function make({ ports }: Taking, row: SiteRow, { step, call, again }: Attempt): Promise<Known<unknown>> {
  if (step === 'register-site') return ports.service.send(call);
  if (step === 'configuration-page' && again && row.configurationPage !== undefined) {
    const page = await ports.authoring.page(row.configurationPage);
    if (page.state !== 'missing') return page.state === 'known' ? { state: 'known', value: THERE_ALREADY } : page;
  }
  if (step === 'switch') {
    const page = await ports.authoring.page(row.contentRoot);
    if (page.state !== 'known') return page;
  }
  return ports.authoring.send(call);
}

function waiting({ onStatus }: Taking, step: RowStep) {
  return (attempt: number) => onStatus({ state: 'running', step, attempt });
}
