import { GRANTS } from '@repoless/contract/permissions.ts';
import type { Caller } from '../domain/caller.ts';
import type { Permitted } from '../domain/context.ts';
import { rolesOf } from '../access/roles-of.ts';

/**
 * From when on a caller may see the history of a site, by a permission; undefined: all of it. The name of a site that was removed may
 * be given again. Who has a role by the new site alone sees nothing of the former one, its people and credentials: only the
 * organization's own people do. A site that was brought back has the time of its first making.
 */
export function historyBegin(caller: Caller, permission: keyof typeof GRANTS, { org, site }: Permitted): Date | undefined {
  if (site === undefined) return undefined;
  const roles = org === undefined ? undefined : rolesOf(caller, org.config);
  return GRANTS[permission].some((role) => roles?.has(role)) ? undefined : new Date(site.config.created);
}
