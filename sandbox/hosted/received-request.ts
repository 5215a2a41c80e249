import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';

/** H5: the current API; H6: its successor, with other addresses. */
export type Generation = 'H5' | 'H6';

export interface ReceivedRequest {
  readonly generation: Generation;
  readonly method: string;
  /** In the form of H5. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

/** A response without a body: only `x-error` has the reason. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | undefined;
  constructor(status: number, message = '', code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The JSON of a body. Any other content type is parsed as a form, which has none of the expected properties. */
export function bodyOf({ headers, body }: ReceivedRequest): unknown {
  const media = String(headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(media)) return Object.fromEntries(new URLSearchParams(body.toString()));
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    throw new Refusal(400, 'error parsing request body');
  }
}

export function isWrite(method: string): boolean {
  return ['PUT', 'POST', 'DELETE', 'PATCH'].includes(method);
}

export function refused({ status, message, code }: Refusal): Answer {
  const headers = {
    ...(message === '' && status !== 400 ? {} : { 'x-error': message }),
    ...(code === undefined ? {} : { 'x-error-code': code }),
  };
  return { status, headers };
}

export const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, OPTIONS, DELETE',
  'access-control-allow-headers': 'Authorization, x-auth-token, x-content-source-authorization, content-type',
  'access-control-max-age': '86400',
};

interface Sending {
  readonly request: ReceivedRequest;
  /** Whether `x-error` starts with `[admin] `. */
  readonly switches: { readonly prefix: boolean };
  readonly used: number;
  /** Announced in a link, unless it is empty. */
  readonly successor: string;
}

