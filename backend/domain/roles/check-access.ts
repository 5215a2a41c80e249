import { ROLE_NAMES } from '#contract/access.ts';
import { jsonPointer } from '#contract/errors.ts';
import type { Org } from '#contract/org.ts';
import type { Site } from '#contract/site.ts';
import { checkGroups } from './check-groups.ts';
import type { Entry } from './check-groups.ts';

type Access = Pick<Site, 'access' | 'groups'>;

/** Refuses with BODY_INVALID where the groups of a site or profile, or those that its roles name, lead nowhere or in a ring. */
export function checkAccess(document: Access, org: Pick<Org, 'groups'>): void {
  checkGroups(entriesOf(document), document.groups, { site: document.groups, org: org.groups });
}

function entriesOf({ access }: Access): Entry[] {
  return ROLE_NAMES.flatMap((role) =>
    (access?.admin?.role?.[role] ?? []).map((entry, index) => ({
      entry,
      pointer: jsonPointer(['access', 'admin', 'role', role, index]),
    })),
  );
}
