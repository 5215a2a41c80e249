import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Refusal } from './refusal.ts';

/** Header of the caller's own authoring token: `Bearer <token>`. */
export const AUTHORING_TOKEN_HEADER = 'x-content-source-authorization';

/** The only paths that the authoring proxy forwards (docs/design-facts.md 2.3), decoded, as the authoring system sees them. */
export const PROXIED_READS: readonly RegExp[] = [
  /^\/content(\/[^/]+)*\.(\d+\.|infinity\.)?json$/,
  /^\/conf(\/[^/]+)*\.(\d+\.|infinity\.)?json$/,
  /^\/libs\/granite\/csrf\/token\.json$/,
  /^\/bin\/[A-Za-z0-9_-]+\.delivery\/[^/]+\/[^/]+\/[^/]+(\/.*)?$/,
];
export const PROXIED_WRITES: readonly RegExp[] = [
  /^\/conf\/[^/]+(\/[^/]+)*\/settings\/cloudconfigs\/edge-delivery-service-configuration(\/(jcr:content|_jcr_content))?$/,
  /^\/content(\/[^/]+)+\/(jcr:content|_jcr_content)$/,
  /^\/content(\/[^/]+)+\/configuration$/,
  /^\/bin\/wcmcommand$/,
];
/** Other pages that may be deleted if they are sheets: configuration pages of any name. Never the root of a site. */
export const PROXIED_DELETIONS: readonly RegExp[] = [/^\/content(\/[^/]+){2,}$/];
export const SHEET_TYPE = '/spreadsheet';

/** The location of an Edge Delivery configuration below a `/conf` path (docs/design-facts.md 2.4). */
export const EDGE_CONFIGURATION = 'settings/cloudconfigs/edge-delivery-service-configuration';

/** A path of the authoring system and those above it, except the first level: `/content/a/b` → itself, `/content/a`. */
export function pathsUpwards(path: string): string[] {
  const segments = path.split('/').slice(1);
  return segments.slice(1).map((_segment, index) => `/${segments.slice(0, segments.length - index).join('/')}`);
}

/** An Edge Delivery configuration as Sling answers it, with the authoring system's names. */
export const EdgeConfiguration = z.looseObject({
  owner: z.string().optional(),
  repo: z.string().optional(),
  ref: z.string().optional(),
  projectType: z.coerce.string().optional(),
  edgeHost: z.string().optional(),
  siteAuthToken: z.string().optional(),
  'jcr:lockOwner': z.string().optional(),
});
export type EdgeConfiguration = z.infer<typeof EdgeConfiguration>;

/**
 * A page title without the characters that change the direction of the text after them (Unicode, UAX 9: embeddings,
 * overrides and isolates), because it is shown next to our own text. Every script reads the same without them.
 */
export const PageTitle = z.string().transform((title) => title.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, ''));

/** The properties of a page (its `jcr:content`) that the service uses. */
export const PageContent = z.looseObject({
  'jcr:title': PageTitle.optional(),
  'cq:conf': z.string().optional(),
  'cq:template': z.string().optional(),
  'sling:resourceType': z.string().optional(),
  'jcr:language': z.string().optional(),
});
export type PageContent = z.infer<typeof PageContent>;

export const CsrfToken = z.object({ token: z.string() });

export const Sheet = z.looseObject({ data: z.array(z.looseObject({ key: z.string(), value: z.string() })) });
export type Sheet = z.infer<typeof Sheet>;

const ProxyParams = z.object({
  /** Host and port of the author, as in the list of allowed hosts. */
  host: z.string().regex(/^[a-z0-9.-]+(:\d+)?$/, 'Write the host name of an author.'),
  path: z.string(),
});
const proxy = {
  path: '/authoring/{host}/{path*}',
  params: ProxyParams,
  query: z.looseObject({}),
  permission: 'signed-in',
  answers: {
    200: {
      description: 'the response of the authoring system, with its status and body (any status is forwarded)',
      media: ['application/octet-stream'],
    },
  },
  tag: 'Authoring proxy',
  proxies: true,
} as const;
const errors = [
  'NOT_AUTHENTICATED',
  'AUTHOR_NOT_ALLOWED',
  'AUTHOR_PATH_NOT_ALLOWED',
  'AUTHOR_UNREACHABLE',
  'AUTHOR_TIMEOUT',
  'AUTHOR_ANSWER_REFUSED',
] as const;

/**
 * The authoring proxy: browsers cannot call the authoring system directly without CORS settings there. It sends the caller's own
 * authoring token (`x-content-source-authorization`) and returns the authoring system's answer with the header `x-relayed: true`;
 * an error of the proxy itself is a problem document without that header.
 */
export const authoringEndpoints = {
  readAuthoring: endpoint({ method: 'GET', ...proxy, errors, summary: 'Read from the authoring system' }),
  writeAuthoring: endpoint({
    method: 'POST',
    outside: 'proxy',
    ...proxy,
    body: { media: ['application/x-www-form-urlencoded'], schema: z.unknown() },
    errors: [...errors, 'BODY_INVALID'],
    summary: 'Write to the authoring system',
  }),
} as const;

/**
 * Returns the origin of an author, with plain HTTP only for `localhost` names; undefined if the host is not allowed. Takes host and port,
 * and the allowed hosts (`host[:port]`, `*.domain[:port]`).
 */
export function allowedAuthor(host: string, allowed: readonly string[]): string | undefined {
  if (!allowed.some((entry) => matches(host, entry.toLowerCase()))) return undefined;
  return `${isLocal(host) ? 'http' : 'https'}://${host}`;
}

function matches(host: string, entry: string): boolean {
  if (!entry.startsWith('*.')) return host === entry;
  const domain = entry.slice(1);
  return host.endsWith(domain) && LABELS.test(host.slice(0, -domain.length));
}

/** `*` matches one or more labels, but no port. */
const LABELS = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

function isLocal(host: string): boolean {
  const [name = ''] = host.split(':');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** The authoring system did not respond within so many seconds. */
export function authorTimeout(seconds: string, isWrite: boolean): Refusal {
  const sentence = `The authoring system did not respond within ${seconds} seconds.`;
  if (!isWrite) return new Refusal('AUTHOR_TIMEOUT', sentence, { data: { seconds } });
  const more = 'The write may still be carried out: read again before you write again.';
  return new Refusal('AUTHOR_TIMEOUT', `${sentence} ${more}`, { data: { seconds, write: 'yes' } });
}

/** Takes a sentence about its host. */
export function authorUnreachable(says: string, cause: unknown): Refusal {
  return new Refusal('AUTHOR_UNREACHABLE', `The authoring system cannot be reached: ${says}`, { data: { says }, cause });
}
