import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';

/** H5: the present addresses; H6: those of the successor. */
export type Generation = 'H5' | 'H6';

export interface Asked {
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

/** The JSON of a body. A content type other than JSON is parsed as a form, which has none of the expected properties. */
export function bodyOf({ headers, body }: Asked): unknown {
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
  readonly asked: Asked;
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
  { asked, switches, used, successor }: Sending,
): void {
  const { origin } = asked.headers;
  const isFound = asked.method === 'GET' && (status === 200 || status === 404);
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
    ...(successor === '' || asked.generation === 'H6' ? {} : { link: `<${successor}/>; rel="successor-version"` }),
    ...(error === undefined ? {} : { 'x-error': shownError(error, status, asked.generation, switches.prefix) }),
    ...others,
  });
  const body = json === undefined ? (text ?? '') : JSON.stringify(json, null, 2);
  response.end(asked.method === 'HEAD' ? undefined : body);
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
