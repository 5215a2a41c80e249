import { allowedAuthor, AUTHORING_TOKEN_HEADER, PROXIED_READS } from '@repoless/contract/authoring.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type Bridge, type BridgeAnswer, type BridgeRequest, refusedAnswer } from '@repoless/upstream/bridge.ts';

const PATH = /^\/authoring\/([^/]+)(\/[^?]*)/;
/** Milliseconds. */
const TIME = 30_000;

/**
 * Answers calls of the authoring proxy by calling the authoring system directly when there is no service in between. Takes the hosts that
 * the person's token may be sent to, because the file that names the author may come from anyone. Undefined: the call is not one of the
 * proxy's.
 */
export function relayAuthoring(
  hosts: readonly string[],
  fetching: typeof fetch,
): (request: BridgeRequest) => ReturnType<Bridge> | undefined {
  return (request) => {
    const [, named = '', path = ''] = PATH.exec(request.path) ?? [];
    if (path === '') return undefined;
    const host = decodeURIComponent(named);
    return relayed({ hosts, fetching, host, path: `${path}${new URL(request.path, 'http://relay.invalid').search}` }, request).catch(
      (error: unknown) => {
        if (error instanceof Refusal) return refusedAnswer(error);
        throw error;
      },
    );
  };
}

interface Asked {
  readonly hosts: readonly string[];
  readonly fetching: typeof fetch;
  readonly host: string;
  /** Path and query on the author. */
  readonly path: string;
}

async function relayed({ hosts, fetching, host, path }: Asked, { method, headers, body }: BridgeRequest): Promise<BridgeAnswer> {
  const origin = allowedAuthor(host, hosts);
  if (origin === undefined)
    throw new Refusal('AUTHOR_NOT_ALLOWED', `Your authoring token is not sent to ${host}: REPOLESS_AUTHOR_HOSTS does not name it.`, {
      data: { host },
    });
  const isWrite = method !== 'GET';
  const token = headers[AUTHORING_TOKEN_HEADER];
  const csrf = isWrite ? new URLSearchParams(body).get(':cq_csrf_token') : null;
  const answer = await fetching(`${origin}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: token }),
      ...(isWrite ? { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' } : {}),
      ...(csrf === null ? {} : { 'csrf-token': csrf }),
    },
    ...(body === undefined ? {} : { body }),
    // A credential in a custom header must not be sent to another origin.
    redirect: isWrite ? 'manual' : 'follow',
    signal: AbortSignal.timeout(TIME),
  }).catch((error: unknown) => {
    const { cause = error } = error instanceof Error ? error : {};
    const says = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal('AUTHOR_UNREACHABLE', `The authoring system cannot be reached: ${says}`, { data: { says }, cause: error });
  });
  if (isWrite && answer.status >= 300 && answer.status < 400)
    throw new Refusal(
      'AUTHOR_ANSWER_REFUSED',
      'The authoring system answered the write with a redirect. Read again to check whether it succeeded.',
    );
  if (answer.redirected && !isAllowed(answer.url, origin))
    throw new Refusal(
      'AUTHOR_ANSWER_REFUSED',
      'The authoring system redirects to a page that is not allowed. This is usually its sign-in page: sign in there again.',
    );
  const type = answer.headers.get('content-type');
  return {
    status: answer.status,
    headers: { 'x-relayed': 'true', ...(type === null ? {} : { 'content-type': type }) },
    text: await answer.text(),
  };
}

function isAllowed(address: string, origin: string): boolean {
  const url = new URL(address);
  return url.origin === origin && PROXIED_READS.some((pattern) => pattern.test(decodeURIComponent(url.pathname)));
}
