import { ambiguousCharacter, type HostDomains, mayLeaveFolder, parseSiteHost } from '@repoless/contract/addresses.ts';
import {
  allowedAuthor,
  AUTHORING_TOKEN_HEADER,
  PageContent,
  PROXIED_DELETIONS,
  PROXIED_READS,
  PROXIED_WRITES,
  SHEET_TYPE,
} from '@repoless/contract/authoring.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { type FieldError, jsonPointer } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { AuthorAnswer, AuthorRequest, Authors } from '../domain/ports.ts';
import { type BudgetShare, createSharedBudget } from '../domain/answer-budget.ts';
import type { Context } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { HttpOperation, Reply } from './answer.ts';
import type { RequestHeaders } from './parse-request.ts';
import { refuseManyFields } from './request-body.ts';
import { type Caller, shareOf } from '../sessions/identity.ts';

interface ProxyServices {
  readonly authors: Authors;
  /** `host[:port]` or `*.domain[:port]`. */
  readonly authorHosts: readonly string[];
  /** Preview and live hosts that pages of other origins may not read: the proxy reads them for all callers. */
  readonly siteHosts?: HostDomains | undefined;
}

/** Only allowed hosts, listed paths, and the caller's own authoring token. The memory for unsent answers is limited. */
export function proxyOperations({ authors, authorHosts, siteHosts }: ProxyServices): {
  readAuthoring: HttpOperation<(typeof endpoints)['readAuthoring'], Pick<Context, 'caller'>>;
  writeAuthoring: HttpOperation<(typeof endpoints)['writeAuthoring'], Pick<Context, 'caller'>>;
} {
  const budget = createSharedBudget(LIMITS.proxiedBytes, { workName: 'large answers of authoring systems', of: 'for this caller' });
  const answered = async (caller: Caller, send: (share: BudgetShare) => Promise<AuthorAnswer>): Promise<Reply> => {
    const share = budget.open(shareOf(caller));
    try {
      return proxied(await send(share), share);
    } catch (error) {
      share.release();
      throw error;
    }
  };
  return {
    async readAuthoring({ caller }, { params, query, headers }) {
      if (siteHosts !== undefined && parseSiteHost(params.host, siteHosts) !== undefined) {
        const { protocol } = siteHosts;
        const request = {
          method: 'GET',
          origin: `${protocol}://${params.host}`,
          path: hostPath(params.path),
          base: '/',
          headers: {},
        } as const;
        return await answered(caller, ({ reserve }) => authors.send({ ...request, reserve }));
      }
      const origin = authorOrigin(params.host, authorHosts);
      const { sent } = authorPath(params.path, PROXIED_READS);
      const path = `${sent}${searchOf(query)}`;
      const request: AuthorRequest = { method: 'GET', origin, path, base: '/', headers: forwardedHeaders(headers) };
      return await answered(caller, (share) => followRedirects(authors, request, share));
    },
    async writeAuthoring({ caller }, { params, query, headers, raw }) {
      const origin = authorOrigin(params.host, authorHosts);
      const body = raw ?? new Uint8Array();
      const { decoded, sent } = authorPath(params.path, [...PROXIED_WRITES, ...(requestsDeletion(body) ? PROXIED_DELETIONS : [])]);
      // Sling treats parameters of the address as fields of the form.
      if (Object.keys(query).length > 0) throw new Refusal('AUTHOR_PATH_NOT_ALLOWED', 'Send the fields of a write only in its body.');
      checkAuthorForm(decoded, body);
      return await answered(caller, async (share) => {
        if (!PROXIED_WRITES.some((pattern) => pattern.test(decoded))) {
          const path = `${sent}/jcr:content.json`;
          const page = await followRedirects(
            authors,
            { method: 'GET', origin, path, base: '/', headers: forwardedHeaders(headers) },
            share,
          );
          if (page.status >= 400) return page;
          requireSheet(page);
          share.release();
        }
        const form = {
          ...csrfHeader(body),
          ...forwardedHeaders(headers),
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        };
        const reserve = afterWrite(share.reserve);
        const answer = await authors.send({ method: 'POST', origin, path: sent, base: '/', headers: form, body, reserve });
        if (isRedirect(answer))
          throw answerRefused('The authoring system answered the write with a redirect. Read again to check whether it succeeded.');
        return answer;
      });
    },
  };
}

/** Once a write was sent, never asks the caller to repeat it because its response does not fit. */
function afterWrite(reserve: BudgetShare['reserve']): BudgetShare['reserve'] {
  return (bytes) => {
    try {
      reserve(bytes);
    } catch (cause) {
      const sentence =
        'The authoring system answered the write, but there is no memory for the response right now. Read again to check whether it succeeded.';
      throw answerRefused(sentence, cause);
    }
  };
}

function requireSheet({ body }: AuthorAnswer): void {
  if (resourceTypeOf(body)?.includes(SHEET_TYPE) === true) return;
  throw new Refusal('AUTHOR_PATH_NOT_ALLOWED', 'Below the root of a site, only sheets, such as a configuration page, can be deleted.');
}

