import { endpoints } from '#contract/endpoints.ts';
import { SessionToken } from '#contract/session.ts';
import { createClient } from './client.ts';
import { parseJson } from './exchange.ts';

export interface SessionOptions {
  readonly service: string;
  /** The sign-in of the surrounding host (the authoring system's), where there is one. */
  readonly hostToken?: () => string | undefined;
  /** Keeps the service token over a reload of the frame; the host's own token is never put there. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}

/** The extension's sign-in to the service. `token` and `renew` are what createClient takes. */
export interface Session {
  /** The present token; the host's is exchanged for one where there is none yet. Undefined: sign in by window or device. */
  token(): Promise<string | undefined>;
  /** A new token after the present one was refused: the host's is exchanged anew, once for all who ask at the same time. */
  renew(): Promise<string | undefined>;
  /** Takes over a token from a sign-in by window or device. */
  accept(token: SessionToken): void;
  forget(): void;
}

const STORAGE_KEY = 'repoless.session';
/** Seconds before its end from which a token is not used any more. */
const MARGIN = 30;

export function createSession(options: SessionOptions): Session {
  const now = options.now ?? Date.now;
  let held = stored(options.storage);
  let refusedHostToken: string | undefined;
  let exchanging: Promise<string | undefined> | undefined;

  const accept = (token: SessionToken) => {
    held = token;
    options.storage?.setItem(STORAGE_KEY, JSON.stringify(token));
  };
  const forget = () => {
    held = undefined;
    options.storage?.removeItem(STORAGE_KEY);
  };
  const exchangeHostToken = async () => {
    const token = options.hostToken?.();
    if (token === undefined || token === '' || token === refusedHostToken) return undefined;
    const client = createClient({ service: options.service, token: async () => undefined, ...fetchOf(options) });
    const answer = await client.call(endpoints.exchangeToken, { params: {}, body: { token } });
    if (answer.ok) accept(answer.value);
    else if (answer.failure.status === 401) refusedHostToken = token;
    return answer.ok ? answer.value.token : undefined;
  };
  const renew = () => {
    forget();
    exchanging ??= exchangeHostToken().finally(() => (exchanging = undefined));
    return exchanging;
  };
  const isFresh = (token: SessionToken) => token.exp - MARGIN > now() / 1000;
  return { accept, forget, renew, token: async () => (held !== undefined && isFresh(held) ? held.token : renew()) };
}

function stored(storage: SessionOptions['storage']): SessionToken | undefined {
  const parsed = SessionToken.safeParse(parseJson(storage?.getItem(STORAGE_KEY) ?? ''));
  return parsed.success ? parsed.data : undefined;
}

function fetchOf(options: SessionOptions) {
  return options.fetch === undefined ? {} : { fetch: options.fetch };
}