/** Writes a response with the common headers. */
export function writeAnswer(
  response: ServerResponse,
  { status, headers = {}, json, text }: Answer,
  { request, switches, used, successor }: Sending,
): void {
  const { origin } = request.headers;
  const isFound = request.method === 'GET' && (status === 200 || status === 404);
  const { 'x-error': error, ...others } = headers;
  response.writeHead(status, {
    'cache-control': 'no-store, private, must-revalidate',
    'content-type': json === undefined ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'x-invocation-id': randomUUID(),
    'x-ratelimit-limit': '10',
    'x-ratelimit-rate': String(used),
    ...(isFound ? { vary: 'Accept-Encoding' } : {}),
    ...(origin === undefined
      ? {}
      : {
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': 'x-error, x-error-code',
        }),
    ...(successor === '' || request.generation === 'H6' ? {} : { link: `<${successor}/>; rel="successor-version"` }),
    ...(error === undefined ? {} : { 'x-error': shownError(error, status, request.generation, switches.prefix) }),
    ...others,
  });
  const body = json === undefined ? (text ?? '') : JSON.stringify(json, null, 2);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Whether an H5 address belongs to a site that is announced as upgraded. */
export function isUpgraded(path: string, { upgraded }: { readonly upgraded: readonly string[] }): boolean {
  const [, call, org = '', third = '', fourth = ''] = path.replace(/\.json$/, '').split('/');
  return upgraded.includes(`${org}/${call === 'config' ? fourth : third}`);
}

function shownError(message: string, status: number, generation: Generation, isPrefixed: boolean): string {
  if (status === 401 && generation === 'H6') return '[AWS] Unauthorized';
  return !isPrefixed || message === '' || message.startsWith('[') || message.endsWith('authenticated.') ? message : `[admin] ${message}`;
}

/** The successor's addresses and the equivalent ones of H5; `$1` … are the pattern's groups. */
const SUCCESSOR: readonly (readonly [RegExp, string])[] = [
  [/^\/(login|logout|profile|auth\/.*|ping\/.*)$/, '/$1'],
  [/^\/([^/]+)\/sites\/([^/]+)\/login$/, '/login/$1/$2/main'],
  [/^\/([^/]+)\/config\.json$/, '/config/$1.json'],
  [/^\/([^/]+)\/config\/(.+?)(?:\.json)?$/, '/config/$1/$2.json'],
  [/^\/([^/]+)\/(sites|profiles)$/, '/config/$1/$2.json'],
  [/^\/([^/]+)\/(sites|profiles)\/([^/]+)\/config\.json$/, '/config/$1/$2/$3.json'],
  [/^\/([^/]+)\/sites\/([^/]+)\/config\/(query|sitemap)\.yaml$/, '/config/$1/sites/$2/content/$3.yaml'],
  [/^\/([^/]+)\/(sites|profiles)\/([^/]+)\/config\/robots\.txt$/, '/config/$1/$2/$3/robots.txt'],
  [/^\/([^/]+)\/(sites|profiles)\/([^/]+)\/config\/(.+?)(?:\.json)?$/, '/config/$1/$2/$3/$4.json'],
  [/^\/([^/]+)\/aggregated\/([^/]+)\/config\.json$/, '/config/$1/aggregated/$2.json'],
  [/^\/([^/]+)\/repos\/([^/]+)\/code\/(.+)$/, '/code/$1/$2/$3'],
  [/^\/([^/]+)\/sites\/([^/]+)\/jobs\/([^/]+)$/, '/job/$1/$2/main/$3'],
  [/^\/([^/]+)\/sites\/([^/]+)\/jobs\/([^/]+)\/([^/]+)$/, '/job/$1/$2/main/$3/$4'],
  [/^\/([^/]+)\/sites\/([^/]+)\/jobs\/([^/]+)\/([^/]+)\/(?:report|details)$/, '/job/$1/$2/main/$3/$4/details'],
  [/^\/([^/]+)\/sites\/([^/]+)\/log$/, '/log/$1/$2/main'],
  [/^\/([^/]+)\/sites\/([^/]+)\/status(\/.*)?$/, '/status/$1/$2/main$3'],
];

/** The H5 address equivalent to one of the successor; undefined if there is none. */
export function toH5Address(path: string): string | undefined {
  const found = SUCCESSOR.find(([pattern]) => pattern.test(path));
  return found === undefined ? undefined : path.replace(found[0], found[1]);
}

/** What an H5 path refers to. `rest`: what follows the name, without its extension. */
export type Target =
  | { readonly kind: 'list'; readonly org: string; readonly of: 'sites' | 'profiles' }
  | { readonly kind: 'aggregated'; readonly org: string; readonly site: string }
  | { readonly kind: 'document'; readonly org: string; readonly of: DocumentKind; readonly name: string; readonly rest: string }
  /** Everything about a branch of a site. */
  | {
      readonly kind: 'branch';
      readonly org: string;
      readonly site: string;
      readonly call: BranchCall;
      readonly ref: string;
      readonly rest: string;
    }
  | { readonly kind: 'sign-in'; readonly path: string }
  | { readonly kind: 'malformed' | 'unknown' };
export type DocumentKind = 'org' | 'sites' | 'profiles';
const BRANCH_CALLS = ['code', 'job', 'log', 'status', 'sidekick', 'ping'] as const;
type BranchCall = (typeof BRANCH_CALLS)[number];

export function targetOf(path: string): Target {
  if (!path.startsWith('/') || /\/\/|[\\<>\s]/.test(path)) return { kind: 'malformed' };
  if (/^\/(?:login|logout|profile|auth|idp)(?:\/|$)/.test(path)) return { kind: 'sign-in', path };
  const [first = '', org = '', ...further] = path.slice(1).split('/');
  const call = BRANCH_CALLS.find((one) => one === first);
  if (call !== undefined) {
    const [site = '', ref = '', ...rest] = further;
    const isComplete = site !== '' && (call === 'ping' || ref !== '');
    return isComplete ? { kind: 'branch', org, site, call, ref, rest: rest.join('/') } : { kind: 'unknown' };
  }
  return first === 'config' ? configTarget(org, further) : { kind: 'unknown' };
}

function configTarget(org: string, further: readonly string[]): Target {
  const [first = '', name = '', ...rest] = further;
  if (further.length === 0) return org.endsWith('.json') ? document(withoutJson(org), 'org', '', '') : { kind: 'unknown' };
  if (first === 'sites.json' || first === 'profiles.json')
    return { kind: 'list', org, of: withoutJson(first) === 'sites' ? 'sites' : 'profiles' };
  if (first === 'aggregated' && rest.length === 0 && name.endsWith('.json')) return { kind: 'aggregated', org, site: withoutJson(name) };
  if (first !== 'sites' && first !== 'profiles') return partTarget(further, (part) => document(org, 'org', '', part));
  if (rest.length === 0) return name.endsWith('.json') ? document(org, first, withoutJson(name), '') : { kind: 'unknown' };
  return partTarget(rest, (part) => document(org, first, name, part));
}

/** The parts of an organization that have nested addresses. */
const ORG_FOLDERS = ['users', 'groups', 'secrets', 'tokens', 'apiKeys', 'versions', 'access'];

function partTarget(rest: readonly string[], targetOf: (part: string) => Target): Target {
  const part = rest.join('/');
  if (part === 'robots.txt' || /^content\/(?:query|sitemap)\.yaml$/.test(part)) return targetOf(part);
  if (!part.endsWith('.json')) return { kind: 'unknown' };
  const target = targetOf(withoutJson(part));
  const isUnknown = target.kind === 'document' && target.of === 'org' && rest.length > 1 && !ORG_FOLDERS.includes(rest[0] ?? '');
  return isUnknown ? { kind: 'unknown' } : target;
}

function document(org: string, of: DocumentKind, name: string, rest: string): Target {
  return { kind: 'document', org, of, name, rest };
}

function withoutJson(text: string): string {
  return text.replace(/\.json$/, '');
}
