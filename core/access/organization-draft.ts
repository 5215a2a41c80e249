import type { Group } from '@repoless/contract/access.ts';
import { Org } from '@repoless/contract/org.ts';
import type { OrgInput } from '@repoless/contract/org.ts';
import type { Groups } from './groups.ts';
import { mergeMembers, sameMember } from './members.ts';

/** A user of an organization; a new one has no identifier yet. */
export interface DraftUser {
  readonly id?: string;
  readonly email: string;
  readonly name?: string;
  readonly roles: readonly string[];
}

/** What of an organization is edited: what its users may is true on every site of it. */
export interface OrganizationDraft {
  readonly users: readonly DraftUser[];
  readonly groups: Groups;
}

export function organizationDraft(value: unknown): OrganizationDraft {
  const { users, groups = {} } = Org.parse(value);
  return { users: users.map(({ name, ...user }) => ({ ...user, ...(name === undefined ? {} : { name }) })), groups };
}

/** The organization with the draft: everything else stays. */
export function organizationInput(value: unknown, { users, groups }: OrganizationDraft): OrgInput {
  const { groups: before, users: _users, ...others } = Org.parse(value);
  const { version: _version, name: _name, created: _created, lastModified: _lastModified, ...rest } = others;
  return {
    ...rest,
    users: users.map((user) => ({ ...user, roles: [...user.roles] })),
    ...(before === undefined && Object.keys(groups).length === 0 ? {} : { groups }),
  };
}

/** My changes applied to what another person stored: users by e-mail, groups by name, members one by one. */
export function mergeOrganizationDraft(base: OrganizationDraft, mine: OrganizationDraft, theirs: OrganizationDraft): OrganizationDraft {
  return { users: mergeUsers(base.users, mine.users, theirs.users), groups: mergeGroups(base.groups, mine.groups, theirs.groups) };
}

/** Whether one of us removed a person or group that the other changed: everything else is merged entry by entry. */
export function organizationOverlaps(base: OrganizationDraft, mine: OrganizationDraft, theirs: OrganizationDraft): boolean {
  const entries = (draft: OrganizationDraft) =>
    new Map<string, string>([
      ...draft.users.map(({ email, roles }) => [`users/${email.toLowerCase()}`, roles.toSorted().join()] as const),
      ...Object.entries(draft.groups).map(([name, group]) => [`groups/${name}`, emails(group).toSorted().join().toLowerCase()] as const),
    ]);
  const [old, next, other] = [entries(base), entries(mine), entries(theirs)];
  return [...old].some(([key, before]) => {
    const [here, there] = [next.get(key), other.get(key)];
    return (here === undefined) !== (there === undefined) && (here ?? there) !== before;
  });
}

function mergeUsers(base: readonly DraftUser[], mine: readonly DraftUser[], theirs: readonly DraftUser[]): DraftUser[] {
  const find = (users: readonly DraftUser[], email: string) => users.find((user) => sameMember(user.email, email));
  const kept = theirs.flatMap((user): DraftUser[] => {
    const [old, next] = [find(base, user.email), find(mine, user.email)];
    if (next === undefined) return old === undefined ? [user] : [];
    const roles = mergeMembers(old?.roles ?? [], next.roles, user.roles);
    return roles.length === 0 ? [] : [{ ...user, roles }];
  });
  const added = mine.filter(({ email }) => find(theirs, email) === undefined && isNewOrChanged(find(base, email), find(mine, email)));
  return [...kept, ...added.map(({ id: _id, ...user }) => user)];
}

/** Users removed there stay removed, unless they were changed here. */
function isNewOrChanged(old: DraftUser | undefined, next: DraftUser | undefined): boolean {
  return old === undefined || next?.roles.join() !== old.roles.join();
}

function mergeGroups(base: Groups, mine: Groups, theirs: Groups): Groups {
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  return Object.fromEntries(
    names.flatMap((name): [string, Group][] => {
      const [old, next, other] = [base[name], mine[name], theirs[name]];
      if (next === undefined) return old === undefined && other !== undefined ? [[name, other]] : [];
      if (other === undefined && old !== undefined && emails(old).join() === emails(next).join()) return [];
      const all = [...(other?.members ?? []), ...next.members];
      const members = mergeMembers(emails(old), emails(next), emails(other)).flatMap(
        (email) => all.find((member) => sameMember(member.email, email)) ?? [],
      );
      return [[name, { members }]];
    }),
  );
}

function emails(group: Group | undefined): string[] {
  return group?.members.map(({ email }) => email) ?? [];
}
