import type { SignInRequests } from './sign-in-requests.ts';
import { tokenClaims } from './token-claims.ts';

export interface AuthoringSignInOptions {
  /** The host's present token; asked each time, because the host renews it. */
  readonly hostToken: () => string | undefined;
  readonly requests: Pick<SignInRequests, 'ask'>;
  readonly now?: () => number;
}

/** The person's own sign-in of the authoring system: the host's, or one that came with signing in by window. */
export interface AuthoringSignIn {
  token(): string | undefined;
  /** A token after this one was refused: the host's new one, else one that the person signs in for. Undefined: there is none. */
  renew(refused: string | undefined): Promise<string | undefined>;
  accept(token: string): void;
}

export function createAuthoringSignIn({ hostToken, requests, now = Date.now }: AuthoringSignInOptions): AuthoringSignIn {
  const ended = new Set<string>();
  let handedOver: string | undefined;
  const token = (): string | undefined => {
    const known = [hostToken(), handedOver].flatMap((one) => (one === undefined || one === '' ? [] : [one]));
    return known.find((one) => !ended.has(one)) ?? known[0];
  };
  return {
    token,
    renew: async (refused) => {
      if (token() !== refused) return token();
      // A token that has not expired was refused for another reason, which signing in again may not solve: report it instead.
      if (refused !== undefined && !hasEnded(refused, now())) return undefined;
      if (refused !== undefined) ended.add(refused);
      if (token() === refused) await requests.ask('authoring', () => token() !== refused);
      return token() === refused ? undefined : token();
    },
    accept: (accepted) => {
      handedOver = accepted;
    },
  };
}

function hasEnded(token: string, now: number): boolean {
  const end = tokenClaims(token)?.exp;
  return end !== undefined && end * 1000 <= now;
}
