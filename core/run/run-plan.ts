import { sameValue } from '@repoless/contract/json.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { SealedValue } from '@repoless/contract/secret.ts';
import { gateOf } from '../go-live/gate-steps.ts';
import type { Gate } from '../go-live/gate.ts';
import { GATE_PARTS, type GateRun, takeGatePart } from '../go-live/take-gate.ts';
import { type Edits, NO_EDITS, proposeChoices, withEdits } from '../plan/choices.ts';
import { planSetup, secretCall } from '../plan/plan-setup.ts';
import { unshownStep } from '../plan/plan-work.ts';
import type { Plan, RunResult, RunStep, Step, StepId, StepProgress, StepState } from '../plan/plan.ts';
import { readSituation } from '../plan/read-situation.ts';
import { type Failure, failureOf, type Known, NOT_FOUND } from '../situation/call.ts';
import { edgeConfigurationPath } from '../situation/edge-configuration.ts';
import { readOnce, type SetupPorts } from '../situation/ports.ts';
import type { Situation, Target } from '../situation/situation.ts';
import { linkRepository } from '../sync/external-repository.ts';
import type { SyncState } from '../sync/sync-state.ts';
import { planUndo } from '../undo/plan-undo.ts';
import { isTransient, neverAborting, retry } from './retry.ts';
import { type WithRetry, revertCall, takeCall, verifyHosts } from './take-step.ts';

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: StepProgress) => void;
  /** The service's description of itself with which the plan was made; read if absent. */
  readonly info?: ServiceInfo | undefined;
}

/** How often a run plans again because of the same step. */
const REPLANS = 3;

/**
 * Takes the steps of a plan in order. Before the first write, the situation is read and planned again, so that steps completed in the
 * meantime (by an interrupted run, or by someone else) are recognized and not repeated; the same if a precondition fails. What was not
 * edited is proposed again; if the new plan writes something that the person didn't see, the run stops. Takes the plan that the person saw,
 * and their edits, with organization and site of the plan. Never throws.
 */
export async function runPlan(ports: SetupPorts, page: string, plan: Plan, edits: Edits, options: RunOptions): Promise<RunResult> {
  const end = ports.inOneTrace?.();
  try {
    return await run(ports, page, plan, edits, options);
  } finally {
    end?.();
  }
}

async function run(ports: SetupPorts, page: string, plan: Plan, edits: Edits, options: RunOptions): Promise<RunResult> {
  const progress: Progress = { done: new Set(), revertible: [], pagesOfOthers: [] };
  const replans = new Map<StepId | 'not-written', number>();
  for (;;) {
    const once = readOnce(ports);
    const fresh = await replan(once, page, plan, edits, progress.pagesOfOthers, options);
    if (fresh.state !== 'known') {
      return fail('read', fresh.state === 'failed' ? fresh.failure : { kind: 'refused', finding: { kind: 'page-missing', page } }, options);
    }
    // Whether a page exists is read again right before it is created.
    const taking = { ...once, authoring: { ...once.authoring, page: ports.authoring.page } };
    const result = await takeSteps(taking, plan, fresh.value, progress, options);
    if (result.outcome === 'changed-meanwhile') {
      const cause = isNotWritten(result.failure) ? 'not-written' : result.step;
      const before = replans.get(cause) ?? 0;
      replans.set(cause, before + 1);
      if (before < (cause === 'not-written' ? 1 : REPLANS)) continue;
    }
    const end = result.outcome === 'changed-meanwhile' ? fail(result.step, result.failure, options) : result;
    if (end.outcome === 'failed') await revert(ports, progress.revertible);
    return end;
  }
}

/** The completed steps of a run, those of them that are its part of the switch, and pages that others created before the run did. */
interface Progress {
  readonly done: Set<StepId>;
  readonly revertible: Step[];
  readonly pagesOfOthers: string[];
}

