import { sitePartEndpoints } from '#contract/endpoints.ts';
import type { Permission } from '#contract/permissions.ts';
import type { SitePart } from '#contract/site.ts';

/** What a change of a part asks for, as the contract's table says. */
export function partPermission(part: SitePart): Permission {
  return sitePartEndpoints[part].set.permission;
}
