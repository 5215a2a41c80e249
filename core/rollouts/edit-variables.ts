import { jsonPointer, pointerSegments } from '@repoless/contract/errors.ts';
import { bodyInvalid } from '@repoless/contract/refusal.ts';
import type { Edit } from '@repoless/contract/rollout.ts';

/** Variables in the edits of a rollout, replaced for each site. `{{site}}` is the text `{site}`. */
export const EDIT_VARIABLES = ['org', 'site', 'contentRoot', 'country', 'language'] as const;
type EditVariable = (typeof EDIT_VARIABLES)[number];
export type EditVariables = Readonly<Partial<Record<EditVariable, string>>>;

/**
 * The values of the variables for a site; unknown ones are absent. Country and language come from the end of its content root:
 * `/ch/de`, `/de-CH` or `/de_ch`; a single segment of two letters is a language.
 */
export function editVariables(org: string, site: string, contentRoot: string | undefined): EditVariables {
  return { org, site, ...(contentRoot === undefined ? {} : { contentRoot, ...localeOf(contentRoot) }) };
}

function localeOf(root: string): Pick<EditVariables, 'country' | 'language'> {
  const [last = '', above = ''] = root.toLowerCase().split('/').toReversed();
  const [, language, country] = /^([a-z]{2})[-_]([a-z]{2})$/.exec(last) ?? [];
  if (language !== undefined && country !== undefined) return { language, country };
  if (!TWO_LETTERS.test(last)) return {};
  return TWO_LETTERS.test(above) ? { country: above, language: last } : { language: last };
}

/** Replaces each `{name}` by `valueOf(name)`, and `{{name}}` by the text `{name}`. */
export function replaceVariables(text: string, valueOf: (name: string) => string): string {
  return text.replace(VARIABLE, (_found, plain: string | undefined, name: string) => (plain === undefined ? valueOf(name) : `{${plain}}`));
}

const VARIABLE = /\{\{([A-Za-z]+)\}\}|\{([A-Za-z]+)\}/g;
const TWO_LETTERS = /^[a-z]{2}$/;

/** The edit with its variables replaced. Throws BODY_INVALID if one is unknown, or has no value for this site. */
export function withVariables(edit: Edit, values: EditVariables): Edit {
  const filled = (text: string) => replaceVariables(text, (name) => valueOf(name, values));
  const path = jsonPointer(pointerSegments(edit.path).map(filled));
  return { ...edit, path, ...(edit.value === undefined ? {} : { value: filledIn(edit.value, filled) }) } as Edit;
}

function valueOf(name: string, values: EditVariables): string {
  const found = `{${name}}`;
  const known = EDIT_VARIABLES.find((one) => one === name);
  if (known === undefined)
    throw bodyInvalid(
      '/edits',
      `Unknown variable ${found}. Use ${EDIT_VARIABLES.map((one) => `{${one}}`).join(', ')}, or write {{${name}}} for the text itself.`,
    );
  const value = values[known];
  if (value !== undefined) return value;
  throw bodyInvalid(
    '/edits',
    known === 'contentRoot'
      ? 'The site has no path mapping, so {contentRoot} has no value.'
      : `${found} has no value: the content root ${values.contentRoot ?? '(none)'} does not end with ${known === 'country' ? 'a country and a language, like /ch/de' : 'a language, like /de'}.`,
  );
}

type Json = Exclude<Edit['value'], undefined>;

function filledIn(value: Json, filled: (text: string) => string): Json {
  if (typeof value === 'string') return filled(value);
  if (Array.isArray(value)) return value.map((item) => filledIn(item, filled));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [filled(name), filledIn(item, filled)]));
}
