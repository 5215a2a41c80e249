import { at, entriesOf, isObject, keysOf } from '../history/json-values.ts';
import { PREVIOUS_PROPERTY } from '../situation/edge-configuration.ts';
import type { Plan, Step, StepId } from './plan.ts';
import { writtenParts } from './service-steps.ts';

/** The purpose of a step: `work` makes a difference to people, `read` only reads, `record` stores what an undo needs. */
const PURPOSES = {
  'sign-in': 'read',
  'claim-organization': 'work',
  repository: 'read',
  'create-configuration': 'work',
  'keep-previous': 'record',
  'select-configuration': 'work',
  'configuration-page': 'work',
  'register-site': 'work',
  'link-repository': 'work',
  'store-secret': 'work',
  'map-paths': 'work',
  'set-access': 'work',
  'code-sync': 'work',
  'editor-files': 'read',
  'verify-preview': 'read',
  'verify-live': 'read',
  'may-publish': 'read',
  'cloud-configuration': 'work',
  'configuration-served': 'read',
  'content-page': 'read',
  'project-type': 'work',
} as const satisfies Record<StepId, 'work' | 'read' | 'record'>;

export type WorkStep = { [S in StepId]: (typeof PURPOSES)[S] extends 'work' ? S : never }[StepId];

/** The work of a plan, from which the button and the sentence above it are derived. */
export type PlanWork =
  /** Everything is done, or the plan is an undo, which has its own button. */
  | { readonly kind: 'nothing' }
  /** The site is already switched, but the service could not be read: it is unknown what differs. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'verify' }
  /** One thing is missing on a site that is already switched. */
  | { readonly kind: 'single'; readonly step: WorkStep }
  /** Something differs on a site that is already switched. */
  | { readonly kind: 'repair'; readonly steps: readonly WorkStep[] }
  /** Part of it was done before; `open` steps remain, including those that only read. */
  | { readonly kind: 'finish'; readonly open: number }
  | { readonly kind: 'enable' };

/** Steps that only this setup takes: if one of them is done, setup was started. */
const SETUP_STEPS: ReadonlySet<StepId> = new Set(['register-site', 'map-paths', 'project-type']);

export function planWork(plan: Plan): PlanWork {
  if (plan.purpose === 'undo' || plan.complete) return { kind: 'nothing' };
  const open = plan.steps.filter((step) => step.state.kind !== 'done');
  if (open.some((step) => step.id === 'project-type')) {
    const isStarted = plan.steps.some((step) => SETUP_STEPS.has(step.id) && step.state.kind === 'done');
    return isStarted ? { kind: 'finish', open: open.length } : { kind: 'enable' };
  }
  const work = open.filter(isWork);
  if (work.some(isUnseen)) return { kind: 'unknown' };
  const [first, ...others] = work;
  if (first === undefined) return { kind: 'verify' };
  if (others.length === 0 && (first.state.kind === 'create' || first.id === 'code-sync')) return { kind: 'single', step: first.id };
  return { kind: 'repair', steps: work.map(({ id }) => id) };
}

function isWork(step: Step): step is Step & { readonly id: WorkStep } {
  return PURPOSES[step.id] === 'work';
}

function isUnseen({ state }: Step): boolean {
  return state.kind === 'blocked' && state.reason === 'service-unreachable';
}

/** The effects of a plan on people: e-mail addresses as they will be stored. */
export interface PlanPeople {
  /** The caller claims this organization, and becomes its first administrator. */
  readonly claims?: string;
  readonly administrators: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly publishers: readonly string[];
}

/** Reads from the calls of a plan who gains and loses what. Blocked steps change nothing. */
export function planPeople(plan: Plan): PlanPeople {
  const claim = stepOf(plan, 'claim-organization');
  const claims = claim?.state.kind === 'create' ? /^\/config\/([^/]+)\.json/.exec(claim.call?.address ?? '')?.[1] : undefined;
  const roles = accessRoles(stepOf(plan, 'set-access'));
  return {
    ...(claims === undefined ? {} : { claims }),
    administrators: { added: gained(roles, 'admin'), removed: lost(roles, 'admin') },
    publishers: gained(roles, 'config_admin'),
  };
}

interface Roles {
  readonly before: unknown;
  readonly after: unknown;
}

