/** Who makes a call. A broken, expired or revoked token counts as none. */
export type Caller = { readonly kind: 'anonymous' } | User;

export interface User {
  readonly kind: 'user';
  /** E-mail address as the identity provider gave it (or the identifier of a technical account). */
  readonly email: string;
  readonly name?: string;
  /** Lower-cased e-mail, user id and preferred name: what access lists are matched against. */
  readonly names: readonly string[];
  /** `jti` of the token, for revocation. */
  readonly tokenId: string;
  /** How the caller proved itself; a cookie is good for reads of the same origin alone. */
  readonly credential: 'header' | 'cookie';
}

export const ANONYMOUS: Caller = { kind: 'anonymous' };
