import { LIMITS } from '@repoless/contract/limits.ts';
import type { SiteYamlName } from '@repoless/contract/site-parts.ts';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
import type { readYamlBy, YamlLimits } from './read-yaml.ts';

/** A JSON schema whose `description` says what to write. */
interface Form {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Form>>;
  readonly [keyword: string]: unknown;
}

/** What a text is parsed with. Threads run the source of these functions, so they use only what is passed in. */
export interface SiteYamlTools {
  readonly yaml: Parameters<typeof readYamlBy>[0];
  readonly readYamlBy: typeof readYamlBy;
  readonly formProblem: typeof formProblem;
  /** The result of `formCheck`. */
  readonly fits: ValidateFunction;
}

/** A sentence on why a text is not a definition of indexes or sitemaps in the public service's form; undefined if it is valid. */
export function siteYamlProblemBy(
  { yaml, readYamlBy, formProblem, fits }: SiteYamlTools,
  { text, limits }: { readonly text: string; readonly limits: YamlLimits },
): string | undefined {
  if (text.includes('\t')) return 'It has a tab. Indent YAML with spaces.';
  const read = readYamlBy(yaml, text, { limits, merge: 'unbounded' });
  if ('problem' in read) return read.problem.line === undefined ? read.problem.detail : `Line ${read.problem.line}: ${read.problem.detail}`;
  // As in the public service, a file without content is an empty one.
  return fits(read.value || {}) ? undefined : formProblem(fits.errors ?? []);
}

/** The options are those of the public service: what it coerces, and in which order, affects what it accepts. */
export function formCheck(library: { readonly Ajv: typeof Ajv; readonly addFormats: FormatsPlugin }, form: Form): ValidateFunction {
  const ajv = new library.Ajv({ allErrors: true, verbose: true, coerceTypes: 'array', strict: false });
  library.addFormats(ajv, ['uri-reference', 'uri-template']);
  return ajv.compile(form);
}

/** The sentence about the first error of a value. */
export function formProblem(problems: readonly ErrorObject[]): string | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  // For a value with alternative forms, the sentence about all of them is more useful than what the first form lacks.
  const choice = problems.find(
    ({ keyword, instancePath }) => ['oneOf', 'anyOf'].includes(keyword) && `${first.instancePath}/`.startsWith(`${instancePath}/`),
  );
  const { instancePath, params, parentSchema = {} } = choice ?? first;
  const { additionalProperty, missingProperty } = params as Readonly<Record<string, string | undefined>>;
  const shown = (part: string) => part.slice(0, 200);
  const path = instancePath.split('/').slice(1);
  const names = path.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const location = shown((missingProperty === undefined ? names : [...names, missingProperty]).join('.'));
  const whole = parentSchema as Form;
  const form = missingProperty === undefined ? whole : (whole.properties?.[missingProperty] ?? whole);
  const found = additionalProperty === undefined ? form.description : `Unknown property "${shown(additionalProperty)}".`;
  return `${location === '' ? 'The file' : location} is not valid: ${found ?? 'It has another form.'}`;
}

const text = { type: 'string', description: 'Write a text.' };
const texts = { type: 'array', items: text, description: 'Write a text or a list of texts.' };
const mapOf = (form: Form, description = 'Write an object.') => ({ type: 'object', additionalProperties: form, description });
const exact = (required: readonly string[], properties: Readonly<Record<string, Form>>) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});

const faceted = { type: 'boolean' };
/** A value is taken from the first matching element, from all of them combined, or from each. */
const Property = {
  oneOf: [
    exact(['selectFirst', 'value'], { selectFirst: text, value: text }),
    exact(['select', 'value'], { select: text, value: text, faceted }),
    exact(['select', 'values'], { select: text, values: text, faceted }),
  ],
  description: 'Write "select" or "selectFirst" with "value", or "select" with "values"; "faceted" may be combined with "select".',
};
const Query = {
  type: 'object',
  properties: {
    query: { type: ['string', 'object', 'array'], description: 'Write a text, an object or a list.' },
    hitsPerPage: { type: 'integer', minimum: 1, description: 'Write a whole number from 1.' },
    cache: { type: 'integer', description: 'Write a whole number of seconds.' },
    parameters: { ...texts, items: { ...text, minLength: 1, description: 'Write the name of a parameter.' } },
    filters: text,
  },
  description: 'Write an object.',
};
const Index = {
  type: 'object',
  required: ['properties'],
  properties: {
    source: { type: 'string', enum: ['html', 'markdown'], description: 'Write html or markdown.' },
    fetch: { type: 'string', format: 'uri-template', description: 'Write an address with variables such as {path}.' },
    target: {
      type: 'string',
      format: 'uri-reference',
      description: 'Write an address or a path such as /query-index.json. Encode other characters: %C3%A4 for ä, %5B for [.',
    },
    properties: mapOf(Property, 'Write the properties of the index.'),
    queries: mapOf(Query),
    include: texts,
    exclude: texts,
  },
  description: 'Write an object.',
};

const GRANDFATHERED = [
  'en-GB-oed|i-ami|i-bnn|i-default|i-enochian|i-hak|i-klingon|i-lux|i-mingo|i-navajo|i-pwn|i-tao|i-tay|i-tsu|sgn-BE-FR|sgn-BE-NL|sgn-CH-DE',
  'art-lojban|cel-gaulish|no-bok|no-nyn|zh-guoyu|zh-hakka|zh-min|zh-min-nan|zh-xiang',
];
const PRIVATE_USE = 'x(?:-[A-Za-z0-9]{1,8})+';
/**
 * Language, script, region, variants, extensions, private use. A language of two or three letters may have up to three extensions of three
 * letters.
 */
const TAG = [
  '(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}(?:-[A-Za-z]{3}){0,2})?|[A-Za-z]{4,8})',
  '(?:-[A-Za-z]{4})?',
  '(?:-(?:[A-Za-z]{2}|[0-9]{3}))?',
  '(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*',
  '(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*',
  `(?:-${PRIVATE_USE})?`,
].join('');
/** A language tag by RFC 5646, which accepts older registered tags unchanged; `x-default` is private use. */
const Language = {
  type: 'string',
  pattern: `^(?:${GRANDFATHERED.join('|')}|${TAG}|${PRIVATE_USE})$`,
  description: 'Write a language such as de, de-CH or x-default.',
};
const Sitemap = {
  type: 'object',
  properties: {
    source: text,
    origin: text,
    destination: text,
    lastmod: text,
    extension: text,
    languages: mapOf({
      ...exact(['destination', 'hreflang'], {
        source: text,
        destination: text,
        hreflang: {
          anyOf: [Language, { type: 'array', items: Language }],
          description: 'Write a language such as de, de-CH or x-default, or a list of them.',
        },
        alternate: text,
        extension: text,
      }),
      description: 'Write an object.',
    }),
  },
  description: 'Write an object.',
};

export const SITE_YAML_LIMITS: YamlLimits = {
  length: LIMITS.siteYamlLength,
  tokens: LIMITS.siteYamlTokens,
  depth: LIMITS.projectFileDepth,
};

/** The forms of the public service. As there, objects may have additional members, unless the form excludes them. */
export const SITE_YAML_FORMS: Readonly<Record<SiteYamlName, Form>> = {
  query: { type: 'object', properties: { indices: mapOf(Index) }, description: 'Write an object.' },
  sitemap: { type: 'object', properties: { sitemaps: mapOf(Sitemap) }, description: 'Write an object.' },
};
