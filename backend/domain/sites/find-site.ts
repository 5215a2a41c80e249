import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { StoredSite } from '../ports.ts';
import type { SiteName } from './check-site.ts';

/** The stored site. Refuses with SITE_NOT_FOUND. */
export async function findSite(context: Context, name: SiteName): Promise<StoredSite> {
  const { permitted } = context;
  const known = permitted?.site?.org === name.org && permitted.site.site === name.site ? permitted.site : undefined;
  const site = known ?? (await context.store.reads.site(name.org, name.site));
  if (site === undefined) throw siteNotFound(name);
  return site;
}

export function siteNotFound(name: SiteName): Refusal {
  return new Refusal('SITE_NOT_FOUND', `There is no site "${name.org}/${name.site}".`, { data: { ...name } });
}

export function partNotFound(part: string, name: SiteName): Refusal {
  return new Refusal('PART_NOT_FOUND', `Site "${name.org}/${name.site}" has no ${part}.`);
}
