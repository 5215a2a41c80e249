import { toCurl } from '#extension/setup/to-curl.ts';
import type { Call, Plan, Step, StepId, StepProgress, StepState } from '#extension/setup/plan.ts';
import type { BlockWords } from '#extension/words/en/blocked.ts';
import type { Words } from '#extension/words/words.ts';
import type { ChangeState } from './changes.ts';

export type Tone = 'positive' | 'notice' | 'negative' | 'info' | 'neutral' | 'yellow';

export interface StepView {
  readonly id: StepId;
  readonly number: number;
  readonly title: string;
  readonly why: string;
  readonly state: { readonly label: string; readonly tone: Tone };
  readonly blocked?: BlockWords;
  /** What is there now and what will be, where the step changes something that is there. */
  readonly change?: ChangeState;
  readonly call?: { readonly line: string; readonly body?: string; readonly curl: string };
  /** The step whose call makes this one too. */
  readonly sharedWith?: string;
  readonly active: boolean;
}

/** What the list of steps shows: the plan, and over it what a run has come to. */
export function stepViews(words: Words, plan: Plan, progress: ReadonlyMap<StepId, StepProgress>, service: string): StepView[] {
  return plan.steps.map((step, index) => {
    const now = progress.get(step.id);
    return {
      id: step.id,
      number: index + 1,
      ...titleOf(words, plan, step),
      state: now === undefined ? plannedState(words, step.state) : runState(words, now),
      ...(step.state.kind === 'blocked' ? { blocked: words.blocked[step.state.reason](step.state.data) } : {}),
      ...(step.state.kind === 'change' ? { change: step.state } : {}),
      ...callOf(step, service),
      ...(step.sharedWith === undefined ? {} : { sharedWith: words.steps[step.sharedWith].title }),
      active: now?.state === 'running' || now?.state === 'waiting',
    };
  });
}

/** How much of a plan is done, for the line above the list. */
export function planCount(plan: Plan): { readonly done: number; readonly open: number } {
  const done = plan.steps.filter((step) => step.state.kind === 'done').length;
  return { done, open: plan.steps.length - done };
}

function titleOf(words: Words, plan: Plan, step: Step) {
  return plan.purpose === 'undo' ? words.undoSteps[step.id] : words.steps[step.id];
}

function plannedState(words: Words, state: StepState): StepView['state'] {
  const { states } = words.plan;
  switch (state.kind) {
    case 'done':
      return { label: states.done, tone: 'positive' };
    case 'create':
      return { label: states.create, tone: 'info' };
    case 'change':
      return { label: states.change, tone: 'notice' };
    case 'verify':
      return { label: states.verify, tone: 'neutral' };
    case 'blocked':
      return { label: states.blocked, tone: 'negative' };
    default:
      return state satisfies never;
  }
}

function runState(words: Words, progress: StepProgress): StepView['state'] {
  const { states } = words.plan;
  switch (progress.state) {
    case 'running':
      return { label: states.running, tone: 'info' };
    case 'waiting':
      return { label: states.waiting(progress.attempt), tone: 'yellow' };
    case 'done':
      return { label: states.finished, tone: 'positive' };
    case 'failed':
      return { label: states.failed, tone: 'negative' };
    default:
      return progress satisfies never;
  }
}

function callOf({ call }: Step, service: string): Pick<StepView, 'call'> {
  if (call === undefined) return {};
  const body = bodyOf(call);
  const address = call.target === 'service' ? `${service}${call.address}` : call.address;
  return { call: { line: `${call.method} ${address}`, ...(body === undefined ? {} : { body }), curl: toCurl(call, service) } };
}

function bodyOf({ body }: Call): string | undefined {
  if (body === undefined) return undefined;
  if (body.type === 'secret') return JSON.stringify({ value: body.value }, undefined, 2);
  return body.type === 'json'
    ? JSON.stringify(body.value, undefined, 2)
    : body.fields.map(([name, value]) => `${name}=${value}`).join('\n');
}
