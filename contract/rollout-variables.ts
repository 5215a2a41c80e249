/** Variables in the edits of a rollout, replaced for each site. `{{site}}` is the text `{site}`. */
export const EDIT_VARIABLES = ['org', 'site', 'contentRoot', 'country', 'language'] as const;
export type EditVariable = (typeof EDIT_VARIABLES)[number];
export type EditVariables = Readonly<Partial<Record<EditVariable, string>>>;

/**
 * The values of the variables for a site; unknown ones are absent. Country and language are those that its content root ends with:
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
