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

/**
 * Headers that a site may not set on its hosts: they belong to the connection or the encoding of the body, or would have
 * an effect beyond the site (a cookie for all hosts of the domain).
 */
const RESERVED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'date',
  'server',
  'content-length',
  'content-type',
  'content-encoding',
  'content-range',
  'accept-ranges',
  'etag',
  'set-cookie',
  'set-cookie2',
  'clear-site-data',
  'x-error',
  'x-error-code',
  'x-headers-left-out',
  'x-request-id',
  // A proxy in front of the service treats these as commands: to send one of its own files, or the answer of another address.
  'x-sendfile',
  'x-lighttpd-send-file',
  'x-lighttpd-send-tempfile',
  'x-reproxy-url',
]);
/** The prefix of this proxy's commands. */
const RESERVED_PREFIX = 'x-accel-';

export function isSettableHeader(name: string): boolean {
  const key = name.toLowerCase();
  return !RESERVED.has(key) && !key.startsWith(RESERVED_PREFIX);
}

export const RESERVED_HEADER =
  'This header belongs to the connection, to the response itself or to a proxy in front of it and cannot be set.';
