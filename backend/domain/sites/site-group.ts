import type { Group } from '#contract/access.ts';
import type { Site } from '#contract/site.ts';
import type { SiteView } from './site-view.ts';

/** One group of a site. */
export function groupView(group: string): SiteView {
  return { pointer: `/groups/${group}`, read: (site) => groupOf(site, group) };
}

export function groupOf(site: Pick<Site, 'groups'> | undefined, group: string): Group | undefined {
  const groups = site?.groups ?? {};
  return Object.hasOwn(groups, group) ? groups[group] : undefined;
}
