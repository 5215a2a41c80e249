import { z } from 'zod';
import type { SiteYamlName } from '#contract/site-yaml.ts';
import { readYaml } from './read-yaml.ts';

/**
 * Why a text is no definition of indexes or sitemaps in the public service's form, a sentence; undefined where it is one.
 * Objects take further members as there, but where the form has none.
 */
export function siteYamlProblem(name: SiteYamlName, text: string): string | undefined {
  if (text.includes('\t')) return 'It has a tab. Indent YAML with spaces.';
  const read = readYaml(text, { merge: true });
  if ('problem' in read) return atLine(read.problem.detail, read.problem.line);
  const parsed = FORMS[name].safeParse(read.value ?? {});
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  const place = (issue?.path.map(String).join('.') ?? '').slice(0, SHOWN);
  const found =
    issue?.code === 'unrecognized_keys'
      ? `Unknown property "${issue.keys[0]?.slice(0, SHOWN)}".`
      : `${issue?.message}.`.replace(/\.\.$/, '.');
  return place === '' ? `The file is not valid: ${found}` : `${place} is not valid: ${found}`;
}

function atLine(detail: string, line: number | undefined): string {
  return line === undefined ? detail : `Line ${line}: ${detail}`;
}

const SHOWN = 200;

const text = z.string({ error: 'Write a text.' });
const texts = z.array(text, { error: 'Write a list of strings.' });
const mapping = { error: 'Write an object.' };

/** A value is taken from the first element that fits, from all of them as one, or from each. */
const Property = z.union(
  [
    z.strictObject({ selectFirst: text, value: text }),
    z.strictObject({ select: text, value: text, faceted: z.boolean().optional() }),
    z.strictObject({ select: text, values: text, faceted: z.boolean().optional() }),
  ],
  { error: 'Write "select" or "selectFirst" with "value", or "select" with "values"; "faceted" may stand beside "select".' },
);
const Query = z.looseObject(
  {
    query: z.union([text, z.looseObject({}), z.array(z.unknown())]).optional(),
    hitsPerPage: z.int().min(1).optional(),
    cache: z.int().optional(),
    parameters: z.array(text.min(1)).optional(),
    filters: text.optional(),
  },
  mapping,
);
const Index = z.looseObject(
  {
    source: z.enum(['html', 'markdown'], { error: 'Write html or markdown.' }).optional(),
    fetch: text.regex(/^(?:[^\s"'<>%\\^`{|}]|%[\da-f]{2}|\{[^{}\s]+\})*$/i, 'Write an address with variables such as {path}.').optional(),
    target: text.regex(/^(?:[^\s"<>%\\^`{|}]|%[\da-f]{2})*$/i, 'Write an address or a path such as /query-index.json.').optional(),
    properties: z.record(z.string(), Property, { error: 'Write the properties of the index.' }),
    queries: z.record(z.string(), Query, mapping).optional(),
    include: texts.optional(),
    exclude: texts.optional(),
  },
  mapping,
);

/** A language tag (RFC 5646), `x-default` among them. */
const Language = text
  .max(100)
  .regex(
    /^(?:x(?:-[a-z0-9]{1,8})+|i-[a-z]{2,8}|[a-z]{2,8}(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*(?:-[a-wy-z0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?)$/i,
    'Write a language such as de, de-CH or x-default.',
  );
const SitemapLanguage = z.strictObject(
  {
    source: text.optional(),
    destination: text,
    hreflang: z.union([Language, z.array(Language)], { error: 'Write a language such as de, de-CH or x-default, or a list of them.' }),
    alternate: text.optional(),
    extension: text.optional(),
  },
  { error: ({ code }) => (code === 'unrecognized_keys' ? undefined : 'Write an object.') },
);
const Sitemap = z.looseObject(
  {
    source: text.optional(),
    origin: text.optional(),
    destination: text.optional(),
    lastmod: text.optional(),
    extension: text.optional(),
    languages: z.record(z.string(), SitemapLanguage, mapping).optional(),
  },
  mapping,
);

const FORMS: Readonly<Record<SiteYamlName, z.ZodType>> = {
  query: z.looseObject({ indices: z.record(z.string(), Index, mapping).optional() }, mapping),
  sitemap: z.looseObject({ sitemaps: z.record(z.string(), Sitemap, mapping).optional(), index: texts.optional() }, mapping),
};
