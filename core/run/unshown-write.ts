import { PREVIOUS_PROPERTY } from '../situation/edge-configuration.ts';
import { isObject, keysOf } from '../history/json-place.ts';
import type { Plan, Step, StepId } from '../plan/plan.ts';
import { writtenParts } from '../plan/service-steps.ts';

/**
 * The first step of a plan that writes what the plan that was confirmed did not show: another value, or one in place of another. The record of the values before does not count. Undefined: there is none.
 */
export function unshownWrite(shown: Plan, fresh: Plan): StepId | undefined {
  return fresh.steps.find((step) => {
    if (step.id === 'keep-previous') return false;
    const confirmed = shown.steps.find(({ id }) => id === step.id);
    const known = new Set(confirmed === undefined ? [] : writesOf(confirmed));
    return writesOf(step).some((write) => !known.has(write));
  })?.id;
}

/** Each single difference that a step makes, as a text that two plans have in common where they make the same. */
function writesOf({ id, state, call }: Step): string[] {
  if (state.kind === 'change') return differences('', state.before, state.after);
  if (state.kind !== 'create') return [];
  const parts = writtenParts(id, call);
  if (parts !== undefined) return differences('', undefined, parts);
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
