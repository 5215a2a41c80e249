import { Access, ROLE_NAMES } from '@repoless/contract/access.ts';
import type { RoleName } from '@repoless/contract/access.ts';
import { mergeMembers } from './members.ts';

/** Whether a sign-in is asked for: as the service decides, always, or not for reading. */
export type SignInRule = 'auto' | 'always' | 'open';
export type RoleLists = Readonly<Partial<Record<RoleName, readonly string[]>>>;

/** What of a site's access is edited. A role that is absent is not set: a profile may set it. */
export interface SiteDraft {
  readonly roles: RoleLists;
  readonly signIn: SignInRule;
}

export function siteDraft(value: unknown): SiteDraft {
  const admin = readAccess(value).admin;
  return { roles: admin?.role === undefined ? {} : roleLists(admin.role), signIn: signInRule(admin?.requireAuth) };
}

/** The access with the draft: what is not edited stays, and what was not changed stays as it is written. */
export function siteAccess(value: unknown, draft: SiteDraft): Access {
  const access = readAccess(value);
  const { requireAuth: present, ...admin } = access.admin ?? {};
  const requireAuth = signInRule(present) === draft.signIn ? present : WRITTEN[draft.signIn];
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

/** A draft with another list. One that was never set and stays empty is not set. */
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

/** Roles that are not edited here are kept. */
function furtherRoles(roles: NonNullable<NonNullable<Access['admin']>['role']>): Record<string, string[] | undefined> {
  const known: readonly string[] = ROLE_NAMES;
  return Object.fromEntries(Object.entries(roles).filter(([name]) => !known.includes(name)));
}

/** Empty where the site has no access of its own yet. */
function readAccess(value: unknown): Access {
  const parsed = Access.safeParse(withTruthValues(value));
  return parsed.success ? parsed.data : {};
}

/** Before texts were refused, `requireAuth` may have been stored as one. */
function withTruthValues(value: unknown): unknown {
  return value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value), (key, held: unknown) =>
        key === 'requireAuth' && (held === 'true' || held === 'false') ? held === 'true' : held,
      );
}

export function roleLists(lists: Readonly<Partial<Record<RoleName, string[] | undefined>>>): RoleLists {
  return Object.fromEntries(ROLE_NAMES.flatMap((role) => entryOf(role, lists[role])));
}

function entryOf(role: RoleName, members: readonly string[] | undefined): [RoleName, string[]][] {
  return members === undefined ? [] : [[role, [...members]]];
}
