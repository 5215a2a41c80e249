import type { SealedText } from './sealed-text.ts';
import type { Failure } from './situation.ts';

/** The steps in their safe order: the service first, then verify, the authoring system's switch last. */
export const STEP_IDS = [
  'sign-in',
  'claim-organization',
  'keep-previous',
  'configuration-page',
  'register-site',
  'store-secret',
  'map-paths',
  'set-access',
  'verify-preview',
  'verify-live',
  'cloud-configuration',
  'project-type',
] as const;
export type StepId = (typeof STEP_IDS)[number];

/** One exact call, to be shown, copied as curl, and made. */
export interface Call {
  readonly target: 'service' | 'authoring' | 'host';
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** `service`: path and query below the service's address. `authoring`, `host`: a whole address. */
  readonly address: string;
  readonly body?:
    | { readonly type: 'json'; readonly value: unknown }
    | { readonly type: 'form'; readonly fields: readonly (readonly [string, string])[] }
    /** `{value}` of call 6; printed nowhere. */
    | { readonly type: 'secret'; readonly value: SealedText };
  readonly ifMatch?: string;
  /**
   * What is stored at the call's path as the plan knows it (undefined: nothing). Right before the call it is read with its
   * etag, so that what somebody else stored meanwhile is never replaced.
   */
  readonly replaces?: { readonly value: unknown };
  /** The call makes something new and must not replace what another person made meanwhile. */
  readonly ifNoneMatch?: '*';
}

export type StepState =
  | { readonly kind: 'done' }
  | { readonly kind: 'create' }
  | { readonly kind: 'change'; readonly before: unknown; readonly after: unknown }
  /** Nothing to store; it is looked at when its turn comes. */
  | { readonly kind: 'verify' }
  | {
      readonly kind: 'blocked';
      readonly reason: BlockReason;
      readonly data: Readonly<Record<string, string>>;
      /** The refusal behind it. */ readonly failure?: Failure;
    };

export type BlockReason =
  | 'not-signed-in'
  | 'organization-missing'
  | 'organization-not-claimed'
  | 'not-administrator'
  | 'name-invalid'
  | 'host-label-too-long'
  | 'mapping-invalid'
  | 'technical-account-missing'
  | 'content-root-taken'
  | 'secret-missing'
  | 'secret-invalid'
  | 'inherited-configuration'
  | 'cloud-configuration-missing'
  | 'configuration-page-type'
  | 'refused'
  | 'service-unreachable'
  | 'authoring-unreachable'
  | 'earlier-step';

export interface Step {
  readonly id: StepId;
  readonly state: StepState;
  /** Steps with one and the same call share it: it is made once, at the first of them. */
  readonly call?: Call;
  readonly sharedWith?: StepId;
}

export interface Plan {
  readonly purpose: 'enable' | 'undo';
  readonly steps: readonly Step[];
  /** Every step is done: the site is set up. */
  readonly complete: boolean;
  /** At least one step is blocked: apply is not offered. */
  readonly blocked: boolean;
}

export type StepProgress =
  | { readonly step: StepId; readonly state: 'running' }
  | { readonly step: StepId; readonly state: 'waiting'; readonly attempt: number }
  | { readonly step: StepId; readonly state: 'done' }
  | { readonly step: StepId; readonly state: 'failed'; readonly failure: Failure };

export type RunResult =
  | { readonly outcome: 'complete' }
  | { readonly outcome: 'stopped'; readonly after?: StepId }
  | { readonly outcome: 'failed'; readonly step: StepId; readonly failure: Failure };
