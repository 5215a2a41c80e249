import { sessionEndpoints, type SessionToken } from '@repoless/contract/session.ts';
import { z } from 'zod';
import type { Failure } from '../situation/call.ts';
import { createClient } from './client.ts';
import { parseJson } from './exchange.ts';
import { type SignInRequests, type SignInStorage, tokenClaims } from './sign-in-requests.ts';

export interface SessionOptions {
  readonly service: string;
  /** The sign-in of the extension host (the authoring system's), if there is one; read each time, because the host renews it. */
  readonly hostToken?: () => string | undefined;
  /** Stores the service token across reloads of the frame; the host's own token is never stored. */
  readonly storage?: SignInStorage;
  /** Asks the person if nothing can be done silently. */
  readonly requests?: Pick<SignInRequests, 'request'>;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}

/** The extension's sign-in to the service. `token` and `renew` are what createClient takes. */
export interface Session {
  /** The current token, or one that is available silently. Undefined: sign in by window or device. */
  token(): Promise<string | undefined>;
  /**
   * The token after this one was refused: one that another call has already renewed, else one exchanged for the host's, once for all
   * concurrent calls; else the person is asked. Returns the token, why the service gave none, or undefined.
   */
  renew(refused: string | undefined): Promise<string | Failure | undefined>;
  /** Like `renew`, without asking anyone. */
  renewSilently(refused: string | undefined): Promise<string | Failure | undefined>;
  /** Signs in with a token of the hosted service, or an API key. Returns why the service does not accept it, if so. */
  paste(token: string): Promise<Failure | undefined>;
  /** Takes over a token from a sign-in by window or device. */
  accept(token: SessionToken): void;
  clear(): void;
}

const STORAGE_KEY = 'repoless.session';
/** Milliseconds for which a refused token of the host is not sent again: after that, its issuer may have new keys. */
const REFUSED_FOR = 60_000;
/** Milliseconds between two background renewals. */
const RENEWAL_PAUSE = 30_000;

export function createSession(options: SessionOptions): Session {
  const { storage } = options;
  const now = options.now ?? Date.now;
  const client = createClient({ service: options.service, token: async () => undefined, ...fetchOf(options) });
  let cached = readToken(storage?.getItem(STORAGE_KEY));
  let refusedHost: { readonly token: string; readonly at: number } | undefined;
  let exchanging: Promise<string | Failure | undefined> | undefined;
  let renewedAt = -Infinity;

  const accept = (token: SessionToken): void => {
    cached = timeToken(token, now());
    // In front of the hosted service, the session token is the host's own token.
    if (token.token !== options.hostToken?.()) storage?.setItem(STORAGE_KEY, printToken(cached));
  };
  const clear = (): void => {
    cached = undefined;
    storage?.removeItem(STORAGE_KEY);
  };
  /** A usable token; other frames of this tab store theirs under the same key. */
  const usable = (): CachedToken | undefined => {
    if (cached !== undefined && cached.useUntil > now()) return cached;
    const stored = readToken(storage?.getItem(STORAGE_KEY));
    cached = stored !== undefined && stored.useUntil > now() ? stored : undefined;
    // An expired session leaves nothing behind.
    if (stored !== undefined && cached === undefined) storage?.removeItem(STORAGE_KEY);
    return cached;
  };
  const drop = (refused: string | undefined): void => {
    if (refused === undefined) return;
    if (readToken(storage?.getItem(STORAGE_KEY))?.token === refused) storage?.removeItem(STORAGE_KEY);
    if (cached?.token === refused) cached = undefined;
  };
  const exchangeHostToken = async (): Promise<string | Failure | undefined> => {
    const token = options.hostToken?.();
    if (token === undefined || token === '') return undefined;
    if (token === refusedHost?.token && now() - refusedHost.at < REFUSED_FOR) return undefined;
    renewedAt = now();
    const answer = await client.call(sessionEndpoints.exchangeToken, { params: {}, body: { token } });
    if (answer.ok) accept(answer.value);
    else if (answer.failure.status === 401) refusedHost = { token, at: now() };
    if (answer.ok) return answer.value.token;
    return answer.failure.status === 401 ? undefined : answer.failure;
  };
  const exchange = (): Promise<string | Failure | undefined> =>
    (exchanging ??= exchangeHostToken().finally(() => (exchanging = undefined)));
  const renewSilently = async (refused: string | undefined): Promise<string | Failure | undefined> => {
    drop(refused);
    return usable()?.token ?? (await exchange());
  };
  return {
    accept,
    clear,
    renewSilently,
    paste: async (token) => {
      const answer = await client.call(sessionEndpoints.exchangeToken, { params: {}, body: { token } });
      if (!answer.ok) return answer.failure;
      accept(answer.value);
      return undefined;
    },
    renew: async (refused) => {
      const silent = await renewSilently(refused);
      if (silent !== undefined || options.requests === undefined) return silent;
      await options.requests.request('service', () => usable() !== undefined);
      return usable()?.token;
    },
    token: async () => {
      const current = usable();
      if (current === undefined) return tokenOnly(await exchange());
      if (current.renewFrom <= now() && now() - renewedAt > RENEWAL_PAUSE) void exchange();
      return current.token;
    },
  };
}

/** Without a token the call is still made; its answer says what to do. */
function tokenOnly(renewed: string | Failure | undefined): string | undefined {
  return typeof renewed === 'string' ? renewed : undefined;
}

function fetchOf(options: SessionOptions) {
  return options.fetch === undefined ? {} : { fetch: options.fetch };
}

/** A token of the service, with its times by the clock of this browser, in milliseconds. */
interface CachedToken {
  readonly token: string;
  /** From this time on it is renewed in the background. */
  readonly renewFrom: number;
  /** From this time on it is no longer used. */
  readonly useUntil: number;
}

const StoredToken = z.object({ token: z.string().min(1), renewFrom: z.number(), useUntil: z.number() });

/** Milliseconds before expiry from which a long-lived token is no longer used. */
const MARGIN = 30_000;

/**
 * Computes the times of a new token. Its lifetime is read from the token itself, by one clock: a browser with a wrong clock would otherwise
 * consider every token expired and request a new one for each call.
 */
function timeToken({ token, exp }: SessionToken, now: number): CachedToken {
  const issued = tokenClaims(token)?.iat;
  const life = Math.max(0, issued === undefined ? exp * 1000 - now : (exp - issued) * 1000);
  return { token, renewFrom: now + life * 0.8, useUntil: now + life - Math.min(MARGIN, life * 0.1) };
}

/** Parses the output of `printToken`; undefined for everything else. */
function readToken(text: string | null | undefined): CachedToken | undefined {
  const parsed = StoredToken.safeParse(parseJson(text ?? ''));
  return parsed.success ? parsed.data : undefined;
}

function printToken(token: CachedToken): string {
  return JSON.stringify(token);
}
