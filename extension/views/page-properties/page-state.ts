import type { Drift } from '#extension/setup/findings.ts';
import type { Plan } from '#extension/setup/plan.ts';
import type { Words } from '#extension/words/words.ts';
import type { Tone } from './step-view.ts';

/** The state of the whole page in one word, from its plan and the drift. */
export function pageState(words: Words, plan: Plan, drift: readonly Drift[]): { readonly label: string; readonly tone: Tone } {
  const { states } = words.outcome;
  if (plan.complete) return drift.length === 0 ? { label: states.ready, tone: 'positive' } : { label: states.drifted, tone: 'notice' };
  if (plan.blocked) return { label: states.blocked, tone: 'negative' };
  const begun = plan.steps.some((step) => BEGUN.has(step.id) && step.state.kind === 'done');
  return begun ? { label: states.part, tone: 'notice' } : { label: states.open, tone: 'neutral' };
}

/** Steps that nobody but this setup takes. */
const BEGUN: ReadonlySet<string> = new Set(['register-site', 'map-paths', 'project-type']);

/** The organization is there on the code host and nobody has claimed it with the service. */
export function isUnclaimed(plan: Plan): boolean {
  const state = plan.steps.find((step) => step.id === 'claim-organization')?.state;
  return state?.kind === 'blocked' && state.reason === 'organization-not-claimed';
}