/**
 * A failed step leaves the switch as it was. If reverting fails too, the next run finds the step done, and the previous values are still
 * stored.
 */
async function revert(ports: SetupPorts, steps: readonly Step[]): Promise<void> {
  const withRetry: WithRetry = (work) => retry({ ports, signal: neverAborting() }, work);
  for (const { call, revert: back } of steps.toReversed())
    if (call !== undefined && back !== undefined) await revertCall(ports, withRetry, { call, back });
}

interface Fresh {
  readonly plan: Plan;
  readonly target: Target;
  /** Absent for an undo: what is restored need not be ready to go live. */
  readonly gate: Gate | undefined;
  /** The first step that the authoring system would certainly refuse, and why. */
  readonly refused: { readonly step: StepId; readonly failure: Failure } | undefined;
}

async function replan(
  ports: SetupPorts,
  page: string,
  plan: Plan,
  edits: Edits,
  pagesOfOthers: readonly string[],
  options: RunOptions,
): Promise<Known<Fresh>> {
  const onWaiting = (attempt: number, why?: Failure) => options.onProgress(waiting('read', attempt, why));
  return retry({ ports, signal: options.signal, onWaiting }, async () => {
    const undo = plan.purpose === 'undo';
    const read = await readSituation(ports, page, undo ? NO_EDITS : edits, undefined, { info: options.info });
    if (read.state !== 'known') return read;
    const situation = { ...read.value, pagesOfOthers };
    const choices = withEdits(proposeChoices(situation), edits);
    const fresh = undo ? planUndo(await readWithRemovalFacts(ports, situation)) : planSetup(situation, choices);
    const refused = lockedStep(situation, fresh) ?? (undo && !fresh.blocked ? await refusedUndo(ports, situation, fresh) : undefined);
    const failure = passingBlock(fresh) ?? (refused !== undefined && isTransient(refused.failure) ? refused.failure : undefined);
    if (failure !== undefined) return { state: 'failed', failure };
    const previous = situation.settings.previous;
    const target = undo && previous !== undefined ? { organization: previous.org, siteName: previous.site } : choices;
    return {
      state: 'known',
      value: { plan: fresh, target, gate: undo ? undefined : gateOf(situation, choices), refused },
    };
  });
}

/** Like `readUndo`, which is loaded when something is undone: the first view doesn't need it. If loading fails, `undoFacts` is failed. */
export async function readWithRemovalFacts(ports: SetupPorts, situation: Situation): Promise<Situation> {
  const failure: Failure = { kind: 'unreachable' };
  const read = async () => (await import('../undo/read-undo.ts')).readUndo(ports, situation);
  return await read().catch(() => ({ ...situation, undoFacts: { state: 'failed', failure } as const }));
}

/** Locks and permissions for the whole undo, which is rarer than setup, and worse if it ends half way. Loaded with it. */
async function refusedUndo(ports: SetupPorts, situation: Situation, plan: Plan): Promise<Fresh['refused']> {
  const read = async () => (await import('../undo/read-undo.ts')).undoObstacle(ports, situation, plan);
  return await read().catch(() => ({ step: firstOpen(plan), failure: { kind: 'unreachable' } as const }));
}

/**
 * The first step that writes to the configuration, if someone else has locked it: nothing is written before it. This is known from what the
 * plan has read; other locks, and permissions, are noticed at the write: a setup would otherwise need ten more reads.
 */
function lockedStep({ profile, settings }: Situation, plan: Plan): Fresh['refused'] {
  const { author, configurationLockedBy: by } = settings;
  const path = edgeConfigurationPath(settings);
  const isOwnLock = profile.state === 'known' && profile.value.email.toLowerCase() === by?.toLowerCase();
  if (by === undefined || path === undefined || isOwnLock) return undefined;
  const step = plan.steps.find(({ state, call }) => state.kind !== 'done' && call?.address.startsWith(`${author}${path}`) === true);
  if (step === undefined) return undefined;
  const finding = { kind: 'obstacle', reason: 'locked', data: { path, by } } as const;
  return { step: step.id, failure: { kind: 'refused', system: 'authoring', finding } };
}

