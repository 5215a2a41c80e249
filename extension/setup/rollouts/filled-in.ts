import { EDIT_VARIABLES, replaceVariables } from '#contract/rollout-variables.ts';
import type { EditVariables } from '#contract/rollout-variables.ts';

/** A text with what its variables stand for. Undefined where one of them stands for nothing: the service says then what is wrong. */
export function filledIn(text: string, values: EditVariables): string | undefined {
  let isKnown = true;
  const filled = replaceVariables(text, (name) => {
    const variable = EDIT_VARIABLES.find((one) => one === name);
    const value = variable === undefined ? undefined : values[variable];
    if (value === undefined) isKnown = false;
    return value ?? '';
  });
  return isKnown ? filled : undefined;
}
