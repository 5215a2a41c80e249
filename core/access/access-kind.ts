import { Access, type Group, ROLE_NAMES, type RoleName } from '@repoless/contract/access.ts';
import { Org, type OrgInput } from '@repoless/contract/org.ts';
import type { Change } from '../history/change.ts';
import { describeChange } from '../history/describe-change.ts';
import { type StoredDocument, subjectPath } from '../history/history-port.ts';
import { isObject, overlaps } from '../history/json-values.ts';
import { type Groups, mergeMembers, sameMember } from './groups.ts';

/** The stored value as it was read; without an etag, nothing is stored yet. */
export interface Base {
  readonly value: unknown;
  readonly etag: string | undefined;
}

/** How something is read, edited and stored by one call: the people of a site or an organization, or the parts of a configuration. */
export interface AccessKind<Draft> {
  readonly address: string;
  /** Whether a part of a site may be missing although the site exists. */
  readonly isPart: boolean;
  draftOf(value: unknown): Draft;
  /** Returns the document to send. Takes what is stored, and the draft. */
  valueOf(value: unknown, draft: Draft): StoredDocument;
  merge(base: Draft, mine: Draft, theirs: Draft): Draft;
  /** Whether a merge replaces a change of theirs: both changed the same value differently. */
  overlaps(base: Draft, mine: Draft, theirs: Draft): boolean;
  changes(before: unknown, after: unknown): readonly Change[];
  /** The entry that a field error of the service is about (for people: see `problemKey`); undefined if there is none. */
  entryAt(draft: Draft, pointer: string): string | undefined;
}

export function siteAccessKind(organization: string, site: string): AccessKind<SiteDraft> {
  return {
    address: `${subjectPath({ kind: 'site', organization, name: site })}/access.json`,
    isPart: true,
    draftOf: siteDraft,
    valueOf: siteAccess,
    merge: mergeSiteDraft,
    // Lists are merged entry by entry.
    overlaps: (base, mine, theirs) => overlaps(base.signIn, mine.signIn, theirs.signIn),
    changes: (before, after) => describeChange({ access: before ?? {} }, { access: after ?? {} }),
    entryAt(draft, pointer) {
      const [, role, index] = /\/role\/([a-z_]+)(?:\/(\d+))?$/.exec(pointer) ?? [];
      const list = Object.entries(draft.roles).find(([name]) => name === role)?.[1];
      const entry = index === undefined ? undefined : list?.[Number(index)];
      return role === undefined || entry === undefined ? undefined : problemKey(role, entry);
    },
  };
}

export function organizationKind(organization: string): AccessKind<OrganizationDraft> {
  return {
    address: `${subjectPath({ kind: 'organization', organization })}.json`,
    isPart: false,
    draftOf: organizationDraft,
    valueOf: (value, draft) => ({ ...organizationInput(value, draft) }),
    merge: mergeOrganizationDraft,
    overlaps: organizationOverlaps,
    changes: (before, after) => describeChange(documentOf(before), documentOf(after)),
    entryAt(draft, pointer) {
      const [, index] = /^\/users\/(\d+)/.exec(pointer) ?? [];
      if (index !== undefined) return problemKey('users', draft.users[Number(index)]?.email ?? '');
      const [, group, member] = /^\/groups\/([a-z0-9-]+)(?:\/members\/(\d+))?/.exec(pointer) ?? [];
      if (group === undefined) return undefined;
      const email = member === undefined ? undefined : draft.groups[group]?.members[Number(member)]?.email;
      return email === undefined ? problemKey('groups', group) : problemKey(`groups/${group}`, email);
    },
  };
}

function documentOf(value: unknown): StoredDocument {
  return isObject(value) ? value : {};
}

/** Identifies an entry of a list, regardless of its position. */
export function problemKey(list: string, entry: string): string {
  return `${list} ${entry.toLowerCase()}`;
}

/** Whether signing in is required: as the service decides, always, or not for reading. */
export type SignInRule = 'auto' | 'always' | 'open';
export type RoleLists = Readonly<Partial<Record<RoleName, readonly string[]>>>;

/** The editable access of a site. An absent role is not set: a profile may set it. */
export interface SiteDraft {
  readonly roles: RoleLists;
  readonly signIn: SignInRule;
}

export function siteDraft(value: unknown): SiteDraft {
  const admin = readAccess(value).admin;
  return { roles: admin?.role === undefined ? {} : roleLists(admin.role), signIn: signInRule(admin?.requireAuth) };
}

