import { EDIT_VARIABLES, replaceVariables } from '@repoless/contract/rollout-variables.ts';
import type { EditVariables } from '@repoless/contract/rollout-variables.ts';

/** A text with its variables filled in. Undefined if one has no value: then the service reports the error. */
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