/** The roles before and after; for a step that creates a site, from the site that its call sends. */
function accessRoles(step: Step | undefined): Roles {
  if (step === undefined) return { before: undefined, after: undefined };
  const { state, call } = step;
  if (state.kind === 'change')
    return { before: at(state.before, 'access', 'admin', 'role'), after: at(state.after, 'access', 'admin', 'role') };
  if (state.kind !== 'create' || call?.body?.type !== 'json') return { before: undefined, after: undefined };
  const { value } = call.body;
  return { before: undefined, after: at(value, 'access', 'admin', 'role') ?? at(value, 'admin', 'role') };
}

function gained({ before, after }: Roles, role: string): readonly string[] {
  return missingFrom(entriesOf(at(after, role)), entriesOf(at(before, role)));
}

function lost({ before, after }: Roles, role: string): readonly string[] {
  return missingFrom(entriesOf(at(before, role)), entriesOf(at(after, role)));
}

/** Names are compared without regard to case. */
function missingFrom(names: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others.map((name) => name.toLowerCase()));
  return names.filter((name) => !known.has(name.toLowerCase()));
}

function stepOf(plan: Plan, id: StepId): Step | undefined {
  return plan.steps.find((step) => step.id === id);
}

/** The first step that writes something the confirmed plan did not show. The record of the previous values does not count. */
export function unshownStep(shown: Plan, fresh: Plan): StepId | undefined {
  const writes = ({ steps }: Plan) => steps.filter(({ id }) => id !== 'keep-previous');
  return unshownWrite(writes(shown), writes(fresh), ({ id, call }) => writtenParts(id, call))?.id;
}

/**
 * The first write that was not shown: another value, or a value that replaces another one. Undefined if there is none. `sent`: what the call of a
 * step sends to the service, limited to the parts that the step is about.
 */
export function unshownWrite<Id extends string>(
  shown: readonly Step<Id>[],
  fresh: readonly Step<Id>[],
  sent: (step: Step<Id>) => unknown = sentBy,
): Step<Id> | undefined {
  return fresh.find((write) => {
    const confirmed = shown.find(({ id }) => id === write.id);
    const known = new Set(confirmed === undefined ? [] : differencesOf(confirmed, sent(confirmed)));
    return differencesOf(write, sent(write)).some((one) => !known.has(one));
  });
}

function sentBy({ call }: Step<string>): unknown {
  return call?.body?.type === 'json' ? call.body.value : undefined;
}

/** Each difference that a write makes, as a string, so that equal differences of two plans are equal strings. */
function differencesOf({ state, call }: Step<string>, sent: unknown): string[] {
  if (state.kind === 'change') return differences('', state.before, state.after);
  if (state.kind !== 'create') return [];
  if (sent !== undefined) return differences('', undefined, sent);
  const fields = call?.body?.type === 'form' ? call.body.fields : [];
  return ['create', ...fields.filter(([name]) => !name.includes(PREVIOUS_PROPERTY)).map((field) => JSON.stringify(field))];
}

/** For lists, what is added and removed: their order is not a difference. */
function differences(path: string, before: unknown, after: unknown): string[] {
  if (isObject(before) || isObject(after)) {
    const hidden = (value: unknown) => (value === undefined || isObject(value) ? [] : [`${path} ${JSON.stringify(value)}`]);
    const below = keysOf(before, after).flatMap((key) => differences(`${path}/${key}`, keyOf(before, key), keyOf(after, key)));
    return [...hidden(before), ...hidden(after), ...below];
  }
  if (Array.isArray(before) || Array.isArray(after)) {
    const [old, next] = [textsOf(before), textsOf(after)];
    return [...withoutTexts(next, old).map((text) => `${path} + ${text}`), ...withoutTexts(old, next).map((text) => `${path} - ${text}`)];
  }
  const [old, next] = [JSON.stringify(before), JSON.stringify(after)];
  return old === next ? [] : [`${path}: ${old} → ${next}`];
}

function keyOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function textsOf(value: unknown): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)) : [JSON.stringify(value)];
}

function withoutTexts(texts: readonly string[], others: readonly string[]): string[] {
  const excluded = new Set(others);
  return texts.filter((text) => !excluded.has(text));
}
