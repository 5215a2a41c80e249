import { z } from 'zod';
import { Json } from './json.ts';
import { LIMITS } from './limits.ts';

/** Opaque parts of the published schema: checked as it checks them, stored unchanged, without effect (docs/contract.md 3.15). */
const NAME = /^[a-zA-Z0-9-_=]+$/;

const RepositoryPath = z
  .string()
  .max(2 * LIMITS.foreignName)
  .regex(/^[a-zA-Z0-9_-]+\/[a-zA-Z0-9_-]+$/, 'Write the owner and the name of a repository, e.g. "wknd/site".');

export const Events = z.strictObject({ github: z.strictObject({ target: RepositoryPath }) });

/** Members with plain names must be objects; other members may have any value. */
export const Features = named(false);
export const Limits = named(true);
/** An entry with its own address. Like a group, it is an object. */
export const EditorEntry = z.record(z.string(), Json);
export const EditorName = z
  .string()
  .max(LIMITS.foreignName)
  .regex(NAME, 'The name of an editor configuration holds letters, digits, "-", "_" and "=".');
export const Editor = z.record(z.string(), Json);

function named(isDescribed: boolean) {
  return z.record(z.string(), Json).superRefine((members, context) => {
    for (const [name, value] of Object.entries(members)) {
      if (!NAME.test(name)) continue;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        context.addIssue({ code: 'custom', path: [name], message: 'Write an object here.' });
      } else if (isDescribed && !['string', 'undefined'].includes(typeof value['description'])) {
        context.addIssue({ code: 'custom', path: [name, 'description'], message: 'Write a string here.' });
      }
    }
  });
}

/** The definitions of a site's indexes and sitemaps, one file each. */
export const SITE_YAML_NAMES = ['query', 'sitemap'] as const;
export type SiteYamlName = (typeof SITE_YAML_NAMES)[number];

/** Stored as sent, with comments and anchors. */
export const YamlText = z
  .string()
  .max(LIMITS.siteYamlLength, `A file has at most ${LIMITS.siteYamlLength} characters.`)
  .meta({ description: "YAML in the public service's form" });
export const SiteYaml = z.strictObject({ yaml: YamlText });

/** The path of the file on the hosts of the site. */
export function siteYamlPath(name: SiteYamlName): string {
  return `/helix-${name}.yaml`;
}

const HostName = z
  .string()
  .max(255)
  .regex(/^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?$/, 'Write a host name such as www.example.com, without "https://" and a path.');
const texts = z.array(z.string());

const Plugin = z.looseObject({
  id: z.string(),
  title: z.string().optional(),
  titleI18n: z
    .record(z.string().regex(/^[a-z]{2}(?:-[A-Z]{2})?$/, 'Write a language such as "de" or "de-CH".'), z.string())
    .refine((titles) => Object.keys(titles).length > 0, 'Write at least one title.')
    .meta({ minProperties: 1 })
    .optional(),
  url: z.string().optional(),
  event: z.string().optional(),
  environments: z.array(z.enum(['any', 'dev', 'admin', 'edit', 'preview', 'review', 'live', 'prod'])).optional(),
  includePaths: texts.optional(),
  excludePaths: texts.optional(),
  badgeVariant: z
    .enum([
      'gray',
      'red',
      'orange',
      'yellow',
      'chartreuse',
      'celery',
      'green',
      'seafoam',
      'cyan',
      'blue',
      'indigo',
      'purple',
      'fuchsia',
      'magenta',
    ])
    .optional(),
  containerId: z.string().optional(),
  isBadge: z.boolean().optional(),
  isContainer: z.boolean().optional(),
  isPalette: z.boolean().optional(),
  isPopover: z.boolean().optional(),
  paletteRect: z.string().optional(),
  popoverRect: z.string().optional(),
  passConfig: z.boolean().optional(),
  passReferrer: z.boolean().optional(),
  pinned: z.boolean().optional(),
});

const SpecialView = z.looseObject({ id: z.string(), path: z.string(), viewer: z.string(), title: z.string().optional() });

/** What the sidekick of a site shows (docs/design-facts.md 4.4). */
export const Sidekick = z.strictObject({
  project: z.string().optional(),
  host: HostName.optional(),
  previewHost: HostName.optional(),
  liveHost: HostName.optional(),
  reviewHost: HostName.optional(),
  trustedHosts: texts.optional(),
  editUrlLabel: z.string().optional(),
  editUrlPattern: z.string().optional(),
  wordSaveDelay: z.number().optional(),
  plugins: z.array(Plugin).optional(),
  specialViews: z.array(SpecialView).optional(),
});

/** The sidekick part of a site with its hosts, name and content source, as sidekick clients request it. */
export const SidekickConfig = z.object({
  ...Sidekick.shape,
  project: z.string(),
  previewHost: z.string(),
  liveHost: z.string(),
  reviewHost: z.string().optional(),
  host: z.string().optional(),
  /** Paths of the production host that this site serves. */
  routes: z.array(z.string()).optional(),
  contentSourceUrl: z.string().optional(),
  contentSourceType: z.string().optional(),
});
export type SidekickConfig = z.infer<typeof SidekickConfig>;