/** Part of the situation could not be read now, but may be readable later. */
function passingBlock(plan: Plan): Failure | undefined {
  const failures = plan.steps.map(({ state }) => (state.kind === 'blocked' ? state.failure : undefined));
  return failures.find((failure) => failure !== undefined && isTransient(failure));
}

async function takeSteps(
  ports: SetupPorts,
  shown: Plan,
  fresh: Fresh,
  { done, revertible, pagesOfOthers }: Progress,
  options: RunOptions,
): Promise<RunResult | Changed> {
  const block = fresh.plan.steps.find((step) => step.state.kind === 'blocked');
  if (block?.state.kind === 'blocked') return fail(block.id, blockFailure(block.state), options);
  if (shown.undoes !== undefined && !sameValue(fresh.plan.undoes, shown.undoes)) return endUndo(ports, shown, fresh.plan, options);
  if (shown.purpose === 'undo' && !done.has('register-site') && !isSiteAsShown(shown, fresh.plan))
    return fail('register-site', UNSHOWN, options);
  const unshown = shown.purpose === 'enable' ? unshownStep(shown, fresh.plan) : undefined;
  if (unshown !== undefined) return fail(unshown, UNSHOWN, options);
  if (fresh.refused !== undefined) return fail(fresh.refused.step, fresh.refused.failure, options);
  const passed = new Set<StepId>();
  for (const step of fresh.plan.steps) {
    if (options.signal.aborted) return stopped(done);
    const isShared = step.sharedWith !== undefined && passed.has(step.sharedWith);
    const isVerified = step.state.kind === 'verify' && done.has(step.id);
    passed.add(step.id);
    if (step.state.kind !== 'done' && !isShared && !isVerified) {
      options.onProgress({ step: step.id, state: 'running' });
      const onWaiting = (attempt: number, why?: Failure) => options.onProgress(waiting(step.id, attempt, why));
      const onFollowing = (job: SyncState) => options.onProgress({ step: step.id, state: 'following', job });
      const failure = await takeStep({ ports, signal: options.signal, onWaiting, onFollowing }, step, fresh.target, fresh.gate);
      if (failure !== undefined && options.signal.aborted) return stopped(done);
      if (failure?.finding?.kind === 'changed-meanwhile' && failure.finding.created !== undefined)
        pagesOfOthers.push(failure.finding.created);
      if (failure !== undefined && isNotWritten(failure)) return { outcome: 'changed-meanwhile', step: step.id, failure };
      if (failure !== undefined && isConflict(failure)) return { outcome: 'changed-meanwhile', step: step.id, failure: changed(failure) };
      if (failure !== undefined) return fail(step.id, failure, options);
      if (step.revert !== undefined) revertible.push(step);
      done.delete(step.id);
    }
    if (done.has(step.id)) continue;
    done.add(step.id);
    options.onProgress({ step: step.id, state: 'done' });
  }
  return { outcome: 'complete' };
}

/** An undo only replaces the version of the site that was shown, never a later one. */
function isSiteAsShown(shown: Plan, fresh: Plan): boolean {
  const ofSite = ({ steps }: Plan): Step | undefined => steps.find(({ id }) => id === 'register-site');
  const step = ofSite(fresh);
  return step?.state.kind === 'done' || sameValue(step?.call, ofSite(shown)?.call);
}

/** The record is missing or different: an undo is complete if everything was already restored. */
async function endUndo(ports: SetupPorts, shown: Plan, fresh: Plan, options: RunOptions): Promise<RunResult> {
  if (shown.undoes !== undefined && fresh.undoes === undefined) {
    const { undoes } = shown;
    const checkUndone = async () => (await import('../undo/read-undo.ts')).isUndone(ports, undoes);
    if (await checkUndone().catch(() => false)) return { outcome: 'complete' };
  }
  return fail(firstOpen(shown), UNSHOWN, options);
}

