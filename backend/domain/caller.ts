import type { RoleName } from '@repoless/contract/access.ts';
import type { KeyClaims, TokenClaims } from '../sessions/identity.ts';

/** Who makes a call. A broken, expired or revoked token counts as none. */
export type Caller = { readonly kind: 'anonymous' } | User;

export interface User {
  readonly kind: 'user';
  /** E-mail address as the identity provider gave it, identifier of a technical account, or `api-key:<id>`. */
  readonly email: string;
  readonly name?: string;
  /** Lower-cased e-mail, user id and preferred name: what access lists are matched against. An API key has none. */
  readonly names: readonly string[];
  /** `jti` of the token, for revocation. */
  readonly tokenId: string;
  /** How the caller proved itself; a cookie of a browser is good for reads of the same origin alone. */
  readonly credential: 'header' | 'cookie';
  /** The caller is an API key: it has these roles, in this place, and nothing that lists or wildcards grant. */
  readonly key?: KeyGrant;
  /** What its token says. Absent where it shows none: a rollout that goes on in somebody's name. */
  readonly claims?: TokenClaims | KeyClaims;
}

export interface KeyGrant {
  readonly id: string;
  readonly org: string;
  /** A site, or the place of a profile (see `placeOf`): the sites that extend it. Absent: good for the organization and all of its sites. */
  readonly site?: string;
  readonly roles: readonly RoleName[];
}

export const ANONYMOUS: Caller = { kind: 'anonymous' };

/** Whose share of what a node does at once is taken: the caller's own. The API keys of an organization, of which it makes as many as it likes, have one together. */
export function shareOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return '';
  return caller.key === undefined ? caller.email.toLowerCase() : `keys ${caller.key.org}`;
}
