import { referredGroup } from '#contract/access.ts';
import { jsonPointer } from '#contract/errors.ts';
import type { FieldError } from '#contract/errors.ts';
import { Refusal } from '../errors.ts';
import { findGroup } from './group-members.ts';
import type { Groups, GroupScope } from './group-members.ts';

/** A list entry, and where it stands in the document. */
export interface Entry {
  readonly entry: string;
  readonly pointer: string;
}

/**
 * Refuses references to groups that do not exist, and a group that contains itself, directly or through others
 * (decision record 0025). In: the entries of lists, the groups of the same document, and where references are looked up.
 */
export function checkGroups(entries: readonly Entry[], groups: Groups, scope: GroupScope): void {
  const members = Object.entries(groups ?? {}).flatMap(([name, { members: list }]) =>
    list.map(({ email }, index) => ({ entry: email, pointer: jsonPointer(['groups', name, 'members', index, 'email']) })),
  );
  const missing = [...entries, ...members].flatMap((one) => missingGroup(one, scope));
  const rings = Object.keys(groups ?? {}).flatMap((name) => ring(name, scope));
  const errors = [...missing, ...rings];
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', first.detail, { errors });
}

function missingGroup({ entry, pointer }: Entry, scope: GroupScope): FieldError[] {
  const name = referredGroup(entry);
  if (name === undefined || findGroup(name, scope) !== undefined) return [];
  return [{ pointer, detail: `There is no group "${name}", which "${entry}" refers to. Set the group first, or remove the reference.` }];
}

function ring(name: string, scope: GroupScope): FieldError[] {
  const way = wayBack(name, name, scope, new Set());
  if (way === undefined) return [];
  const path = [name, ...way].map((one) => `"${one}"`).join(' contains ');
  return [{ pointer: jsonPointer(['groups', name]), detail: `A group cannot contain itself: ${path}. Take one of them out.` }];
}

/** The groups from `from` to `goal`, the goal included; undefined where none of its members leads there. */
function wayBack(goal: string, from: string, scope: GroupScope, seen: Set<string>): string[] | undefined {
  const found = findGroup(from, scope);
  if (found === undefined || seen.has(found.id)) return undefined;
  seen.add(found.id);
  for (const { email } of found.group.members) {
    const next = referredGroup(email);
    if (next === undefined) continue;
    if (next === goal && isSame(goal, scope, found.scope)) return [next];
    const way = wayBack(goal, next, found.scope, seen);
    if (way !== undefined) return [next, ...way];
  }
  return undefined;
}

/** A group of the organization that refers to this name means the organization's, which a site's may hide. */
function isSame(name: string, one: GroupScope, other: GroupScope): boolean {
  return findGroup(name, one)?.id === findGroup(name, other)?.id;
}
