import type { StepState } from './plan.ts';
import { sameJson } from './same-json.ts';

/** A step that changes `before` into `after`: done where they are the same, `create` where there was nothing. */
export function changeState(before: unknown, after: unknown): StepState {
  if (sameJson(before, after)) return { kind: 'done' };
  if (before === undefined) return { kind: 'create' };
  return { kind: 'change', before, after };
}
