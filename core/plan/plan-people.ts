import { at, entriesOf } from '../history/json-place.ts';
import type { Plan, Step, StepId } from './plan.ts';

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
