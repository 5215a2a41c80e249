import { configAddress } from '@repoless/contract/addresses.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { hostDomains } from '@repoless/contract/service.ts';
import type { PublicConfig } from '@repoless/contract/site.ts';
import { isObject, keysOf } from '../history/json-place.ts';
import { unshownWrite } from '../plan/plan-work.ts';
import { EXISTS, neverAborting, sendAbout, sendConfirmed, waitsFor } from '../run/retry.ts';
import type { Call, Known } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import type { ConfigProbe } from '../situation/situation.ts';
import { followSite, type MovingSite } from './moving-site.ts';
import type { RowPlan } from './plan-row.ts';
import { latestAuthor, prepareRow, type Reading } from './prepare-row.ts';
import { gateProblem, problemOf, rowProblem } from './row-problems.ts';
import { authorOfRow, rowDifference } from './row-site.ts';
import type { Batch, NotRevertedReason, PlannedStep, RowProblem, RowResult, RowStatus, RowStep, SiteRow } from './rows.ts';

const REPLANS = 3;

export interface Taking extends Omit<Reading, 'onWaiting'> {
  /** The row's steps that its review showed; absent if there was no review. */
  readonly shown: readonly PlannedStep[] | undefined;
  onStatus(status: RowStatus): void;
  onTaken(taken: readonly PlannedStep[]): void;
}

/**
 * Takes the open steps of one row, in the safe order. Completed ones (by an interrupted run, or by someone else) are recognized and not repeated.
 * Never throws.
 */
export async function takeRow(taking: Taking, row: SiteRow): Promise<RowResult> {
  const calls: Call[] = [];
  const { ports, batch, pace } = taking;
  const site = followSite({ ports, batch, pace, onCall: (call) => calls.push(call), onWaiting: waiting(taking, 'register-site') }, row);
  const run: Run = { taking, row, calls, taken: new Map(), site };
  let outcome: 'created' | 'changed' | 'unchanged' | undefined;
  const ended = (status: RowStatus): RowResult => {
    const taken = [...run.taken.values()];
    taking.onTaken(taken);
    taking.onStatus(status);
    return { row, status, calls, taken };
  };
  const end = async (problem: RowProblem | 'stopped'): Promise<RowResult> => {
    const isStopped = problem === 'stopped' || taking.signal.aborted;
    // A row of setup keeps what was written for the next run; a site that moves serves visitors, so it must be entirely in one environment or the
    // other.
    if (!isStopped || row.move !== undefined) await revertStep(run);
    const left = site.left() ?? (isStopped ? undefined : site.wasThere());
    if (left !== undefined) return ended({ state: 'failed', problem: leftProblem(run, left, problem) });
    if (!isStopped) return ended({ state: 'failed', problem });
    return ended(calls.length === 0 ? { state: 'stopped' } : { state: 'stopped', begun: true });
  };
  for (let replans = 0; ; replans++) {
    const mayExist = (name: string) => replans > 0 || taking.mayExist(name);
    const reading = { ...taking, mayExist, onWaiting: waiting(taking, 'read') };
    taking.onStatus({ state: 'running', step: 'read' });
    const plan = await prepareRow(reading, row);
    if (plan.kind === 'blocked') return end(plan.problem);
    const unshown = taking.shown === undefined ? undefined : unshownWrite(taking.shown.map(writeOf), plan.steps.map(writeOf));
    if (unshown !== undefined) return end(await unshownProblem(taking, row, unshown));
    // A write whose answer was lost is recognized as done on the second attempt; it still counts as this run's.
    outcome ??= plan.outcome;
    const problem = await takeSteps(run, plan);
    if (problem === undefined) return ended({ state: 'done', outcome });
    const isChanged = problem !== 'stopped' && problem.reason === 'changed-meanwhile';
    if (!isChanged || replans === REPLANS || taking.signal.aborted) return end(problem);
  }
}

function writeOf(step: PlannedStep) {
  const body = step.call?.body;
  return { ...step, id: step.step, ...(body?.type === 'json' ? { sent: body.value } : {}) };
}

/** What was changed since the review, and by whom, as far as the service knows. */
async function unshownProblem({ batch, pace, ports, shown = [] }: Taking, row: SiteRow, { step, state }: PlannedStep): Promise<RowProblem> {
  if (step !== 'register-site') return rowProblem(step, 'unreviewed', { what: 'page' });
  const seen = shown.find((one) => one.step === step)?.state;
  const now = state.kind === 'change' ? state.before : undefined;
  // A site without differences was already what the write would make of it.
  const before = seen?.kind === 'change' ? seen.before : state.kind === 'change' ? state.after : undefined;
  const parts = isObject(before) && isObject(now) ? keysOf(before, now).filter((part) => !sameValue(before[part], now[part])) : [];
  const author = await latestAuthor(pace, () => ports.service.versions(batch.organization, row.siteName));
  return { ...rowProblem(step, 'unreviewed', { what: 'site', ...author }), ...(parts.length > 0 && { parts }) };
}

