import { referredGroup } from '@repoless/contract/access.ts';
import type { Access } from '@repoless/contract/access.ts';
import type { Tier } from '@repoless/contract/addresses.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { User } from '../domain/caller.ts';
import { createMeaning, isGoodFor } from './roles-of.ts';
import type { Grants } from './roles-of.ts';

/** Who may read a host of a site; each list may be empty. */
export interface HostReaders {
  readonly allow: readonly string[];
  readonly apiKeyId: readonly string[];
  readonly secretId: readonly string[];
}

/**
 * Who alone may read a host; undefined where everybody may. In: what holds for the site, its profile included. Of each field
 * the host's own value counts, else that for both hosts.
 */
export function hostReaders({ access }: Pick<Site, 'access'>, tier: Tier): HostReaders | undefined {
  const own = access?.[tier];
  const both = access?.site;
  if (own === undefined && both === undefined) return undefined;
  const { allow = [], apiKeyId = [], secretId = [], requireAuth }: NonNullable<Access[Tier]> = { ...both, ...own };
  // As a text where it was stored before texts were refused.
  const isAsked = String(requireAuth) === 'true';
  const isOpen = String(requireAuth) === 'false';
  const named = allow.length + apiKeyId.length + secretId.length > 0;
  return isAsked || (named && !isOpen) ? { allow, apiKeyId, secretId } : undefined;
}

/** Whether the readers of a host are said by groups, so that those of the organization are needed. */
export function namesGroups({ allow }: HostReaders): boolean {
  return allow.some((entry) => referredGroup(entry) !== undefined);
}

/** Whether somebody with a good token is one of the readers. Lists and wildcards never mean an API key, which is named by itself. */
export function mayReadHost(user: User, readers: HostReaders, org: Pick<Org, 'name' | 'groups'>, site: Grants): boolean {
  if (user.key !== undefined) return isGoodFor(user.key, org.name, site) && readers.apiKeyId.includes(user.key.id);
  return readers.allow.some(createMeaning(user.names, { site: site.groups, org: org.groups }));
}
