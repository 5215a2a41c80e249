import type { Org } from '#contract/org.ts';
import type { Site } from '#contract/site.ts';
import { checkGroups } from './check-groups.ts';

/** Refuses with BODY_INVALID where the groups of a site or profile lead in a ring, or too deep. */
export function checkAccess({ groups }: Pick<Site, 'groups'>, org: Pick<Org, 'groups'>): void {
  checkGroups(groups, { site: groups, org: org.groups });
}
