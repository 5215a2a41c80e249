import { z } from 'zod';
import { parseJson } from './exchange.ts';

/** The sign-in that work waits for: to the configuration service or to the authoring system. */
export type MissingSignIn = 'service' | 'authoring';

/** Calls that can continue only after a person has signed in again, and the view that offers it. */
export interface SignInRequests {
  /** The sign-in that is needed now; undefined if none is. */
  get(): MissingSignIn | undefined;
  /** The subscriber offers the sign-in; without one, no one is asked. */
  subscribe(listener: () => void): () => void;
  /** Waits until `isMet`, however long that takes. Returns false if the person declined, or no one can be asked. */
  request(missing: MissingSignIn, isMet: () => boolean): Promise<boolean>;
  /** Something changed: waiting calls check whether they can continue. */
  recheck(): void;
  /** All waiting calls continue (true) or fail (false); after that no one is asked until `resume`. */
  settle(signedIn: boolean): void;
  /** The person did something, so they may be asked again. */
  resume(): void;
}

/** One question at a time, however many calls wait for its answer. */
export function createSignInRequests(): SignInRequests {
  const listeners = new Set<() => void>();
  let open: Question | undefined;
  let declined = false;
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const openQuestion = (missing: MissingSignIn, isMet: () => boolean): Promise<boolean> => {
    let settle: (signedIn: boolean) => void = () => undefined;
    const answer = new Promise<boolean>((resolve) => (settle = resolve));
    open = { missing, isMet, answer, settle };
    notify();
    return answer;
  };
  const settleAll = (signedIn: boolean): void => {
    const settled = open;
    open = undefined;
    declined = !signedIn;
    settled?.settle(signedIn);
    if (settled !== undefined) notify();
  };
  return {
    get: () => open?.missing,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    request: async (missing, isMet) => {
      while (!isMet()) {
        if (listeners.size === 0 || declined) return false;
        if (!(await (open?.answer ?? openQuestion(missing, isMet)))) return false;
      }
      return true;
    },
    recheck: () => {
      if (open?.isMet() === true) settleAll(true);
    },
    settle: settleAll,
    resume: () => {
      declined = false;
    },
  };
}

interface Question {
  readonly missing: MissingSignIn;
  readonly isMet: () => boolean;
  readonly answer: Promise<boolean>;
  settle(signedIn: boolean): void;
}

const Claims = z.looseObject({ iat: z.number().optional(), exp: z.number().optional() });

/** The token's own claims on when it was issued and expires (seconds since 1970). Unverified: for planning, never for trust. */
export function tokenClaims(token: string): z.infer<typeof Claims> | undefined {
  const claims = Claims.safeParse(parseJson(decoded(token.split('.')[1] ?? '')));
  return claims.success ? claims.data : undefined;
}

function decoded(part: string): string {
  try {
    return atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

/** Stores a sign-in across reloads. */
export type SignInStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface AuthoringSignInOptions {
  /** The host's current token; read each time, because the host renews it. */
  readonly hostToken: () => string | undefined;
  readonly requests: Pick<SignInRequests, 'request'>;
  /** Stores a token from signing in by window; the host's own token is never stored. */
  readonly storage?: SignInStorage | undefined;
  readonly now?: () => number;
}

const STORAGE_KEY = 'repoless.authoring';

/** The person's own sign-in to the authoring system: the host's, or one from signing in by window. */
interface AuthoringSignIn {
  token(): string | undefined;
  /** A token after this one was refused: the host's new one, or one from a new sign-in. Undefined if there is none. */
  renew(refused: string | undefined): Promise<string | undefined>;
  accept(token: string): void;
}

export function createAuthoringSignIn({ hostToken, requests, storage, now = Date.now }: AuthoringSignInOptions): AuthoringSignIn {
  const ended = new Set<string>();
  const stored = storage?.getItem(STORAGE_KEY) ?? undefined;
  let handedOver = stored !== undefined && hasEnded(stored, now()) ? undefined : stored;
  if (handedOver === undefined) storage?.removeItem(STORAGE_KEY);
  const token = (): string | undefined => {
    const known = [hostToken(), handedOver].flatMap((one) => (one === undefined || one === '' ? [] : [one]));
    return known.find((one) => !ended.has(one)) ?? known[0];
  };
  return {
    token,
    renew: async (refused) => {
      if (token() !== refused) return token();
      // A token that has not expired was refused for another reason, which signing in again may not fix: report it instead.
      if (refused !== undefined && !hasEnded(refused, now())) return undefined;
      if (refused !== undefined) ended.add(refused);
      if (refused === handedOver) storage?.removeItem(STORAGE_KEY);
      if (token() === refused) await requests.request('authoring', () => token() !== refused);
      return token() === refused ? undefined : token();
    },
    accept: (accepted) => {
      handedOver = accepted;
      storage?.setItem(STORAGE_KEY, accepted);
    },
  };
}

function hasEnded(token: string, now: number): boolean {
  const end = tokenClaims(token)?.exp;
  return end !== undefined && end * 1000 <= now;
}
