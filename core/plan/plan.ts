import { sameValue } from '@repoless/contract/json.ts';
import type { StoredDocument } from '../history/history-port.ts';
import type { BlockReason, Call, Failure } from '../situation/call.ts';
import type { Previous, UndoEffect } from '../situation/situation.ts';
import type { SyncState } from '../sync/sync-state.ts';

/** The steps in their safe order: the service first, then verification, the authoring system's switch last (docs/design-facts.md 3.2). */
export const STEP_IDS = [
  'sign-in',
  'claim-organization',
  'repository',
  'create-configuration',
  'keep-previous',
  'select-configuration',
  'configuration-page',
  'register-site',
  'link-repository',
  'store-secret',
  'map-paths',
  'set-access',
  'code-sync',
  'editor-files',
  'verify-preview',
  'verify-live',
  'may-publish',
  'cloud-configuration',
  'configuration-served',
  'content-page',
  'project-type',
] as const;
export type StepId = (typeof STEP_IDS)[number];

export type StepState =
  | { readonly kind: 'done' }
  | { readonly kind: 'create' }
  | { readonly kind: 'change'; readonly before: unknown; readonly after: unknown }
  /** Nothing to store; it is checked when the step runs. */
  | { readonly kind: 'verify' }
  | {
      readonly kind: 'blocked';
      readonly reason: BlockReason;
      readonly data: Readonly<Record<string, string>>;
      /** The refusal that caused it. */
      readonly failure?: Failure;
    };

/** The request and its answer, if the state of a step was read rather than written. */
export interface Evidence {
  readonly request: string;
  readonly answer: string;
}

/** A step of any plan: of one page, whose steps are `StepId`, or of a row of many sites. */
export interface Step<Id extends string = StepId> {
  readonly id: Id;
  readonly state: StepState;
  /** Steps with the same call share it: it is sent once, at the first of them. */
  readonly call?: Call;
  readonly further?: readonly Call[];
  readonly sharedWith?: Id;
  readonly evidence?: Evidence;
  readonly revert?: Call;
  /** The site's own configuration before the call. */
  readonly restores?: StoredDocument;
  /** What a host that updates by itself did not serve yet when it was read. */
  readonly awaited?: Failure;
}

export interface Plan {
  readonly purpose: 'enable' | 'undo';
  readonly steps: readonly Step[];
  readonly complete: boolean;
  /** At least one step is blocked, so apply is not offered. */
  readonly blocked: boolean;
  /** What an undo restores; absent if nothing is recorded. */
  readonly undoes?: Undoes;
  /** What an undo does to the site; absent if that was not read, or there is no site. */
  readonly back?: UndoEffect;
  /** Configuration pages that setup created and an undo leaves, because someone has changed them since. */
  readonly stays?: readonly string[];
}

export interface Undoes {
  /** The `/conf` path of the Edge Delivery configuration that contains the record. */
  readonly configuration: string;
  readonly record: Previous;
}

/** A step of the plan, or reading the current state, after which a run plans again before it writes. */
export type RunStep = StepId | 'read';

export type StepProgress =
  | { readonly step: StepId; readonly state: 'running' }
  | { readonly step: RunStep; readonly state: 'waiting'; readonly attempt: number; readonly why?: Failure }
  | { readonly step: StepId; readonly state: 'following'; readonly job: SyncState }
  | { readonly step: StepId; readonly state: 'done' }
  | { readonly step: RunStep; readonly state: 'failed'; readonly failure: Failure };

export type RunResult =
  | { readonly outcome: 'complete' }
  | { readonly outcome: 'stopped'; readonly after?: StepId }
  | { readonly outcome: 'failed'; readonly step: RunStep; readonly failure: Failure };

export function blocked(reason: BlockReason, data: Readonly<Record<string, string>> = {}): StepState {
  return { kind: 'blocked', reason, data };
}

/** Creates a plan from its steps: open steps after a blocked one wait for it, even if they would be blocked for the same reason. */
export function planOf(purpose: Plan['purpose'], steps: readonly Step[]): Plan {
  const first = steps.find((step) => step.state.kind === 'blocked')?.id;
  const ordered = first === undefined ? steps : waitFor(first, steps);
  return {
    purpose,
    steps: ordered,
    complete: ordered.every((step) => step.state.kind === 'done'),
    blocked: first !== undefined,
  };
}

function waitFor(first: StepId, steps: readonly Step[]): Step[] {
  const from = steps.findIndex((step) => step.id === first);
  return steps.map((step, index) => {
    const isRepeated = step.state.kind === 'blocked' && steps.findIndex(({ state }) => sameValue(state, step.state)) < index;
    const waits = index > from && step.state.kind !== 'done' && (step.state.kind !== 'blocked' || isRepeated);
    return waits ? { id: step.id, state: blocked('earlier-step', { step: first }) } : step;
  });
}

/** A step that changes `before` into `after`: done if they are equal, `create` if there was nothing. */
export function changeState(before: unknown, after: unknown): StepState {
  if (sameValue(before, after)) return { kind: 'done' };
  if (before === undefined) return { kind: 'create' };
  return { kind: 'change', before, after };
}

/** The block of a step whose call the service refused or did not answer. `data.detail` is the service's own sentence. */
export function blockedByFailure(failure: Failure): StepState {
  return { kind: 'blocked', reason: reasonOf(failure), data: failureData(failure), failure };
}

export function failureData(failure: Failure): Record<string, string> {
  return {
    ...failure.problem?.data,
    ...(failure.problem === undefined ? {} : { code: failure.problem.code, detail: failure.problem.detail }),
    ...(failure.status === undefined ? {} : { status: String(failure.status) }),
    ...(failure.message === undefined ? {} : { message: failure.message }),
    ...(failure.finding?.kind === 'unread' ? { from: failure.finding.from, about: failure.finding.about } : {}),
    ...(failure.problem?.errors?.[0] === undefined ? {} : { problem: failure.problem.errors[0].detail }),
  };
}

function reasonOf(failure: Failure): BlockReason {
  if (failure.kind === 'unreachable' || failure.kind === 'timeout') return 'service-unreachable';
  if (failure.finding?.kind === 'unread') return 'answer-unread';
  switch (failure.problem?.code) {
    case 'NOT_AUTHENTICATED':
    case 'TOKEN_REFUSED':
      return 'not-signed-in';
    case 'NOT_AUTHORIZED':
    case 'ORG_ALREADY_CLAIMED':
    case 'WOULD_LOCK_OUT':
      return 'not-administrator';
    case 'ORG_NOT_FOUND':
    case 'CLAIM_NOT_PROVEN':
      return 'organization-not-claimed';
    case 'ORG_UNKNOWN_ON_CODE_HOST':
      return 'organization-missing';
    case 'CONTENT_ROOT_TAKEN':
      return 'content-root-taken';
    case 'HOST_LABEL_TOO_LONG':
      return 'host-label-too-long';
    case 'NAME_INVALID':
      return 'name-invalid';
    default:
      return failure.status !== undefined && failure.status >= 500 ? 'service-unreachable' : 'refused';
  }
}
