import type { StoredSecret } from '../secrets/stored-secret.ts';

/**
 * A site token is stored as a generated secret of its owner, under a name that no secret can have: what removes, counts and tells of secrets
 * takes it along.
 */
export function siteTokenName(id: string): string {
  return `${PREFIX}${id}`;
}

export function isSiteToken({ name }: Pick<StoredSecret, 'name'>): boolean {
  return name.startsWith(PREFIX);
}

export function siteTokenId({ name }: Pick<StoredSecret, 'name'>): string {
  return name.slice(PREFIX.length);
}

const PREFIX = 'token/';