const DeliveryHeader = z.strictObject({
  key: z
    .string()
    .max(100)
    .regex(/^[a-zA-Z0-9!#$%&'*+.^_`|~-]+$/, 'A header name holds letters, digits, hyphens and a few other signs, and no space.'),
  value: z
    .string()
    .max(LIMITS.headersLength)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header value holds printable characters of ISO 8859-1.'),
});

/** `/**` is every path, `/products/**` everything below, `*` anything within one segment; anything else is the path itself. */
const PathPattern = z
  .string()
  .max(LIMITS.headerPatternLength)
  .regex(/^[a-zA-Z0-9-/._*]+$/, 'Write a path such as "/**" or "/products/*", of letters, digits, "-", "_", ".", "/" and "*".')
  .refine(
    (pattern) => (pattern.match(/\*+/g)?.length ?? 0) <= LIMITS.headerPatternStars,
    `A path has at most ${LIMITS.headerPatternStars} runs of "*".`,
  );

function isShort(headers: readonly { readonly key: string; readonly value: string }[]): boolean {
  return headers.reduce((sum, { key, value }) => sum + key.length + value.length, 0) <= LIMITS.headersLength;
}

/** Response headers of a site's hosts by path pattern; a later pattern wins (docs/contract.md 6.5). */
export const Headers = z
  .record(
    PathPattern,
    z.array(DeliveryHeader).max(100).refine(isShort, `The headers of a path have at most ${LIMITS.headersLength} characters in total.`),
  )
  .refine((headers) => Object.keys(headers).length <= LIMITS.headerPatterns, `Headers are set for at most ${LIMITS.headerPatterns} paths.`);
export type Headers = z.infer<typeof Headers>;

const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.){1,5}[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const HOST_RULE = 'Write a host name such as www.example.com, without "https://" and without a path.';
const Host = z.string({ error: HOST_RULE }).max(255).regex(HOST, HOST_RULE);
/** Empty while the host is not decided yet. */
const LATER_HOST = new RegExp(`^$|${HOST.source}`);
const LaterHost = z.string({ error: HOST_RULE }).max(255).regex(LATER_HOST, HOST_RULE);

const flag = z.boolean({ error: 'Write true or false, without quotation marks.' });
const text = z.string({ error: 'The CDN needs this; write a string.' });
/** What purging each kind of CDN requires in addition to its host (docs/design-facts.md 4.3). */
const KINDS = {
  fastly: { serviceId: text, authToken: text },
  cloudflare: { plan: text, zoneId: text, apiToken: text },
  akamai: { endpoint: text, clientSecret: text, clientToken: text, accessToken: text },
  managed: { envId: text.optional() },
  cloudfront: { distributionId: text, accessKeyId: text, secretAccessKey: text, tagInvalidationEnabled: flag.optional() },
} as const;
const KIND_NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];

const ofKind = <K extends keyof typeof KINDS>(kind: K) =>
  z.strictObject({ type: z.literal(kind), host: LaterHost, route: z.array(z.string()).optional(), ...KINDS[kind] });
/** Created once: creating a schema costs much more than using it. */
const BY_KIND = {
  fastly: ofKind('fastly'),
  cloudflare: ofKind('cloudflare'),
  akamai: ofKind('akamai'),
  managed: ofKind('managed'),
  cloudfront: ofKind('cloudfront'),
} satisfies Record<keyof typeof KINDS, z.ZodType>;
const HostAlone = z.strictObject({ host: Host });

/** The production part as it is read: callers who may not read all of it get everything except credentials. */
export const ShownProdCdn = z.looseObject({
  type: z.string().optional(),
  host: z.string().optional(),
  route: z.array(z.string()).optional(),
});

/** The production CDN: with the fields of its kind, or only a host. */
export const ProdCdn = ShownProdCdn.superRefine((prod, context) => {
  const kind = KIND_NAMES.find((name) => name === prod.type);
  if (prod.type !== undefined && kind === undefined) {
    const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(KIND_NAMES.map((name) => `"${name}"`));
    context.addIssue({ code: 'custom', path: ['type'], message: `The type of a CDN is ${names}, not "${prod.type}".` });
    return;
  }
  const schema = kind === undefined ? HostAlone : BY_KIND[kind];
  for (const issue of schema.safeParse(prod).error?.issues ?? []) {
    if (issue.code === 'unrecognized_keys') context.addIssue({ code: issue.code, keys: issue.keys, input: prod });
    else context.addIssue({ code: 'custom', path: [...issue.path], message: issue.message });
  }
}).meta({
  description: `only a host, or by type: ${KIND_NAMES.map(described).join('; ')}`,
  anyOf: [
    { type: 'object', required: ['host'], properties: { host: pattern(HOST) }, additionalProperties: false },
    ...KIND_NAMES.map(form),
  ],
});

export const HostCdn = z.strictObject({ host: z.string().max(LIMITS.textLength) });
const host = HostCdn.optional();
export const ShownCdn = z.strictObject({ prod: ShownProdCdn.optional(), preview: host, live: host, review: host });
export const Cdn = ShownCdn.extend({ prod: ProdCdn.optional() });

/** A kind as JSON schema for the OpenAPI document, which cannot be derived from the refinement above. */
function form(kind: keyof typeof KINDS): Readonly<Record<string, unknown>> {
  const own = Object.entries(KINDS[kind]);
  const required = own.flatMap(([name, value]) => (value instanceof z.ZodOptional ? [] : [name]));
  return {
    type: 'object',
    required: ['type', 'host', ...required],
    properties: {
      type: { type: 'string', const: kind },
      host: pattern(LATER_HOST),
      route: { type: 'array', items: { type: 'string' } },
      ...Object.fromEntries(own.map(([name]) => [name, { type: name === 'tagInvalidationEnabled' ? 'boolean' : 'string' }])),
    },
    additionalProperties: false,
  };
}

function pattern({ source }: RegExp): Readonly<Record<string, unknown>> {
  return { type: 'string', maxLength: 255, pattern: source };
}

function described(kind: keyof typeof KINDS): string {
  return `"${kind}" (host, route, ${Object.keys(KINDS[kind]).join(', ')})`;
}