function resourceTypeOf(body: Uint8Array): string | undefined {
  try {
    return PageContent.parse(JSON.parse(new TextDecoder().decode(body)))['sling:resourceType'];
  } catch {
    return undefined;
  }
}

function isRedirect({ status, headers }: AuthorAnswer): boolean {
  return status > 300 && status < 400 && status !== 304 && headers['location'] !== undefined;
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** The caller's own authoring token becomes the authorization; no other credential of the caller leaves the service. */
function forwardedHeaders(headers: RequestHeaders): Record<string, string> {
  const bearer = authoringToken(headers);
  const { accept, 'csrf-token': csrf } = headers;
  return {
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(csrf !== undefined && { 'csrf-token': csrf }),
    ...(accept !== undefined && { accept }),
  };
}

/** A page of another origin may not set the header of the CSRF token: it sends the equivalent field. */
function csrfHeader(body: Uint8Array): Record<string, string> {
  const token = new URLSearchParams(new TextDecoder().decode(body)).get(':cq_csrf_token');
  return token !== null && /^[\x21-\x7e]+$/.test(token) ? { 'csrf-token': token } : {};
}

const PASSED_BACK = ['content-type', 'content-encoding', 'content-language', 'last-modified', 'retry-after'];
/** Whatever an author sends must have no effect on the origin of the service. */
const DEFUSED = { 'x-relayed': 'true', 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' };

function proxied({ status, headers, body }: AuthorAnswer, { release: left }: BudgetShare): Reply {
  const back = PASSED_BACK.flatMap((name): [string, string][] => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  const type = { 'content-type': 'application/octet-stream' };
  return {
    status,
    printed: { pieces: [body], bytes: body.length, release: left },
    headers: { ...type, ...Object.fromEntries(back), ...DEFUSED },
  };
}

/** Sling interprets the names of fields (copy, move, import …). Refuses with BODY_INVALID, each field by its pointer. */
function checkAuthorForm(path: string, body: Uint8Array): void {
  const text = new TextDecoder().decode(body);
  refuseManyFields(text);
  const fields = [...new URLSearchParams(text)].filter(([name]) => !HARMLESS.has(name));
  const problem = path === '/bin/wcmcommand' ? commandProblem : propertyProblem(path, fields);
  const seen = new Map<string, string>();
  const errors: FieldError[] = [];
  for (const [name, value] of fields) {
    const detail = problem(name, value) ?? (seen.has(name) && !name.startsWith('./') ? 'This field is sent twice.' : undefined);
    if (detail !== undefined) errors.push({ pointer: jsonPointer([name]), detail });
    seen.set(name, value);
  }
  if (path === '/bin/wcmcommand') {
    for (const name of Object.keys(COMMAND))
      if (!seen.has(name)) errors.push({ pointer: jsonPointer([name]), detail: 'This field is missing.' });
  } else if (fields.length === 0) errors.push({ pointer: '', detail: 'There is nothing to write.' });
  if (errors.length > 0)
    throw new Refusal('BODY_INVALID', 'The authoring proxy does not forward this write to the authoring system.', { errors });
}

type Problem = (name: string, value: string) => string | undefined;

/** The encoding that is used anyway, and a parameter for the CSRF token. */
const HARMLESS = new Set(['_charset_', ':cq_csrf_token']);

const NODE_NAME = /^[A-Za-z0-9_-]+$/;
const COMMAND: Readonly<Record<string, (value: string) => boolean>> = {
  cmd: (value) => value === 'createPage',
  parentPath: (value) => /^\/content(\/[A-Za-z0-9_.-]+)*$/.test(value) && !value.split('/').some((segment) => /^\.+$/.test(segment)),
  title: (value) => value.trim() !== '' && value.length <= 200,
  label: (value) => NODE_NAME.test(value),
  template: (value) => /^\/(conf|apps|libs)(\/[A-Za-z0-9_-]+)+$/.test(value),
};

const commandProblem: Problem = (name, value) => {
  const check = Object.hasOwn(COMMAND, name) ? COMMAND[name] : undefined;
  if (check === undefined) return 'Only the fields of createPage are forwarded.';
  return check(value) ? undefined : 'This value is not forwarded: only the creation of a page below /content is.';
};

/** A property of the node itself or of its `jcr:content`, with the two suffixes that set or remove it. */
const PROPERTY = /^\.\/(jcr:content\/)?(?!rep:)([A-Za-z][A-Za-z0-9]*:)?[A-Za-z0-9_][A-Za-z0-9_.-]*(@Delete|@TypeHint)?$/;
/** A configuration page, and a complete Edge Delivery configuration: what the panel creates. */
const DELETED = [
  /^\/content(\/[^/]+)+\/configuration$/,
  /^\/conf\/[^/]+(\/[^/]+)*\/settings\/cloudconfigs\/edge-delivery-service-configuration$/,
];

function requestsDeletion(body: Uint8Array): boolean {
  return new URLSearchParams(new TextDecoder().decode(body)).get(':operation') === 'delete';
}

/** Deletion is forwarded only for these and for sheets, and without other fields: it reverts their creation. */
function propertyProblem(path: string, fields: readonly (readonly [string, string])[]): Problem {
  const isWritten = PROXIED_WRITES.some((pattern) => pattern.test(path));
  const deletes = (!isWritten || DELETED.some((pattern) => pattern.test(path))) && fields.length === 1;
  return (name, value) => {
    if (PROPERTY.test(name) && isWritten) return undefined;
    if (name !== ':operation') return 'Only properties (./name, ./name@Delete, ./name@TypeHint) are forwarded.';
    return deletes && value === 'delete'
      ? undefined
      : 'The only operation forwarded is the deletion of a configuration page or an Edge Delivery configuration.';
  };
}

const REDIRECTS = [301, 302, 303, 307, 308];
const LIMIT = 3;

/** Follows redirects to listed paths of the same author. Counts the response in the budget. */
async function followRedirects(authors: Authors, first: AuthorRequest, { reserve, release: left }: BudgetShare): Promise<AuthorAnswer> {
  let request = first;
  for (let followed = 0; followed <= LIMIT; followed++) {
    const answer = await authors.send({ ...request, reserve });
    const location = answer.headers['location'];
    if (!REDIRECTS.includes(answer.status) || location === undefined) return answer;
    left();
    request = { ...request, path: nextPath(request, location) };
  }
  throw answerRefused('The authoring system redirects in a circle.');
}

function nextPath(request: AuthorRequest, location: string): string {
  const url = URL.canParse(location, `${request.origin}${request.path}`)
    ? new URL(location, `${request.origin}${request.path}`)
    : undefined;
  if (url === undefined || url.origin !== request.origin || url.username !== '' || url.password !== '') {
    throw answerRefused('The authoring system redirects to another host. Such redirects are not followed.');
  }
  try {
    return `${authorPath(decodeURIComponent(url.pathname.slice(1)), PROXIED_READS).sent}${url.search}`;
  } catch {
    throw answerRefused(
      'The authoring system redirects to a page that is not allowed. This is usually its sign-in page: sign in there again.',
    );
  }
}

function answerRefused(sentence: string, cause?: unknown): Refusal {
  return new Refusal('AUTHOR_ANSWER_REFUSED', sentence, { cause });
}

/** Takes the path decoded once; returns it encoded from what was checked, so that the authoring system sees exactly that. */
function authorPath(path: string, allowed: readonly RegExp[]): { decoded: string; sent: string } {
  const decoded = `/${path}`;
  const segments = path.split('/');
  if (!segments.every(isPlain) || !allowed.some((pattern) => pattern.test(decoded))) {
    throw new Refusal('AUTHOR_PATH_NOT_ALLOWED', 'This path of the authoring system is not allowed for this kind of request.');
  }
  return { decoded, sent: `/${segments.map(encodeURIComponent).join('/')}` };
}

/** The path on a host of a site follows the segment `at`, because the path of its start page is empty. */
function hostPath(path: string): string {
  const [first, ...segments] = path.split('/');
  const isValid =
    first === 'at' && segments.every((segment, index) => isPlain(segment) || (segment === '' && index === segments.length - 1));
  if (isValid) return `/${segments.map(encodeURIComponent).join('/')}`;
  throw new Refusal('AUTHOR_PATH_NOT_ALLOWED', 'Write the path on the host of a site after "/at".');
}

/** Not empty, not `.` or `..`, and without characters that servers interpret differently. */
function isPlain(segment: string): boolean {
  return segment !== '' && !mayLeaveFolder(segment) && ambiguousCharacter(segment) === undefined;
}

/** The caller's own token of the authoring system. Refuses with NOT_AUTHENTICATED if it is sent in another form. */
export function authoringToken(headers: RequestHeaders): string | undefined {
  const sent = headers[AUTHORING_TOKEN_HEADER];
  const [, token] = /^Bearer ([\x21-\x7e]+)$/i.exec(sent ?? '') ?? [];
  if (sent === undefined || token !== undefined) return token;
  throw new Refusal('NOT_AUTHENTICATED', `Send the authoring token as "${AUTHORING_TOKEN_HEADER}: Bearer <token>".`);
}

/**
 * The origin of an author. Takes host and port from the address of the call, and the settings' allow list. Refuses with AUTHOR_NOT_ALLOWED.
 */
function authorOrigin(host: string, allowed: readonly string[]): string {
  const origin = allowedAuthor(host, allowed);
  if (origin !== undefined) return origin;
  throw new Refusal(
    'AUTHOR_NOT_ALLOWED',
    `The authoring host ${host} is not on this service's allow list. Ask the operator of the service to add it to AUTHOR_HOSTS.`,
    { data: { host } },
  );
}
