import type { Site } from '#contract/site.ts';
import { withoutServerFields } from '../desired-site.ts';
import type { Call } from '../plan.ts';
import type { Known } from '../situation.ts';
import { putSite } from './plan-row.ts';
import type { PlannedStep, RowPlan } from './plan-row.ts';
import { prepareRow } from './prepare-row.ts';
import { gateProblem, problemOf, rowProblem } from './row-problem.ts';
import { rowDifference } from './row-site.ts';
import type { Reading } from './row-situation.ts';
import type { RowProblem, RowResult, RowStatus, RowStep, SiteRow } from './rows.ts';
import { verifyRow } from './verify-row.ts';

/** How often a row is planned anew because somebody else changed something under it. */
const REPLANS = 3;

const PUT_BACK = 'put back: the move did not succeed';

export interface Taking extends Omit<Reading, 'onWaiting'> {
  onStatus(status: RowStatus): void;
}

/**
 * Takes the steps of one row that are not done yet, in the safe order. What was done before (by a run that was cut short,
 * or by somebody else) is recognised and not done twice. Nothing throws.
 */
export async function takeRow(taking: Taking, row: SiteRow): Promise<RowResult> {
  const calls: Call[] = [];
  let outcome: 'created' | 'changed' | 'unchanged' | undefined;
  const stop = (): RowStatus => (calls.length === 0 ? { state: 'stopped' } : { state: 'stopped', begun: true });
  const ended = (status: RowStatus): RowResult => {
    taking.onStatus(status);
    return { row, status, calls };
  };
  for (let replans = 0; ; replans++) {
    const mayExist = (name: string) => replans > 0 || taking.mayExist(name);
    const reading = { ...taking, mayExist, onWaiting: waiting(taking, 'read') };
    taking.onStatus({ state: 'running', step: 'read' });
    const plan = await prepareRow(reading, row);
    if (plan.kind === 'blocked') return ended(taking.signal.aborted ? stop() : { state: 'failed', problem: plan.problem });
    // A write whose answer was lost is found done the second time; it is this run's all the same.
    outcome ??= plan.outcome;
    const stopped = await takeSteps(taking, row, plan, calls);
    if (stopped === undefined) return ended({ state: 'done', outcome });
    if (stopped === 'stopped') return ended(stop());
    if (stopped.reason !== 'changed-meanwhile' || replans === REPLANS) return ended({ state: 'failed', problem: stopped });
  }
}

async function takeSteps(
  taking: Taking,
  row: SiteRow,
  plan: RowPlan & { kind: 'ready' },
  calls: Call[],
): Promise<RowProblem | 'stopped' | undefined> {
  const taken: PlannedStep[] = [];
  // What a row of setup wrote so far waits for the next run; a site that moves answers visitors, from one end or the other.
  const stop = async () => {
    if (row.move !== undefined) await revert(taking, row, taken, calls);
    return 'stopped' as const;
  };
  for (const planned of plan.steps) {
    if (planned.state.kind === 'done') continue;
    if (taking.signal.aborted) return stop();
    const { step } = planned;
    taking.onStatus({ state: 'running', step });
    const problem = await takeStep(taking, row, plan, planned, calls);
    if (problem !== undefined && taking.signal.aborted) return stop();
    if (problem !== undefined) {
      await revert(taking, row, taken, calls);
      return problem;
    }
    taken.push(planned);
  }
  return undefined;
}

/** A row that is not ready leaves the switch as it was; where that cannot be sent, its values from before are kept. */
async function revert(taking: Taking, row: SiteRow, taken: readonly PlannedStep[], calls: Call[]): Promise<void> {
  for (const { revert: back, restores } of taken.toReversed()) {
    const find = async (): Promise<Known<Call>> =>
      restores !== undefined
        ? restoreCall(taking, row, restores)
        : back === undefined
          ? { state: 'missing' }
          : { state: 'known', value: back };
    const call = await taking.pace.call(find, waiting(taking, 'read'));
    if (call.state !== 'known') continue;
    const port = call.value.target === 'service' ? taking.ports.service : taking.ports.authoring;
    const answer = await taking.pace.call(() => port.send(call.value), waiting(taking, 'switch'));
    if (answer.state === 'known') calls.push(call.value);
  }
}

/** The parts of a site that its row wrote, as they were; missing where somebody else has changed them since. */
async function restoreCall({ ports, batch }: Taking, row: SiteRow, before: Site): Promise<Known<Call>> {
  const now = await ports.service.held(batch.organization, row.siteName);
  if (now.state !== 'known') return now;
  const { config, own, etag } = now.value;
  if (rowDifference(batch, row, config).length > 0) return { state: 'missing' };
  const call = putSite(batch, row, { ...withoutServerFields(own), ...partsOf(before) }, PUT_BACK);
  return { state: 'known', value: { ...call, ifMatch: etag } };
}

function partsOf({ code, content, public: open, access }: Site) {
  return { code, content, public: open, access };
}

async function takeStep(
  taking: Taking,
  row: SiteRow,
  plan: RowPlan & { kind: 'ready' },
  planned: PlannedStep,
  calls: Call[],
): Promise<RowProblem | undefined> {
  const { ports, batch, gates, signal } = taking;
  const { step } = planned;
  const run = { signal, onWaiting: waiting(taking, step) };
  if (step === 'verify') return verifyRow(ports, batch, row, plan.public, run);
  if (step !== 'code' && step !== 'pages') return makeCall(taking, row, planned, calls);
  const failure = await gates[step](row, run);
  return failure === undefined ? undefined : gateProblem(step, failure);
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
