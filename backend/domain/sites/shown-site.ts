import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import type { StoredSite } from '../ports.ts';
import { isOpen } from '../roles/permit.ts';
import { rolesOf } from '../roles/roles-of.ts';
import type { SiteName } from './check-site.ts';
import { findSite } from './find-site.ts';
import { redactedSite } from './redacted-site.ts';

/**
 * The stored site as its caller may see it: where `requireAuth: false` let in somebody without a role, nothing of people,
 * keys and secrets (decision record 0026). Refuses with SITE_NOT_FOUND.
 */
export async function shownSite(context: Context, name: SiteName): Promise<StoredSite> {
  const site = await findSite(context, name);
  if (!isOpen(site.aggregate)) return site;
  const org = await context.store.reads.org(name.org);
  const roles = org === undefined ? new Set() : rolesOf(context.caller, org.config, site.aggregate);
  if (roles.has('admin') || roles.has('config_admin')) return site;
  const config = redactedSite(site.config);
  return { ...site, config, etag: etagOf(config) };
}
