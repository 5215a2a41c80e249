import { PageContent, PROXIED_DELETIONS, PROXIED_READS, PROXIED_WRITES, SHEET_TYPE } from '@repoless/contract/authoring.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { createSharedBudget } from '../../domain/answer-budget.ts';
import type { BudgetShare } from '../../domain/answer-budget.ts';
import type { AuthorAnswer, AuthorRequest, Authors } from '../../authoring/author.ts';
import { shareOf } from '../../domain/caller.ts';
import type { Caller } from '../../domain/caller.ts';
import { Refusal } from '../../domain/errors.ts';
import { asksForDeletion, checkAuthorForm } from './author-form.ts';
import { authorOrigin } from './author-origin.ts';
import { authorPath } from './author-path.ts';
import { authoringToken } from './authoring-token.ts';
import { followRedirects } from './follow-redirects.ts';
import type { HttpOperation, Reply } from '../answer.ts';

export interface ProxyServices {
  readonly authors: Authors;
  /** `host[:port]` or `*.domain[:port]`. */
  readonly authorHosts: readonly string[];
}

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * The authoring proxy to the authoring system: allowed hosts, listed paths, the caller's own authoring token, and nothing else. What it keeps of
 * answers until they have left is bounded, by caller and in all.
 */
export function proxyOperations({ authors, authorHosts }: ProxyServices): {
  readAuthoring: HttpOperation<(typeof endpoints)['readAuthoring']>;
  writeAuthoring: HttpOperation<(typeof endpoints)['writeAuthoring']>;
} {
  const budget = createSharedBudget(LIMITS.proxiedBytes, { called: 'large answers of authoring systems', of: 'for this caller' });
  /** In: what asks the authoring system, and counts what it answers. */
  const answered = async (caller: Caller, ask: (taken: BudgetShare) => Promise<AuthorAnswer>): Promise<Reply> => {
    const taken = budget.begin(shareOf(caller));
    try {
      return proxied(await ask(taken), taken);
    } catch (error) {
      taken.left();
      throw error;
    }
  };
  return {
    async readAuthoring({ caller }, { params, query, headers }) {
      const origin = authorOrigin(params.host, authorHosts);
      const { sent } = authorPath(params.path, PROXIED_READS);
      const path = `${sent}${searchOf(query)}`;
      const request: AuthorRequest = { method: 'GET', origin, path, below: '/', headers: passedOn(headers) };
      return await answered(caller, (taken) => followRedirects(authors, request, taken));
    },
    async writeAuthoring({ caller }, { params, query, headers, raw }) {
      const origin = authorOrigin(params.host, authorHosts);
      const body = raw ?? new Uint8Array();
      const { decoded, sent } = authorPath(params.path, [...PROXIED_WRITES, ...(asksForDeletion(body) ? PROXIED_DELETIONS : [])]);
      // Sling takes parameters of the address for fields of the form.
      if (Object.keys(query).length > 0) throw new Refusal('AUTHOR_PATH_NOT_ALLOWED', 'Send the fields of a write only in its body.');
      checkAuthorForm(decoded, body);
      return await answered(caller, async (taken) => {
        if (!PROXIED_WRITES.some((pattern) => pattern.test(decoded))) {
          const path = `${sent}/jcr:content.json`;
          const page = await followRedirects(authors, { method: 'GET', origin, path, below: '/', headers: passedOn(headers) }, taken);
          if (page.status >= 400) return page;
          requireSheet(page);
          taken.left();
        }
        const form = { ...csrfHeader(body), ...passedOn(headers), 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
        const hold = afterWrite(taken.hold);
        const answer = await authors.send({ method: 'POST', origin, path: sent, below: '/', headers: form, body, hold });
        if (isRedirect(answer))
          throw new Refusal(
            'AUTHOR_ANSWER_REFUSED',
            'The authoring system answered the write with a redirect. Read again to check whether it succeeded.',
          );
        return answer;
      });
    },
  };
}

/** After a write was sent, never ask the caller to repeat it because its answer does not fit. */
function afterWrite(hold: BudgetShare['hold']): BudgetShare['hold'] {
  return (bytes) => {
    try {
      hold(bytes);
    } catch (cause) {
      const sentence =
        'The authoring system answered the write, but there is no room for the response right now. Read again to check whether it succeeded.';
      throw new Refusal('AUTHOR_ANSWER_REFUSED', sentence, { cause });
    }
  };
}

/** Refuses with AUTHOR_PATH_NOT_ALLOWED unless the page is a sheet. */
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
function passedOn(headers: Headers): Record<string, string> {
  const bearer = authoringToken(headers);
  const { accept, 'csrf-token': csrf } = headers;
  return {
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(csrf !== undefined && { 'csrf-token': csrf }),
    ...(accept !== undefined && { accept }),
  };
}

/** A page of another origin may not set the header of the CSRF token: it sends the field that means the same. */
function csrfHeader(body: Uint8Array): Record<string, string> {
  const token = new URLSearchParams(new TextDecoder().decode(body)).get(':cq_csrf_token');
  return token !== null && /^[\x21-\x7e]+$/.test(token) ? { 'csrf-token': token } : {};
}

const PASSED_BACK = ['content-type', 'content-encoding', 'content-language', 'last-modified'];
/** Whatever an author sends stays without power on the origin of the service. */
const DEFUSED = { 'x-relayed': 'true', 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' };

function proxied({ status, headers, body }: AuthorAnswer, { left }: BudgetShare): Reply {
  const back = PASSED_BACK.flatMap((name): [string, string][] => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  const type = { 'content-type': 'application/octet-stream' };
  return { status, printed: { pieces: [body], bytes: body.length, left }, headers: { ...type, ...Object.fromEntries(back), ...DEFUSED } };
}
