import { referredGroup } from '@repoless/contract/access.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import type { FieldError } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { Site } from '@repoless/contract/site.ts';
import { Refusal } from '../domain/errors.ts';
import { findGroup } from './roles-of.ts';
import type { Groups, GroupScope } from './roles-of.ts';

/**
 * Refuses a group that contains itself, directly or through others, and groups that are nested too deep.
 * People write in any order: a reference to a group that is not there is taken, and means nobody. In: the groups of the same
 * document, and where references are looked up.
 */
export function checkGroups(groups: Groups, scope: GroupScope): void {
  const errors = nesting(groups, scope);
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', first.detail, { errors });
}

/** Refuses with BODY_INVALID where the groups of a site or profile lead in a ring, or too deep. */
export function checkAccess({ groups }: Pick<Site, 'groups'>, org: Pick<Org, 'groups'>): void {
  checkGroups(groups, { site: groups, org: org.groups });
}

/**
 * A group that contains itself, and groups that are nested too deep. Each group is walked once: what stands below one that was
 * walked is known. It stops at the first of them.
 */
function nesting(groups: Groups, scope: GroupScope): FieldError[] {
  const heights = new Map<string, number>();
  for (const name of Object.keys(groups ?? {})) {
    const error = tooDeep(name, name, scope, [], heights);
    if (error !== undefined) return [error];
  }
  return [];
}

/** In: the group that the walk began at, the one it is at, and those on the way there. */
function tooDeep(
  root: string,
  name: string,
  scope: GroupScope,
  way: readonly Step[],
  heights: Map<string, number>,
): FieldError | undefined {
  const found = findGroup(name, scope);
  if (found === undefined) return undefined;
  const steps = [...way, { id: found.id, name }];
  const path = () => steps.map((step) => `"${step.name}"`).join(' contains ');
  const pointer = jsonPointer(['groups', root]);
  if (way.some(({ id }) => id === found.id)) {
    return { pointer, detail: `A group cannot contain itself: ${path()}. Remove one of them.` };
  }
  if (steps.length + (heights.get(found.id) ?? 0) > LIMITS.groupDepth) {
    return { pointer, detail: `Groups are nested more than ${LIMITS.groupDepth} deep: ${path()}. Put the members into fewer groups.` };
  }
  if (heights.has(found.id)) return undefined;
  let height = 0;
  for (const { email } of found.group.members) {
    const next = referredGroup(email);
    if (next === undefined) continue;
    const error = tooDeep(root, next, found.scope, steps, heights);
    if (error !== undefined) return error;
    const below = findGroup(next, found.scope);
    if (below !== undefined) height = Math.max(height, 1 + (heights.get(below.id) ?? 0));
  }
  heights.set(found.id, height);
  return undefined;
}

interface Step {
  readonly id: string;
  readonly name: string;
}