function firstOpen({ steps }: Plan): StepId {
  return steps.find(({ state }) => state.kind !== 'done')?.id ?? 'sign-in';
}

/** The person must review what would be written now. */
const UNSHOWN: Failure = { kind: 'refused', finding: { kind: 'plan-changed' } };

/** Nothing is written while any step is blocked. */
function blockFailure({ failure, reason, data }: StepState & { kind: 'blocked' }): Failure {
  return failure ?? { kind: 'refused', finding: { kind: 'blocked', reason, data } };
}

interface Changed {
  readonly outcome: 'changed-meanwhile';
  readonly step: StepId;
  readonly failure: Failure;
}

/** Someone else was faster: their change may be just what is desired. Every other refusal is final, whatever its status. */
function isConflict({ problem, finding }: Failure): boolean {
  return problem?.code === 'PRECONDITION_FAILED' || finding?.kind === 'changed-meanwhile';
}

/**
 * The authoring system accepted a write but has something else: another person may have written concurrently, which a new plan detects.
 * Otherwise, it fails with that.
 */
function isNotWritten({ finding }: Failure): boolean {
  return finding?.kind === 'not-written';
}

/** Preserves the answer, which contains the number of the request. */
function changed(failure: Failure): Failure {
  return { ...failure, finding: { kind: 'changed-meanwhile' } };
}

function waiting(step: RunStep, attempt: number, why: Failure | undefined): StepProgress {
  return { step, state: 'waiting', attempt, ...(why === undefined ? {} : { why }) };
}

function stopped(done: ReadonlySet<StepId>): RunResult {
  const after = [...done].at(-1);
  return after === undefined ? { outcome: 'stopped' } : { outcome: 'stopped', after };
}

function fail(step: RunStep, failure: Failure, { onProgress }: RunOptions): RunResult {
  onProgress({ step, state: 'failed', failure });
  return { outcome: 'failed', step, failure };
}

interface Running extends GateRun {
  readonly ports: SetupPorts;
}

/** Takes one open step. `gate` is that of the site, absent for an undo. Returns undefined if it succeeded, otherwise why not. */
async function takeStep(run: Running, step: Step, target: Target, gate: Gate | undefined): Promise<Failure | undefined> {
  const part = GATE_PARTS.find((id) => id === step.id);
  if (part !== undefined && gate !== undefined) return takeGatePart(run, gate, part);
  if (step.call === undefined) return undefined;
  if (step.id === 'link-repository' && gate !== undefined) return takeLink(run, target, gate);
  const { call } = step;
  if (step.state.kind === 'verify') return (await verifyHosts(run, { addresses: [call.address], target, info: gate?.info }))?.failure;
  for (const each of [call, ...(step.further ?? [])]) {
    const answer = await takeCall(run, (work) => retry(run, work), each);
    if (answer.state === 'failed') return answer.failure;
    if (answer.state === 'missing' && each.method !== 'DELETE') return NOT_FOUND;
  }
  return undefined;
}

/** Links the external repository to the site, and stores the resulting secret: no one else ever sees it. */
async function takeLink(run: Running, target: Target, { code, info }: Gate): Promise<Failure | undefined> {
  const { organization, siteName } = target;
  const builds = await run.ports.buildsAt?.(info.buildManagement ?? '').catch(() => undefined);
  if (builds === undefined) return { kind: 'unreachable', system: 'build-management' };
  const repository = await retry(run, () => builds.repository(organization, code.repo));
  if (repository.state !== 'known') return failureOf(repository);
  const end = await linkRepository(builds, organization, repository.value, siteName);
  if (end.state === 'failed') return end.failure;
  const stored = await retry(run, () => run.ports.service.send(secretCall({ ...target, secret: new SealedValue(end.outcome.secret) })));
  return failureOf(stored);
}
