import { LIMITS } from '@repoless/contract/limits.ts';
import { SITE_YAML_NAMES, siteYamlPath } from '@repoless/contract/site-parts.ts';
import type { Site } from '@repoless/contract/site.ts';
import { createHash } from 'node:crypto';

/** The content type of a code file, by its extension. Text is UTF-8. */
export function mediaType(path: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return TYPES.get(ending) ?? 'application/octet-stream';
}

const TEXT = '; charset=utf-8';
const TYPES: ReadonlyMap<string, string> = new Map([
  ['html', `text/html${TEXT}`],
  ['htm', `text/html${TEXT}`],
  ['css', `text/css${TEXT}`],
  ['js', `text/javascript${TEXT}`],
  ['mjs', `text/javascript${TEXT}`],
  ['cjs', `text/javascript${TEXT}`],
  ['json', 'application/json'],
  ['map', 'application/json'],
  ['webmanifest', 'application/manifest+json'],
  ['xml', `application/xml${TEXT}`],
  ['txt', `text/plain${TEXT}`],
  ['md', `text/markdown${TEXT}`],
  ['csv', `text/csv${TEXT}`],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['svg', `image/svg+xml${TEXT}`],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['woff', 'font/woff'],
  ['woff2', 'font/woff2'],
  ['ttf', 'font/ttf'],
  ['otf', 'font/otf'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['pdf', 'application/pdf'],
  ['wasm', 'application/wasm'],
  ['zip', 'application/zip'],
]);

/** The answer differs if a proxy names another requested host. */
export const VARY = ['vary', 'x-forwarded-host'];

/**
 * Whether a request came through the production host of a site: its proxy names it in `x-forwarded-host`, like those in front of the public
 * service. Takes the header, and whether a host is one of the service's own.
 */
export function isForwarded(forwarded: string | string[] | undefined, isOwn: (host: string) => boolean): boolean {
  return String(forwarded ?? '')
    .split(',')
    .map((host) => host.trim())
    .some((host) => host !== '' && !isOwn(host));
}

export function robotsAnswer(text: string | Uint8Array, more: readonly string[] = []): ReadyAnswer {
  const answer = contentAnswer('text/plain; charset=utf-8', Buffer.from(text));
  return { ...answer, headers: [...answer.headers, ...more] };
}

/** For the production host of a site without its own robots.txt. */
export function openRobots(production: string | undefined): ReadyAnswer {
  return robotsAnswer(`User-agent: *\nAllow: /\n${production === undefined ? '' : `\nSitemap: https://${production}/sitemap.xml\n`}`, VARY);
}

/** An answer of a preview or live host whose bytes are ready: headers as a flat list, the form that Node sends fastest. */
export interface ReadyAnswer {
  readonly status: number;
  readonly headers: string[];
  /**
   * A text is ASCII only, and not large: Node sends it together with the headers, whereas bytes need a second write; but Node copies it for
   * each slow reader.
   */
  readonly bytes: Uint8Array | string;
  /** Instead of the bytes, if they are too many to hold. */
  readonly stream?: { readonly length: number; readonly pieces: AsyncIterable<Uint8Array> };
  /** Strong, with its quotes; absent if there is nothing to compare. */
  readonly etag?: string;
  /** When the content source says that it changed, for `/status`: caches use the etag. */
  readonly lastModified?: string;
  /** Headers of the 304 for a caller that has these bytes. */
  readonly unchanged?: string[];
}

/** Bytes above which an answer may have to wait for its reader: smaller ones count as sent immediately. */
export const LARGE = 64 * 1024;

/**
 * Caches may store it but must revalidate: the strong etag makes that a 304, and the first read after an acknowledged write shows it. Any
 * lifetime would break that.
 */
const REVALIDATE = 'public, max-age=0, must-revalidate';
const OPEN = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'x-error, x-error-code, x-content-source, x-content-status, etag',
];
const COMMON = ['cache-control', REVALIDATE, ...OPEN, 'x-content-type-options', 'nosniff'];

export function contentAnswer(media: string, bytes: ReadyAnswer['bytes'], etag?: string): ReadyAnswer {
  if (etag !== undefined) return { status: 200, bytes, ...contentHeaders(media, bytes.length, etag) };
  return { status: 200, headers: ['content-type', media, 'content-length', String(bytes.length), ...COMMON], bytes };
}

/** For the live host of such a site: search engines would find the same pages twice. */
export const CLOSED_ROBOTS = robotsAnswer(
  `# Search engines find this site at its production host. Set robots.txt in the configuration
# of the site to have another one here.
User-agent: *
Disallow: /
`,
  VARY,
);

export function contentHeaders(media: string, length: number, etag: string): Required<Pick<ReadyAnswer, 'headers' | 'etag' | 'unchanged'>> {
  const headers = ['content-type', media, 'content-length', String(length), ...COMMON, 'etag', etag];
  return { headers, etag, unchanged: [...COMMON, 'etag', etag] };
}

/** The message must contain only what a header can. */
export function refusalAnswer(status: number, code: string, sentence: string, more: readonly string[] = []): ReadyAnswer {
  const problem = { type: `urn:repoless:error:${code.toLowerCase()}`, title: sentence, status, detail: sentence, code };
  const bytes = Buffer.from(JSON.stringify(problem, null, 2));
  const headers = ['content-type', 'application/problem+json', 'content-length', String(bytes.length), ...COMMON, ...more];
  return { status, headers: [...headers, 'x-error', sentence, 'x-error-code', code], bytes };
}

/** An unexpected error is answered with only the id of its log entry. */
export function unexpectedAnswer(requestId: string): ReadyAnswer {
  return refusalAnswer(500, 'INTERNAL', `Something unexpected happened. Report it with the request id ${requestId}.`, [
    'x-request-id',
    requestId,
  ]);
}

/**
 * The only place where header values of pages are made safe to send: values from a configuration or a content source may be anything. Bytes
 * above 0x7f are sent unchanged (ISO 8859-1). A character that no header can contain is percent-encoded as in an address.
 */
export function withSafeHeaders(answer: ReadyAnswer): ReadyAnswer {
  const { headers, unchanged } = answer;
  if (!UNSAFE.test(headers.join('')) && !(unchanged !== undefined && UNSAFE.test(unchanged.join('')))) return answer;
  return { ...answer, headers: headers.map(safe), ...(unchanged !== undefined && { unchanged: unchanged.map(safe) }) };
}

function safe(value: string): string {
  return value.replaceAll(UNSAFE_ONES, (character) => Buffer.from(character).toString('hex').replaceAll(/../g, '%$&').toUpperCase());
}

const UNSAFE = /[^\t\x20-\x7e\x80-\xff]/;
const UNSAFE_ONES = /[^\t\x20-\x7e\x80-\xff]/gu;

/** Any page may read these hosts, with its own token if one is needed; nothing can be sent here. */
export const PREFLIGHT: ReadyAnswer = {
  status: 204,
  headers: [
    'allow',
    'GET, HEAD, OPTIONS',
    'access-control-allow-methods',
    'GET, HEAD, OPTIONS',
    'access-control-allow-headers',
    'authorization, x-auth-token',
    'access-control-max-age',
    '86400',
    'x-content-type-options',
    'nosniff',
    ...OPEN,
  ],
  bytes: new Uint8Array(),
};

const RETRY = ['retry-after', '1'];

/** The answer of a host without a site, for every request, so that it reveals nothing. */
export const UNKNOWN_HOST = refusalAnswer(404, 'ROUTE_NOT_FOUND', 'not found');
export const NO_CONFIG = refusalAnswer(404, 'CONFIG_NOT_FOUND', 'failed to load /config.json: 404');
export const LONG_PATH = refusalAnswer(414, 'NAME_INVALID', `The path has more than ${LIMITS.pagePath} characters.`);
export const NO_METHOD = refusalAnswer(405, 'METHOD_NOT_ALLOWED', 'method not allowed', ['allow', 'GET, HEAD, OPTIONS']);
export const FAILED = refusalAnswer(503, 'STORAGE_UNAVAILABLE', 'The storage does not respond. Try again in a moment.', RETRY);
export const OVERLOADED = refusalAnswer(503, 'OVERLOADED', 'Too many pages are being requested. Try again in a second.', RETRY);
export const DAMAGED = refusalAnswer(
  500,
  'STORAGE_DAMAGED',
  'The stored configuration of this site is damaged. Ask its operator to restore it from a backup.',
);
export const STOPPING = refusalAnswer(503, 'SHUTTING_DOWN', 'The service is stopping. Try again in a moment.', [
  ...RETRY,
  'connection',
  'close',
]);
/** Preview pages must not appear in search results. */
export const PREVIEW_ROBOTS = contentAnswer('text/plain; charset=utf-8', Buffer.from('User-agent: *\nDisallow: /\n'));

/** query.yaml or sitemap.yaml of the site, instead of a code file (docs/contract.md 3.14). */
export function yamlAnswer(site: Site, path: string): ReadyAnswer | undefined {
  const name = SITE_YAML_NAMES.find((one) => siteYamlPath(one) === path);
  const text = name === undefined ? undefined : site[name]?.yaml;
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text);
  return contentAnswer('text/yaml; charset=utf-8', bytes, `"${createHash('sha256').update(bytes).digest('base64url')}"`);
}
