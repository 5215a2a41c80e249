import { pointerSegments } from '@repoless/contract/errors.ts';
import { valueAt } from '@repoless/contract/json.ts';
import { type BlockMessages, explainBlock, explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { Messages, MessagesOf } from '@repoless/core/messages/language.ts';
import type { Evidence, Plan, RunStep, Step, StepId, StepProgress, StepState } from '@repoless/core/plan/plan.ts';
import type { Call } from '@repoless/core/situation/call.ts';
import { toCurl } from '@repoless/core/plan/to-curl.ts';
import { createContext } from 'react';
import { createPatch } from 'rfc6902';
import { printJson } from '@repoless/core/history/json-values.ts';
import { blockingField, type ShownField } from './choice-problems.ts';
import { followedSentence } from './use-run.ts';

type SetupMessages = Messages & Pick<MessagesOf<'setup'>, 'setup'>;

export type Tone = 'positive' | 'notice' | 'negative' | 'info' | 'neutral' | 'yellow';

export interface StepView {
  readonly id: StepId;
  readonly number: number;
  readonly title: string;
  readonly why: string;
  readonly state: { readonly label: string; readonly tone: Tone };
  readonly blocked?: BlockMessages;
  readonly field?: { readonly id: ShownField; readonly label: string };
  readonly evidence?: Evidence;
  /** The step's current progress, or what it waited for when the plan was made. */
  readonly live?: Live;
  /** The current and the future value, if the step changes something that exists. */
  readonly change?: ChangeState;
  readonly call?: { readonly text: string; readonly curl: string };
  /** The step whose call also takes this one. */
  readonly sharedWith?: string;
  readonly phase: StepPhase;
}

/** The state of a step for readers. An open or waiting step is not due: its evidence is not shown. */
type StepPhase = 'done' | 'open' | 'active' | 'waits' | 'blocked' | 'failed';

/** Whether requests, changes in the stored documents and evidence are shown. */
export const TechnicalContext = createContext(false);

const GROUPS = ['prepare', 'register', 'verify', 'switch'] as const;
type StepGroup = (typeof GROUPS)[number];

const GROUP_OF: Record<StepId, StepGroup> = {
  'sign-in': 'prepare',
  'claim-organization': 'prepare',
  repository: 'prepare',
  'create-configuration': 'prepare',
  'keep-previous': 'prepare',
  'select-configuration': 'prepare',
  'configuration-page': 'prepare',
  'register-site': 'register',
  'link-repository': 'register',
  'store-secret': 'register',
  'map-paths': 'register',
  'set-access': 'register',
  'code-sync': 'register',
  'editor-files': 'verify',
  'verify-preview': 'verify',
  'verify-live': 'verify',
  'may-publish': 'verify',
  'cloud-configuration': 'switch',
  'configuration-served': 'switch',
  'content-page': 'switch',
  'project-type': 'switch',
};

interface GroupView {
  readonly id: StepGroup;
  readonly steps: readonly StepView[];
  readonly state: StepView['state'];
  /** Something in it requires attention: it is in progress, or someone must act. */
  readonly isOpen: boolean;
}

export function stepGroups(messages: SetupMessages, views: readonly StepView[]): GroupView[] {
  return GROUPS.flatMap((id) => {
    const steps = views.filter((step) => GROUP_OF[step.id] === id);
    if (steps.length === 0) return [];
    const isOpen = steps.some(({ phase, live }) => live !== undefined || phase === 'active' || phase === 'blocked' || phase === 'failed');
    return [{ id, steps, state: groupState(messages, steps), isOpen }];
  });
}

function groupState({ plan: { states }, setup }: SetupMessages, steps: readonly StepView[]): StepView['state'] {
  const count = (phase: StepPhase) => steps.filter((step) => step.phase === phase).length;
  if (count('failed') > 0) return { label: states.failed, tone: 'negative' };
  if (count('blocked') > 0) return { label: states.blocked, tone: 'negative' };
  if (count('active') > 0) return { label: states.running, tone: 'info' };
  const left = steps.length - count('done');
  if (left === 0) return { label: states.finished, tone: 'positive' };
  return { label: count('waits') === left ? setup.waiting : setup.toDo({ count: left }), tone: 'neutral' };
}

/** The progress of a step that takes a while, and what it waits for. */
export interface Live {
  readonly text: string;
  readonly files?: { readonly done: number; readonly of: number };
}

/** The list of steps: the plan, updated with the progress of a run. `steps` of the messages are those of the plan. */
export function stepViews(messages: SetupMessages, plan: Plan, progress: ReadonlyMap<RunStep, StepProgress>, service: string): StepView[] {
  return plan.steps.map((step, index) => {
    const now = progress.get(step.id);
    return {
      id: step.id,
      number: index + 1,
      ...messages.steps[step.id],
      state: now === undefined ? plannedState(messages, step) : runState(messages, now),
      ...(step.state.kind === 'blocked' && !isWaiting(step.state) ? blockOf(messages, step.state) : {}),
      ...(step.evidence === undefined ? {} : { evidence: step.evidence }),
      ...liveOf(messages, now, step),
      ...(step.state.kind === 'change' ? { change: step.state } : {}),
      ...callOf(step, service),
      ...(step.sharedWith === undefined ? {} : { sharedWith: messages.steps[step.sharedWith].title }),
      phase: phaseOf(step, now),
    };
  });
}

function phaseOf({ state }: Step, now: StepProgress | undefined): StepPhase {
  if (now !== undefined) return now.state === 'done' || now.state === 'failed' ? now.state : 'active';
  if (state.kind === 'blocked') return isWaiting(state) ? 'waits' : 'blocked';
  return state.kind === 'done' ? 'done' : 'open';
}

function isWaiting(state: Extract<StepState, { kind: 'blocked' }>): boolean {
  return state.reason === 'earlier-step';
}

function liveOf(messages: Messages, now: StepProgress | undefined, { awaited }: Step): Pick<StepView, 'live'> {
  const why = now?.state === 'waiting' ? now.why : now === undefined ? awaited : undefined;
  if (why !== undefined) return { live: { text: explainFailure(messages, why).sentence } };
  if (now?.state !== 'following') return {};
  const { job } = now;
  const text = followedSentence(messages, job);
  if (job.state !== 'running' || job.progress.total === 0) return { live: { text } };
  return { live: { text, files: { done: job.progress.processed, of: job.progress.total } } };
}

/** Number of completed and open steps, for the line above the list. */
export function planCount(plan: Plan): { readonly done: number; readonly open: number } {
  const done = plan.steps.filter((step) => step.state.kind === 'done').length;
  return { done, open: plan.steps.length - done };
}

function blockOf(messages: Messages, state: Extract<StepState, { kind: 'blocked' }>): Pick<StepView, 'blocked' | 'field'> {
  const id = blockingField(state);
  return {
    blocked: explainBlock(messages, state.reason, state.data),
    ...(id === undefined ? {} : { field: { id, label: messages.choices[id] } }),
  };
}

function plannedState({ plan: { states }, setup }: SetupMessages, { id, state }: Step): StepView['state'] {
  switch (state.kind) {
    case 'done':
      return { label: states.done, tone: 'positive' };
    case 'create':
      return { label: states.create, tone: 'info' };
    case 'change':
      return { label: states.change, tone: 'notice' };
    case 'verify':
      return { label: id === 'code-sync' ? states.sync : states.verify, tone: 'neutral' };
    case 'blocked':
      return isWaiting(state) ? { label: setup.waiting, tone: 'neutral' } : { label: states.blocked, tone: 'negative' };
    default:
      return state satisfies never;
  }
}

function runState(messages: Messages, progress: StepProgress): StepView['state'] {
  const { states } = messages.plan;
  switch (progress.state) {
    case 'running':
      return { label: states.running, tone: 'info' };
    case 'waiting':
      return { label: states.waiting({ attempt: progress.attempt }), tone: 'yellow' };
    case 'following':
      return { label: states.following, tone: 'info' };
    case 'done':
      return { label: states.finished, tone: 'positive' };
    case 'failed':
      return { label: states.failed, tone: 'negative' };
    default:
      return progress satisfies never;
  }
}

function callOf({ call, further = [] }: Step, service: string): Pick<StepView, 'call'> {
  if (call === undefined) return {};
  const calls = [call, ...further];
  const lines = calls.map(({ target, method, address }) => `${method} ${target === 'service' ? `${service}${address}` : address}`);
  const bodies = new Set(calls.flatMap((each) => bodyOf(each) ?? []));
  return { call: { text: [lines.join('\n'), ...bodies].join('\n\n'), curl: calls.map((each) => toCurl(each, service)).join('\n') } };
}

function bodyOf({ body }: Call): string | undefined {
  if (body === undefined) return undefined;
  if (body.type === 'secret') return printJson({ value: body.value });
  return body.type === 'json' ? printJson(body.value) : body.fields.map(([name, value]) => `${name}=${value}`).join('\n');
}

/** A step that changes something that exists. */
export type ChangeState = Extract<StepState, { kind: 'change' }>;

/** One changed value: its JSON pointer, previous and new value. Absent if there is none. */
interface Change {
  readonly where: string;
  readonly before?: string;
  readonly after?: string;
}

/** The changes of a step, one for each location that a patch between the two values touches. */
export function changesOf({ before, after }: ChangeState): Change[] {
  return createPatch(before, after)
    .filter((operation) => operation.op !== 'test')
    .map((operation) => {
      const old = operation.op === 'add' ? undefined : valueAt(before, pointerSegments(operation.path));
      const next: unknown = 'value' in operation ? operation.value : undefined;
      return {
        where: operation.path,
        ...(old === undefined ? {} : { before: print(old) }),
        ...(next === undefined ? {} : { after: print(next) }),
      };
    });
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : printJson(value);
}
