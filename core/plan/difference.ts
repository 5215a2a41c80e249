import type { StepState } from './plan.ts';
import { sameValue } from '@repoless/contract/same-value.ts';

/** A step that changes `before` into `after`: done where they are the same, `create` where there was nothing. */
export function changeState(before: unknown, after: unknown): StepState {
  if (sameValue(before, after)) return { kind: 'done' };
  if (before === undefined) return { kind: 'create' };
  return { kind: 'change', before, after };
}
