import { aliasesOf } from '@repoless/contract/public-api.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import type { TestBackend } from '../../support/backend.ts';

/** What a client of the public API sees of an answer. */
export interface Reply {
  readonly ok: boolean;
  readonly status: number;
  /** `x-error`, in which these clients read the reason of a refusal; empty if missing. */
  readonly error: string;
  readonly text: string;
  header(name: string): string | undefined;
  json(): unknown;
}

export interface Sent {
  readonly body?: unknown;
  /** The content type of the body, if not JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PublicClient {
  call(method: string, path: string, sent?: Sent): Promise<Reply>;
}

/** A command-line program: it sends any request, and reads every header. */
export function commandLineClient({ address }: TestBackend, headers: Readonly<Record<string, string>>): PublicClient {
  return atEveryAddress({
    async call(method, path, sent = {}) {
      const answer = await fetch(new URL(path, address), {
        method,
        redirect: 'manual',
        ...bodyOf(sent),
        headers: headersOf(headers, sent),
      });
      return await replyOf(answer, (name) => answer.headers.get(name) ?? undefined);
    },
  });
}

/**
 * A page on another origin with a token, as a browser treats it: sends a preflight unless the request is simple, refuses what the
 * answer does not allow, and only shows the page the exposed headers.
 */
export function browserClient({ address }: TestBackend, origin: string, headers: Readonly<Record<string, string>>): PublicClient {
  return atEveryAddress({
    async call(method, path, sent = {}) {
      const url = new URL(path, address);
      const own = headersOf(headers, sent);
      await askFirst(url, origin, method, own);
      const answer = await fetch(url, { method, redirect: 'manual', ...bodyOf(sent), headers: { ...own, origin } });
      checkOrigin(answer, origin);
      const exposed = new Set([...ALWAYS_SHOWN, ...listOf(answer.headers.get('access-control-expose-headers'))]);
      return await replyOf(answer, (name) => (exposed.has(name) ? (answer.headers.get(name) ?? undefined) : undefined));
    },
  });
}

/** Repeats reads at the other addresses of a call, in the form of the other API generation; throws if the answers differ. */
function atEveryAddress(client: PublicClient): PublicClient {
  return {
    async call(method, path, sent) {
      const reply = await client.call(method, path, sent);
      for (const other of method === 'GET' ? otherAddresses(path) : []) {
        const { status, error } = await client.call(method, other, sent);
        if (status !== reply.status || error !== reply.error)
          throw new Error(`${path} is answered ${reply.status} ${reply.error}, and ${other} ${status} ${error}`);
      }
      return reply;
    },
  };
}

/** The items of a list as clients read it: the entries of an object, the items of an array, or nothing. */
export function itemsOf({ status, ok, text }: Reply): Readonly<Record<string, unknown>>[] {
  if (status === 404) return [];
  if (!ok) throw new Error(`The list was refused: ${status} ${text}`);
  const data: unknown = JSON.parse(text);
  if (typeof data !== 'object' || data === null) throw new Error(`This is not a list: ${text}`);
  return Array.isArray(data) ? data.map((item) => Object(item)) : Object.entries(data).map(([id, item]) => ({ id, ...Object(item) }));
}

const ALWAYS_SHOWN = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma'];
const SIMPLE_METHODS = new Set(['GET', 'HEAD', 'POST']);
const SIMPLE_TYPES = /^(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)/;

async function askFirst(url: URL, origin: string, method: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const unusual = Object.keys(headers).filter((name) => name !== 'content-type' || !SIMPLE_TYPES.test(headers[name] ?? ''));
  if (SIMPLE_METHODS.has(method) && unusual.length === 0) return;
  const preflightHeaders = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': unusual.toSorted().join(','),
  };
  const answer = await fetch(url, { method: 'OPTIONS', headers: preflightHeaders });
  checkOrigin(answer, origin);
  const methods = listOf(answer.headers.get('access-control-allow-methods'));
  const allowed = listOf(answer.headers.get('access-control-allow-headers'));
  if (!answer.ok || (!SIMPLE_METHODS.has(method) && !methods.includes(method.toLowerCase())))
    throw new TypeError(`A browser would not send ${method} to ${url.href}.`);
  const refused = unusual.filter((name) => !allowed.includes(name));
  if (refused.length > 0) throw new TypeError(`A browser would not send ${refused.join(', ')} to ${url.href}.`);
}

function checkOrigin(answer: Response, origin: string): void {
  const isAllowed = answer.headers.get('access-control-allow-origin') === origin;
  if (!isAllowed || answer.headers.get('access-control-allow-credentials') !== 'true')
    throw new TypeError(`A browser would not show ${answer.url} to ${origin}.`);
}

function listOf(header: string | null): string[] {
  return (header ?? '').split(',').map((item) => item.trim().toLowerCase());
}

function bodyOf({ body }: Sent): { body?: string } {
  if (body === undefined) return {};
  return { body: typeof body === 'string' ? body : JSON.stringify(body) };
}

function headersOf(own: Readonly<Record<string, string>>, { body, type = 'application/json', headers }: Sent): Record<string, string> {
  return { ...own, ...(body === undefined ? {} : { 'content-type': type }), ...headers };
}

async function replyOf(answer: Response, header: (name: string) => string | undefined): Promise<Reply> {
  const text = await answer.text();
  const { ok, status } = answer;
  return { ok, status, error: header('x-error') ?? '', text, header, json: (): unknown => JSON.parse(text) };
}

/** The other addresses of a read, with their queries; none if `address` is one of those already. */
function otherAddresses(address: string): string[] {
  const [path = '', query = ''] = address.split('?');
  const read = READS.find(({ form }) => form.test(path));
  if (read === undefined) return [];
  const values: Readonly<Record<string, string>> = read.form.exec(path)?.groups ?? {};
  return aliasesOf(read.path).flatMap((alias) => {
    const names = namesIn(alias.path);
    // Parameters that no test uses have no value here.
    if (names.some((name) => values[name] === undefined)) return [];
    const left = Object.entries(values).filter(([name]) => !names.includes(name) && name !== 'path');
    if (values['path'] !== undefined && !names.includes('path')) return [];
    const parameters = [query, ...left.map(([name, value]) => `${name}=${value}`)].filter((part) => part !== '');
    const other = alias.path.replaceAll(NAME, (_, name: string) => values[name] ?? '');
    return [parameters.length === 0 ? other : `${other}?${parameters.join('&')}`];
  });
}

const NAME = /\{(\w+)\*?\}/g;

const READS = allEndpoints().flatMap(([, { method, path }]) => (method === 'GET' ? [{ path, form: formOf(path) }] : []));

function namesIn(path: string): string[] {
  return [...path.matchAll(NAME)].map(([, name = '']) => name);
}

function formOf(path: string): RegExp {
  const parts = path.split(/(\{\w+\*?\})/).map((part) => {
    if (!part.startsWith('{')) return part.replaceAll('.', String.raw`\.`);
    return part.endsWith('*}') ? `(?<${part.slice(1, -2)}>.+)` : `(?<${part.slice(1, -1)}>[^/]+?)`;
  });
  return new RegExp(`^${parts.join('')}$`);
}
