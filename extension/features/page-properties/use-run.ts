import type { ServiceInfo } from '@repoless/contract/service.ts';
import { codeText, explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { Messages, MessagesOf } from '@repoless/core/messages/language.ts';
import type { Edits } from '@repoless/core/plan/choices.ts';
import type { Plan, RunResult, RunStep, StepProgress } from '@repoless/core/plan/plan.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { isSignedOut } from '@repoless/core/situation/call.ts';
import { runPlan } from '@repoless/core/run/run-plan.ts';
import type { SyncState } from '@repoless/core/sync/sync-state.ts';
import { useReducer } from 'react';
import { useStopper } from '../../ui/use-reading.ts';

export interface Runner {
  readonly run: Run;
  start(plan: Plan, edits: Edits): Promise<RunResult>;
  stop(): void;
  dismiss(): void;
}

/** Runs a plan, one at a time, and reports its progress. Stops when the view unmounts. */
export function useRun(ports: SetupPorts, page: string, info: ServiceInfo): Runner {
  const [run, dispatch] = useReducer(reduceRun, IDLE);
  const stopper = useStopper();
  return {
    run,
    start: async (plan, edits) => {
      const signal = stopper.start();
      dispatch({ type: 'start', plan });
      const result = await runPlan(ports, page, plan, edits, {
        signal,
        info,
        onProgress: (progress) => dispatch({ type: 'progress', progress }),
      });
      dispatch({ type: 'ended', result });
      return result;
    },
    stop: () => {
      stopper.stop();
      dispatch({ type: 'stopping' });
    },
    dismiss: () => dispatch({ type: 'dismiss' }),
  };
}

export type Run =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly plan: Plan; readonly progress: ReadonlyMap<RunStep, StepProgress>; readonly stopping: boolean }
  | { readonly state: 'ended'; readonly plan: Plan; readonly progress: ReadonlyMap<RunStep, StepProgress>; readonly result: RunResult };

type RunEvent =
  | { readonly type: 'start'; readonly plan: Plan }
  | { readonly type: 'progress'; readonly progress: StepProgress }
  | { readonly type: 'stopping' }
  | { readonly type: 'ended'; readonly result: RunResult }
  | { readonly type: 'dismiss' };

const IDLE: Run = { state: 'idle' };

function reduceRun(run: Run, event: RunEvent): Run {
  switch (event.type) {
    case 'start':
      return { state: 'running', plan: event.plan, progress: new Map(), stopping: false };
    case 'progress':
      if (run.state !== 'running') return run;
      return { ...run, progress: new Map(run.progress).set(event.progress.step, event.progress) };
    case 'stopping':
      return run.state === 'running' ? { ...run, stopping: true } : run;
    case 'ended':
      return run.state === 'running' ? { state: 'ended', plan: run.plan, progress: run.progress, result: event.result } : run;
    case 'dismiss':
      return IDLE;
    default:
      return event satisfies never;
  }
}

export function progressOf(run: Run): ReadonlyMap<RunStep, StepProgress> {
  return run.state === 'idle' ? new Map() : run.progress;
}

export function isComplete(run: Run): boolean {
  return run.state === 'ended' && run.result.outcome === 'complete';
}

export function runCount(run: Exclude<Run, { state: 'idle' }>): { readonly done: number; readonly total: number } {
  const done = run.plan.steps.filter((step) => (run.progress.get(step.id)?.state ?? (step.state.kind === 'done' ? 'done' : '')) === 'done');
  return { done: done.length, total: run.plan.steps.length };
}

/** A run that ended because nothing answered, or the person is no longer signed in: reloading now would fail in the same way. */
export function isOutOfReach(result: RunResult): boolean {
  if (result.outcome !== 'failed') return false;
  return result.failure.kind === 'unreachable' || result.failure.kind === 'timeout' || isSignedOut(result.failure);
}

/** A run that stopped before it wrote something that its plan did not show: the new plan must be reviewed. */
export function isPlanChanged(result: RunResult): boolean {
  return result.outcome === 'failed' && result.failure.finding?.kind === 'plan-changed';
}

/** The sentence for the latest event, for the live region. `steps`: the plan's messages for its steps. */
export function announcement(messages: Messages & Pick<MessagesOf<'setup'>, 'run'>, steps: Messages['steps'], run: Run): string {
  if (run.state === 'idle') return '';
  if (run.state === 'ended' && run.result.outcome === 'complete')
    return run.plan.purpose === 'undo' ? messages.run.completeUndo : messages.run.complete;
  if (run.state === 'ended' && run.result.outcome === 'stopped') return messages.run.stopped;
  const latest = [...run.progress.values()].at(-1);
  if (latest === undefined) return '';
  // A failure is an alert, which is announced by itself.
  if (latest.state === 'failed') return '';
  const title = latest.step === 'read' ? messages.run.reading : steps[latest.step].title;
  switch (latest.state) {
    case 'running':
      return messages.run.stepRunning({ title });
    case 'waiting':
      return messages.run.stepWaiting({
        title,
        attempt: latest.attempt,
        why: latest.why === undefined ? '' : explainFailure(messages, latest.why).sentence,
      });
    case 'following':
      return messages.run.stepFollowing({ title, phase: followedSentence(messages, latest.job) });
    case 'done':
      return messages.run.stepDone({ title });
    default:
      return latest satisfies never;
  }
}

export function followedSentence(messages: Messages, job: SyncState): string {
  const { plan } = messages;
  if (job.state === 'waiting') return plan.queued;
  if (job.state !== 'running') return '';
  return job.waitsFor === undefined ? plan.phases[job.phase] : codeText(messages, job.waitsFor);
}
