import type { BlockReason, Plan, Step, StepId, StepState } from './plan.ts';

export function blocked(reason: BlockReason, data: Readonly<Record<string, string>> = {}): StepState {
  return { kind: 'blocked', reason, data };
}

/** Makes the plan of its steps: what comes after a blocked step and is not done yet waits for it. */
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
    const waits = index > from && step.state.kind !== 'done' && step.state.kind !== 'blocked';
    return waits ? { id: step.id, state: blocked('earlier-step', { step: first }) } : step;
  });
}
