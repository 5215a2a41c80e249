import type { KeyGrant, User } from '../domain/caller.ts';

/** An API key as a caller. The audit trail and the list of versions name it by this e-mail; no access list does. */
export function apiKeyUser(key: KeyGrant): User {
  return { kind: 'user', email: apiKeyName(key.id), names: [], tokenId: key.id, credential: 'header', key };
}

export function apiKeyName(id: string): string {
  return `api-key:${id}`;
}
