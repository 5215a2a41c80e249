import { EDIT_VARIABLES, replaceVariables } from '@repoless/contract/rollout-variables.ts';
import type { EditVariables } from '@repoless/contract/rollout-variables.ts';
import { pointerSegments } from '@repoless/contract/rollout.ts';
import type { Edit } from '@repoless/contract/rollout.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import { Refusal } from '../../domain/errors.ts';

/** The edit with what its variables stand for. Refuses with BODY_INVALID where one is unknown, at all or of this site. */
export function withVariables(edit: Edit, values: EditVariables): Edit {
  const filled = (text: string) => replaceVariables(text, (name) => valueOf(name, values));
  const path = jsonPointer(pointerSegments(edit.path).map(filled));
  return { ...edit, path, ...(edit.value === undefined ? {} : { value: filledIn(edit.value, filled) }) } as Edit;
}

function valueOf(name: string, values: EditVariables): string {
  const found = `{${name}}`;
  const known = EDIT_VARIABLES.find((one) => one === name);
  if (known === undefined)
    throw refused(
      `Unknown variable ${found}. Use ${EDIT_VARIABLES.map((one) => `{${one}}`).join(', ')}, or write {{${name}}} for the text itself.`,
    );
  const value = values[known];
  if (value !== undefined) return value;
  throw refused(
    known === 'contentRoot'
      ? 'The site has no path mapping, so {contentRoot} has no value.'
      : `${found} has no value: the content root ${values.contentRoot ?? '(none)'} does not end with ${known === 'country' ? 'a country and a language, like /ch/de' : 'a language, like /de'}.`,
  );
}

function refused(detail: string): Refusal {
  return new Refusal('BODY_INVALID', detail, { errors: [{ pointer: '/edits', detail }] });
}

type Json = Exclude<Edit['value'], undefined>;

function filledIn(value: Json, filled: (text: string) => string): Json {
  if (typeof value === 'string') return filled(value);
  if (Array.isArray(value)) return value.map((item) => filledIn(item, filled));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [filled(name), filledIn(item, filled)]));
}
