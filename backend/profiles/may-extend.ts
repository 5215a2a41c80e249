import type { Org } from '@repoless/contract/org.ts';
import { GRANTS } from '@repoless/contract/permissions.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { Caller } from '../domain/caller.ts';
import { notAuthorized } from '../access/permit.ts';
import { rolesOf } from '../access/roles-of.ts';
import { DEFAULT_PROFILE } from '../sites/aggregate-site.ts';

/**
 * Refuses with NOT_AUTHORIZED a site that comes to extend another profile, unless by somebody who may read the profiles of the organization:
 * what a profile holds is read of the sites that extend it. Says nothing of whether there is such a profile. The one that holds for every
 * site that names none is nothing new. In: the site with its profile before, and what is set for it after. Rule: docs/contract.md 3.12.
 */
export function mayExtend(caller: Caller, org: Org, before: Site | undefined, after: Site): void {
  const profile = after.extends?.profile;
  if (profile === undefined || profile === DEFAULT_PROFILE || profile === before?.extends?.profile) return;
  const roles = rolesOf(caller, org);
  if (GRANTS['org:read'].some((role) => roles.has(role))) return;
  throw notAuthorized(caller, org, {
    why: 'To make a site extend another profile, you need permission to read the profiles of the organization.',
    site: before,
  });
}
