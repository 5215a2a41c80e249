import type { Identity } from './identity.ts';

/** What has to be remembered between the way to the identity provider and the way back; never leaves the service. */
export interface SignInSecrets {
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface SignedIn {
  readonly identity: Identity;
  /** A token for the authoring system, where the settings name its audience. */
  readonly authoringToken?: string;
}

/** The identity provider: authorization code with PKCE, state and nonce. Rejects with IDENTITY_PROVIDER_UNREACHABLE. */
export interface IdentityProvider {
  /**
   * `redirect`: the address of our acknowledgement. `selectAccount`: the person shall be asked which account it is. Out: where to send the browser, and
   * what to keep until it is back.
   */
  begin(request: { redirect: string; state: string; selectAccount: boolean }): Promise<SignInSecrets & { address: string }>;
  /** `answer`: the whole address that the browser came back to. Rejects with NOT_AUTHENTICATED where it proves nothing. */
  finish(request: { answer: URL; state: string; secrets: SignInSecrets }): Promise<SignedIn>;
}

/** The issuers that the settings trust: the authoring system's sign-in. */
export interface TrustedIssuers {
  /**
   * Whom a token names, and until when (seconds since 1970). Rejects with TOKEN_REFUSED, and with
   * IDENTITY_PROVIDER_UNREACHABLE where the issuer's keys cannot be had.
   */
  identify(token: string): Promise<{ identity: Identity; exp: number }>;
}