interface Run {
  readonly taking: Taking;
  readonly row: SiteRow;
  readonly calls: Call[];
  /** The steps in the order they were taken, from their last plan. */
  readonly taken: Map<RowStep, PlannedStep>;
  readonly site: MovingSite;
}

async function takeSteps(
  { taking, row, calls, taken, site }: Run,
  plan: RowPlan & { kind: 'ready' },
): Promise<RowProblem | 'stopped' | undefined> {
  for (const planned of plan.steps) {
    const { step } = planned;
    if (planned.state.kind !== 'done') {
      if (taking.signal.aborted) return 'stopped';
      taking.onStatus({ state: 'running', step });
      site.begin(planned);
      const problem = await takeStep(taking, row, plan, planned, calls);
      if (problem !== undefined) return problem;
      taken.delete(step);
      taken.set(step, planned);
      taking.onTaken([...taken.values()]);
    }
    site.taken(planned);
  }
  return undefined;
}

/**
 * A row that isn't ready leaves the switch as it was; if reverting fails, its previous values are still stored. A site that stays where it moved
 * to keeps what was set for it there.
 */
async function revertStep({ taking, calls, taken, site }: Run): Promise<void> {
  await site.revertOne();
  if (site.left() !== undefined) return;
  for (const { step, revert: back } of [...taken.values()].toReversed()) {
    if (back === undefined) continue;
    const answer = await taking.pace.call(
      () => sendConfirmed({ ports: taking.ports, signal: neverAborting() }, back),
      waiting(taking, 'switch'),
      'to-the-end',
    );
    if (answer.state !== 'known') continue;
    calls.push(back);
    taken.delete(step);
  }
}

function leftProblem({ taking, row }: Run, left: NotRevertedReason, why: RowProblem | 'stopped'): RowProblem {
  const data = { author: authorOfRow(taking.batch, row) };
  return why === 'stopped' ? rowProblem('register-site', left, data) : { ...rowProblem(why.step, left, data), after: why };
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
  const answer = await taking.pace.call(() => make(taking, row, step, call, attempts++ > 0), waiting(taking, step));
  if (answer.state === 'known' && answer.value !== EXISTS) calls.push(call);
  if (answer.state === 'failed') return problemOf(step, answer.failure);
  return answer.state === 'missing'
    ? rowProblem(step, step === 'register-site' ? 'refused' : 'page-missing', { page: row.contentRoot })
    : undefined;
}

/** One attempt. `again`: an earlier attempt may have succeeded although its answer was lost. */
async function make(taking: Taking, row: SiteRow, step: RowStep, call: Call, again: boolean): Promise<Known<unknown>> {
  if (step === 'register-site') return taking.ports.service.send(call);
  const creates = step === 'configuration-page' && again ? row.configurationPage : undefined;
  return sendAbout(taking, call, { creates, changes: step === 'switch' ? row.contentRoot : undefined });
}

function waiting({ onStatus }: Taking, step: RowStep) {
  return (attempt: number) => onStatus({ state: 'running', step, attempt });
}

/**
 * Polls both hosts until each serves the stored public part, or the effective one if that matches the row, for about a minute. Returns undefined
 * when they do, otherwise which one doesn't; `changed-meanwhile` if the effective value differs from the row, which must be planned again.
 */
async function verifyRow(
  ports: SetupPorts,
  batch: Batch,
  row: SiteRow,
  wanted: PublicConfig,
  { signal, onWaiting }: { readonly signal: AbortSignal; readonly onWaiting: (attempt: number) => void },
): Promise<RowProblem | undefined> {
  const open = new Set(
    (['preview', 'live'] as const).map((tier) => configAddress(hostDomains(batch.info), tier, batch.organization, row.siteName)),
  );
  for (let attempt = 1; ; attempt++) {
    const probes = await Promise.all([...open].map((address) => ports.hosts.config(address)));
    for (const probe of probes) if (matches(probe, wanted)) open.delete(probe.address);
    const held = open.size === 0 ? undefined : await ports.service.held(batch.organization, row.siteName);
    if (held?.state === 'known') {
      const { config } = held.value;
      if (rowDifference(batch, row, config).length > 0) return rowProblem('verify', 'changed-meanwhile');
      for (const probe of probes) if (matches(probe, config.public ?? {})) open.delete(probe.address);
    }
    const [first] = open;
    if (first === undefined) return undefined;
    const wait = waitsFor(batch.info)[attempt - 1];
    if (wait === undefined || signal.aborted) return notVerified(first, probes);
    onWaiting(attempt + 1);
    await ports.wait(wait, signal);
  }
}

function matches({ answer }: ConfigProbe, wanted: PublicConfig): boolean {
  return answer.state === 'known' && sameValue(answer.value, wanted);
}

function notVerified(address: string, probes: readonly ConfigProbe[]): RowProblem {
  const probe = probes.find((candidate) => candidate.address === address);
  const status = String(probe?.status ?? '');
  const problem = rowProblem('verify', 'not-verified', { address, status });
  return probe?.answer.state === 'failed' ? { ...problem, failure: probe.answer.failure } : problem;
}
