import { configAddress } from '@repoless/contract/addresses.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { hostDomains } from '@repoless/contract/service.ts';
import type { Site } from '@repoless/contract/site.ts';
import { isObject, keysOf } from '../history/json-values.ts';
import { unshownWrite } from '../plan/plan-work.ts';
import { type WithRetry, revertCall, takeCall, verifyHosts } from '../run/take-step.ts';
import type { Call } from '../situation/call.ts';
import type { RowPlan } from './plan-row.ts';
import { latestAuthor, prepareRow, type Reading } from './prepare-row.ts';
import { gateProblem, problemOf, rowProblem } from './row-problems.ts';
import { authorOfRow, rowDifference, targetOfRow } from './row-site.ts';
import type { NotRevertedReason, PlannedStep, RowProblem, RowResult, RowStatus, RowStep, SiteRow } from './rows.ts';
import { undoSite } from './undo-rows.ts';

const REPLANS = 3;

export interface Applying extends Omit<Reading, 'onWaiting'> {
  /** The row's steps that its review showed; absent if there was no review. */
  readonly shown: readonly PlannedStep[] | undefined;
  onStatus(status: RowStatus): void;
  onSteps(steps: readonly PlannedStep[]): void;
}

/**
 * Takes the open steps of one row, in the safe order. Completed ones (by an interrupted run, or by someone else) are recognized and not
 * repeated. Never throws.
 */
export async function applyRow(applying: Applying, row: SiteRow): Promise<RowResult> {
  const calls: Call[] = [];
  const run: Run = { applying, row, calls, steps: new Map() };
  let outcome: 'created' | 'changed' | 'unchanged' | undefined;
  const ended = (status: RowStatus): RowResult => {
    const steps = [...run.steps.values()];
    applying.onSteps(steps);
    applying.onStatus(status);
    return { row, status, calls, steps };
  };
  const end = async (problem: RowProblem | 'stopped'): Promise<RowResult> => {
    const isStopped = problem === 'stopped' || applying.signal.aborted;
    // A row of setup keeps what was written for the next run; a site that moves serves visitors, so it must be entirely in
    // one of the environments.
    const reverted = !isStopped || row.move !== undefined ? await revert(run) : undefined;
    const left = reverted ?? (run.moved === 'earlier' && !isStopped ? 'left-moved' : undefined);
    if (left !== undefined) return ended({ state: 'failed', problem: leftProblem(run, left, problem) });
    if (!isStopped) return ended({ state: 'failed', problem });
    if (calls.length === 0) return ended({ state: 'stopped' });
    return ended({ state: 'stopped', started: true, ...(isWritten(run) && { unverified: true }) });
  };
  for (let replans = 0; ; replans++) {
    const mayExist = (name: string) => replans > 0 || applying.mayExist(name);
    const reading = { ...applying, mayExist, onWaiting: waiting(applying, 'read') };
    applying.onStatus({ state: 'running', step: 'read' });
    const plan = await prepareRow(reading, row);
    if (plan.kind === 'blocked') return end(plan.problem);
    const unshown = applying.shown === undefined ? undefined : unshownWrite(applying.shown, plan.steps);
    if (unshown !== undefined) return end(await unshownProblem(applying, row, unshown));
    // A write whose answer was lost is recognized as done on the second attempt; it still counts as this run's.
    outcome ??= plan.outcome;
    run.plan = plan;
    const problem = await takeSteps(run, plan);
    if (problem === undefined) return ended({ state: 'done', outcome });
    const isChanged = problem !== 'stopped' && problem.reason === 'changed-meanwhile';
    if (!isChanged || replans === REPLANS || applying.signal.aborted) return end(problem);
  }
}

/** What was changed since the review, and by whom, as far as the service knows. */
async function unshownProblem({ batch, pace, ports, shown = [] }: Applying, row: SiteRow, { id, state }: PlannedStep): Promise<RowProblem> {
  if (id !== 'register-site') return rowProblem(id, 'unreviewed', { what: 'page' });
  const seen = shown.find((one) => one.id === id)?.state;
  const now = state.kind === 'change' ? state.before : undefined;
  // A site without differences was already what the write would make of it.
  const before = seen?.kind === 'change' ? seen.before : state.kind === 'change' ? state.after : undefined;
  const parts = isObject(before) && isObject(now) ? keysOf(before, now).filter((part) => !sameValue(before[part], now[part])) : [];
  const author = latestAuthor(await pace.call(() => ports.service.versions(batch.organization, row.siteName)));
  return { ...rowProblem(id, 'unreviewed', { what: 'site', ...author }), ...(parts.length > 0 && { parts }) };
}

interface Run {
  /** The last plan. */
  plan?: RowPlan & { kind: 'ready' };
  readonly applying: Applying;
  readonly row: SiteRow;
  readonly calls: Call[];
  /** The steps in the order they were taken, from their last plan. */
  readonly steps: Map<RowStep, PlannedStep>;
  /** The step that moves the site, from before it is taken; `earlier`: another run moved it, so its previous values are unknown. */
  moved?: { readonly by: PlannedStep; readonly isAcknowledged: boolean } | 'earlier';
}

