import { at, entriesOf, isObject, keysOf } from '../history/json-place.ts';
import { PREVIOUS_PROPERTY } from '../situation/edge-configuration.ts';
import type { Call, Plan, Step, StepId, StepState } from './plan.ts';
import { writtenParts } from './service-steps.ts';

/** What a step is for: `work` makes a difference to people, `look` only reads, `record` keeps what the way back needs. */
const PARTS = {
  'sign-in': 'look',
  'claim-organization': 'work',
  repository: 'look',
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
  'editor-files': 'look',
  'verify-preview': 'look',
  'verify-live': 'look',
  'may-publish': 'look',
  'cloud-configuration': 'work',
  'configuration-served': 'look',
  'content-page': 'look',
  'project-type': 'work',
} as const satisfies Record<StepId, 'work' | 'look' | 'record'>;

/** A step that makes a difference. */
export type WorkStep = { [S in StepId]: (typeof PARTS)[S] extends 'work' ? S : never }[StepId];

/** What carrying out a plan amounts to; the button and the sentence above it are made from this. */
export type PlanWork =
  /** Everything is done, or the plan is the way back, which has a button of its own. */
  | { readonly kind: 'nothing' }
  /** A site that is switched already, of which the service could not be asked: nobody knows what differs. */
  | { readonly kind: 'unknown' }
  /** Nothing is written any more; the hosts are looked at. */
  | { readonly kind: 'verify' }
  /** One thing is missing on a site that is switched already. */
  | { readonly kind: 'single'; readonly step: WorkStep }
  /** A site that is switched already has something that differs. */
  | { readonly kind: 'repair'; readonly steps: readonly WorkStep[] }
  /** Some of it was done before; `open` steps remain, those that only look included. */
  | { readonly kind: 'finish'; readonly open: number }
  | { readonly kind: 'enable' };

/** Steps that nobody but this setup takes: one of them done means that it was begun. */
const BEGUN: ReadonlySet<StepId> = new Set(['register-site', 'map-paths', 'project-type']);

/** Names the work of a plan, for every plan that there can be. */
export function planWork(plan: Plan): PlanWork {
  if (plan.purpose === 'undo' || plan.complete) return { kind: 'nothing' };
  const open = plan.steps.filter((step) => step.state.kind !== 'done');
  if (open.some((step) => step.id === 'project-type')) {
    const begun = plan.steps.some((step) => BEGUN.has(step.id) && step.state.kind === 'done');
    return begun ? { kind: 'finish', open: open.length } : { kind: 'enable' };
  }
  const work = open.filter(isWork);
  if (work.some(isUnseen)) return { kind: 'unknown' };
  const [first, ...others] = work;
  if (first === undefined) return { kind: 'verify' };
  if (others.length === 0 && (first.state.kind === 'create' || first.id === 'code-sync')) return { kind: 'single', step: first.id };
  return { kind: 'repair', steps: work.map(({ id }) => id) };
}

function isWork(step: Step): step is Step & { readonly id: WorkStep } {
  return PARTS[step.id] === 'work';
}

function isUnseen({ state }: Step): boolean {
  return state.kind === 'blocked' && state.reason === 'service-unreachable';
}

/** What a plan does to people: e-mail addresses, as they will be stored. */
export interface PlanPeople {
  /** The caller claims this organization, and becomes its first administrator. */
  readonly claims?: string;
  readonly administrators: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Accounts that may publish from now on, and could not before. */
  readonly publishers: readonly string[];
}

/** Reads from the calls of a plan who gains and who loses what. Blocked steps change nothing. */
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

/** The roles before and after; a step that makes a site has them in the site that its call sends. */
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

/** Names are the same whatever their case. */
function missingFrom(names: readonly string[], others: readonly string[]): readonly string[] {
  const there = new Set(others.map((name) => name.toLowerCase()));
  return names.filter((name) => !there.has(name.toLowerCase()));
}

function stepOf(plan: Plan, id: StepId): Step | undefined {
  return plan.steps.find((step) => step.id === id);
}

/** The first step of a plan that writes what the plan that was confirmed did not show. The record of the values before does not count. */
export function unshownStep(shown: Plan, fresh: Plan): StepId | undefined {
  const writes = ({ steps }: Plan) =>
    steps.flatMap((step) => (step.id === 'keep-previous' ? [] : [{ ...step, sent: writtenParts(step.id, step.call) }]));
  return unshownWrite(writes(shown), writes(fresh))?.id;
}

/** One write of a plan. */
interface Write {
  readonly id: string;
  readonly state: StepState;
  readonly call?: Call;
  /** What a call to the service sends of that which the step is about. */
  readonly sent?: unknown;
}

/** The first write that was not shown before: another value, or one in place of another. Undefined: there is none. */
export function unshownWrite<W extends Write>(shown: readonly W[], fresh: readonly W[]): W | undefined {
  return fresh.find((write) => {
    const confirmed = shown.find(({ id }) => id === write.id);
    const known = new Set(confirmed === undefined ? [] : differencesOf(confirmed));
    return differencesOf(write).some((one) => !known.has(one));
  });
}

/** Each single difference that a write makes, as a text that two plans have in common where they make the same. */
function differencesOf({ state, call, sent }: Write): string[] {
  if (state.kind === 'change') return differences('', state.before, state.after);
  if (state.kind !== 'create') return [];
  if (sent !== undefined) return differences('', undefined, sent);
  const fields = call?.body?.type === 'form' ? call.body.fields : [];
  return ['create', ...fields.filter(([name]) => !name.includes(PREVIOUS_PROPERTY)).map((field) => JSON.stringify(field))];
}

/** Of lists, what is added and what is removed: their order is no difference of its own. */
function differences(where: string, before: unknown, after: unknown): string[] {
  if (isObject(before) || isObject(after)) {
    const hidden = (value: unknown) => (value === undefined || isObject(value) ? [] : [`${where} ${JSON.stringify(value)}`]);
    const below = keysOf(before, after).flatMap((key) => differences(`${where}/${key}`, keyOf(before, key), keyOf(after, key)));
    return [...hidden(before), ...hidden(after), ...below];
  }
  if (Array.isArray(before) || Array.isArray(after)) {
    const [old, next] = [textsOf(before), textsOf(after)];
    return [...withoutTexts(next, old).map((text) => `${where} + ${text}`), ...withoutTexts(old, next).map((text) => `${where} - ${text}`)];
  }
  const [old, next] = [JSON.stringify(before), JSON.stringify(after)];
  return old === next ? [] : [`${where}: ${old} → ${next}`];
}

function keyOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function textsOf(value: unknown): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)) : [JSON.stringify(value)];
}

function withoutTexts(texts: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others);
  return texts.filter((text) => !left.has(text));
}