/** The access with the draft applied: everything else, including what was not changed, stays as it is stored. */
export function siteAccess(value: unknown, draft: SiteDraft): Access {
  const access = readAccess(value);
  const { requireAuth: current, ...admin } = access.admin ?? {};
  const requireAuth = signInRule(current) === draft.signIn ? current : WRITTEN[draft.signIn];
  const role = { ...furtherRoles(admin.role ?? {}), ...Object.fromEntries(ROLE_NAMES.flatMap((name) => entryOf(name, draft.roles[name]))) };
  return { ...access, admin: { ...admin, role, ...(requireAuth === undefined ? {} : { requireAuth }) } };
}

/** My changes applied to what another person stored. */
export function mergeSiteDraft(base: SiteDraft, mine: SiteDraft, theirs: SiteDraft): SiteDraft {
  const roles = ROLE_NAMES.flatMap((role): [RoleName, string[]][] => {
    const lists = [base.roles[role], mine.roles[role], theirs.roles[role]] as const;
    if (lists.every((list) => list === undefined)) return [];
    const merged = mergeMembers(lists[0] ?? [], lists[1] ?? [], lists[2] ?? []);
    return merged.length === 0 && lists[2] === undefined ? [] : [[role, merged]];
  });
  return { roles: Object.fromEntries(roles), signIn: mine.signIn === base.signIn ? theirs.signIn : mine.signIn };
}

/** A draft with a changed list. A list that was never set and stays empty is not set. */
export function withRole(draft: SiteDraft, role: RoleName, members: readonly string[], stored: SiteDraft): SiteDraft {
  const { [role]: _before, ...roles } = draft.roles;
  const isUnset = members.length === 0 && stored.roles[role] === undefined;
  return { ...draft, roles: isUnset ? roles : { ...roles, [role]: members } };
}

const WRITTEN = { auto: 'auto', always: true, open: false } as const;

function signInRule(value: unknown): SignInRule {
  if (value === true || value === 'true') return 'always';
  return value === false || value === 'false' ? 'open' : 'auto';
}

/** Preserves roles that are not edited here. */
function furtherRoles(roles: NonNullable<NonNullable<Access['admin']>['role']>): Record<string, string[] | undefined> {
  const known: readonly string[] = ROLE_NAMES;
  return Object.fromEntries(Object.entries(roles).filter(([name]) => !known.includes(name)));
}

/** Empty if the site does not have its own access yet. */
function readAccess(value: unknown): Access {
  const parsed = Access.safeParse(withTruthValues(value));
  return parsed.success ? parsed.data : {};
}

/** Before strings were refused, `requireAuth` may have been stored as one. */
function withTruthValues(value: unknown): unknown {
  return value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value), (key, entry: unknown) =>
        key === 'requireAuth' && (entry === 'true' || entry === 'false') ? entry === 'true' : entry,
      );
}

export function roleLists(lists: Readonly<Partial<Record<RoleName, string[] | undefined>>>): RoleLists {
  return Object.fromEntries(ROLE_NAMES.flatMap((role) => entryOf(role, lists[role])));
}

function entryOf(role: RoleName, members: readonly string[] | undefined): [RoleName, string[]][] {
  return members === undefined ? [] : [[role, [...members]]];
}

/** A user of an organization; a new one has no identifier yet. */
export interface DraftUser {
  readonly id?: string;
  readonly email: string;
  readonly name?: string;
  readonly roles: readonly string[];
}

/** The editable people of an organization: the roles of its users apply to every site. */
export interface OrganizationDraft {
  readonly users: readonly DraftUser[];
  readonly groups: Groups;
}

export function organizationDraft(value: unknown): OrganizationDraft {
  const { users, groups = {} } = Org.parse(value);
  return { users: users.map(({ name, ...user }) => ({ ...user, ...(name === undefined ? {} : { name }) })), groups };
}

/** The organization with the draft applied: everything else stays. */
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

/** Whether one of us removed a person or group that the other changed: everything else merges entry by entry. */
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
  const remaining = theirs.flatMap((user): DraftUser[] => {
    const [old, next] = [find(base, user.email), find(mine, user.email)];
    if (next === undefined) return old === undefined ? [user] : [];
    const roles = mergeMembers(old?.roles ?? [], next.roles, user.roles);
    return roles.length === 0 ? [] : [{ ...user, roles }];
  });
  const added = mine.filter(({ email }) => find(theirs, email) === undefined && isNewOrChanged(find(base, email), find(mine, email)));
  return [...remaining, ...added.map(({ id: _id, ...user }) => user)];
}

/** Users whom they removed stay removed, unless they were changed here. */
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