/** Whether every write of the plan was made. A site that moves was moved back. */
function isWritten({ plan, row, steps }: Run): boolean {
  if (plan === undefined || row.move !== undefined) return false;
  return plan.steps.every(({ id, call, state }) => state.kind === 'done' || call === undefined || steps.has(id));
}

async function takeSteps(run: Run, plan: RowPlan & { kind: 'ready' }): Promise<RowProblem | 'stopped' | undefined> {
  const { applying, row, steps } = run;
  for (const step of plan.steps) {
    const moves = row.move !== undefined && step.id === 'register-site';
    if (step.state.kind !== 'done') {
      if (applying.signal.aborted) return 'stopped';
      applying.onStatus({ state: 'running', step: step.id });
      if (moves) run.moved = { by: step, isAcknowledged: false };
      const problem = await takeStep(run, step);
      if (problem !== undefined) return problem;
      steps.delete(step.id);
      steps.set(step.id, step);
      applying.onSteps([...steps.values()]);
    }
    if (moves) run.moved = typeof run.moved === 'object' ? { ...run.moved, isAcknowledged: true } : 'earlier';
  }
  return undefined;
}

/**
 * A row that isn't ready leaves the switch as it was; if reverting fails, its previous values are still stored. A site that stays where it
 * moved to keeps what was set for it there: returns why it does.
 */
async function revert(run: Run): Promise<NotRevertedReason | undefined> {
  const { applying, calls, steps } = run;
  const left = await revertMove(run);
  if (left !== undefined) return left;
  for (const { id, call, revert: back } of [...steps.values()].toReversed()) {
    if (call === undefined || back === undefined) continue;
    const end = await revertCall(applying.ports, toTheEnd(applying, 'switch'), { call, back });
    if (end.state === 'reverted') calls.push(back);
    if (end.state === 'reverted' || end.state === 'undone') steps.delete(id);
  }
  return undefined;
}

/** Why the site is, or may be, in the environment to which this run moved it. */
async function revertMove({ applying, row, calls, steps, moved }: Run): Promise<NotRevertedReason | undefined> {
  if (typeof moved !== 'object') return undefined;
  const { ports, batch } = applying;
  let sent: Call | undefined;
  const onSend = (back: Call) => (sent = back);
  const end = await undoSite({ ports, batch, withRetry: toTheEnd(applying, 'register-site'), onSend }, row, moved.by);
  if (end.state === 'kept') return 'left-moved-changed';
  if (end.state !== 'undone') return moved.isAcknowledged || sent !== undefined ? 'left-moved' : 'left-unknown';
  if (sent !== undefined) calls.push(sent);
  steps.delete('register-site');
  return undefined;
}

function toTheEnd(applying: Applying, step: RowStep): WithRetry {
  return (work) => applying.pace.call(work, waiting(applying, step), 'to-the-end');
}

function leftProblem({ applying, row }: Run, left: NotRevertedReason, why: RowProblem | 'stopped'): RowProblem {
  const data = { author: authorOfRow(applying.batch, row) };
  return why === 'stopped' ? rowProblem('register-site', left, data) : { ...rowProblem(why.step, left, data), after: why };
}

async function takeStep({ applying, row, calls }: Run, { id, call }: PlannedStep): Promise<RowProblem | undefined> {
  const onWaiting = waiting(applying, id);
  if (id === 'verify') return verifyRow(applying, row);
  if (id === 'code' || id === 'pages') {
    const failure = await applying.gates[id](row, { signal: applying.signal, onWaiting });
    return failure === undefined ? undefined : gateProblem(id, failure);
  }
  if (call === undefined) return undefined;
  const answer = await takeCall(applying, (work) => applying.pace.call(work, onWaiting), call);
  if (answer.state === 'failed') return problemOf(id, answer.failure);
  if (answer.state === 'missing') return rowProblem(id, id === 'register-site' ? 'refused' : 'page-missing', { page: row.contentRoot });
  calls.push(call);
  return undefined;
}

function waiting({ onStatus }: Pick<Applying, 'onStatus'>, step: RowStep) {
  return (attempt: number) => onStatus({ state: 'running', step, attempt });
}

/** Verifies both hosts, as long as the stored site is still what the row wants; otherwise it is planned again. */
async function verifyRow({ ports, batch, signal, onStatus }: Applying, row: SiteRow): Promise<RowProblem | undefined> {
  const target = targetOfRow(batch, row);
  const addresses = (['preview', 'live'] as const).map((tier) =>
    configAddress(hostDomains(batch.info), tier, target.organization, target.siteName),
  );
  const isChanged = (stored: Site | undefined) => stored === undefined || rowDifference(batch, row, stored).length > 0;
  const run = { ports, signal, onWaiting: waiting({ onStatus }, 'verify') };
  const found = await verifyHosts(run, { addresses, target, info: batch.info, isChanged });
  if (found === undefined) return undefined;
  const { address, failure } = found;
  if (failure.finding?.kind === 'changed-meanwhile') return rowProblem('verify', 'changed-meanwhile');
  const problem = rowProblem('verify', 'not-verified', { address, status: String(failure.status ?? '') });
  return failure.finding?.kind === 'not-served' ? problem : { ...problem, failure };
}
