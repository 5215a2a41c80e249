import { ROLE_NAMES, type RoleName } from '@repoless/contract/access.ts';
import type { OrgUser } from '@repoless/contract/org.ts';
import { accountMismatch, type Environment } from '../sites/environments.ts';
import type { OrganizationDraft, RoleLists, SiteDraft } from './access-kind.ts';
import { type GroupScope, isListed, isMeant, lacksGroup, resolved } from './groups.ts';

/** What a person should know before they save. */
export type AccessWarning =
  /** `*` in a list that may change the configuration; `through` is the group that holds it. */
  | { readonly kind: 'everyone'; readonly role: RoleName; readonly through?: string }
  | { readonly kind: 'domain'; readonly role: RoleName; readonly domain: string; readonly through?: string }
  | { readonly kind: 'yourself' }
  | { readonly kind: 'no-administrator' }
  | { readonly kind: 'account-removed' | 'account-missing'; readonly account: string }
  | {
      readonly kind: 'other-environment';
      readonly account: string;
      readonly environment: string;
      readonly own: string;
      readonly belongsTo: string;
    }
  | { readonly kind: 'unknown-group'; readonly entry: string }
  /** A group of the organization that lists of its sites may still name. */
  | { readonly kind: 'group-removed'; readonly entry: string }
  | { readonly kind: 'open' };

/** Roles that change the configuration: whoever has one can break the site. */
const STRONG = ['admin', 'config_admin'] as const satisfies readonly RoleName[];
const TECHNICAL_ACCOUNT = /@techacct\./i;

/** Other sources of access to a site. Absent if the caller may not read them. */
export interface SiteContext {
  /** How lists name the caller. */
  readonly caller: readonly string[];
  readonly scope: GroupScope;
  readonly users: readonly OrgUser[] | undefined;
  /** The lists of the profile that the site extends: they hold where the site has none of its own. */
  readonly profile: RoleLists | undefined;
  /** The authoring environment that the site's content comes from, and others that are known. */
  readonly environments: readonly Environment[];
}

/** Takes the access as it is stored, as it is to be, and its context. Returns the consequences of the change, worst first. */
export function siteWarnings(stored: SiteDraft, draft: SiteDraft, around: SiteContext): AccessWarning[] {
  const { caller, scope, users } = around;
  const lists = (one: SiteDraft): RoleLists => ({ ...around.profile, ...one.roles });
  const [before, after] = [lists(stored), lists(draft)];
  const administers = (roles: RoleLists) => (roles.admin ?? []).some((entry) => isMeant(entry, caller, scope));
  const everywhere = users?.some((user) => user.roles.includes('admin') && isMeant(user.email, caller, scope)) === true;
  const anybody = (after.admin ?? []).some((entry) => resolved(entry, scope).length > 0);
  return [
    ...(users !== undefined && !everywhere && administers(before) && !administers(after) ? [{ kind: 'yourself' } as const] : []),
    ...(!anybody ? [{ kind: 'no-administrator' } as const] : []),
    ...STRONG.flatMap((role) => (after[role] ?? []).flatMap((entry) => wildcards(role, entry, scope))),
    ...accountWarnings(before, after, around),
    ...unknownGroups(
      ROLE_NAMES.flatMap((role) => after[role] ?? []),
      scope,
    ),
    ...(draft.signIn === 'open' ? [{ kind: 'open' } as const] : []),
  ];
}

/** The same for the people of an organization. */
export function organizationWarnings(stored: OrganizationDraft, draft: OrganizationDraft, caller: readonly string[]): AccessWarning[] {
  const administers = ({ users, groups }: OrganizationDraft) =>
    users.some((user) => user.roles.includes('admin') && isMeant(user.email, caller, { organization: groups }));
  const scope: GroupScope = { organization: draft.groups };
  const admins = draft.users.filter((user) => user.roles.includes('admin') && resolved(user.email, scope).length > 0);
  const removed = Object.keys(stored.groups).filter((name) => !Object.hasOwn(draft.groups, name));
  const members = Object.values(draft.groups).flatMap((group) => group.members.map(({ email }) => email));
  return [
    ...(administers(stored) && !administers(draft) ? [{ kind: 'yourself' } as const] : []),
    ...(admins.length === 0 ? [{ kind: 'no-administrator' } as const] : []),
    ...draft.users.flatMap((user) =>
      STRONG.filter((role) => user.roles.includes(role)).flatMap((role) => wildcards(role, user.email, scope)),
    ),
    ...removed.map((name) => ({ kind: 'group-removed', entry: `groups/${name}` }) as const),
    ...unknownGroups([...draft.users.map(({ email }) => email), ...members], scope),
  ];
}

function wildcards(role: RoleName, entry: string, scope: GroupScope): AccessWarning[] {
  const members = new Set(resolved(entry, scope).filter((member) => member.startsWith('*')));
  return [...members].map((member): AccessWarning => {
    const through = member === entry ? {} : { through: entry };
    return member === '*' ? { kind: 'everyone', role, ...through } : { kind: 'domain', role, domain: member.slice(2), ...through };
  });
}

function accountWarnings(before: RoleLists, after: RoleLists, { scope, environments }: SiteContext): AccessWarning[] {
  const [environment] = environments;
  const account = environment?.technicalAccount;
  const publishes = (roles: RoleLists, name: string) =>
    STRONG.some((role) => (roles[role] ?? []).some((entry) => isListed(resolved(entry, scope), name)));
  const accounts = (roles: RoleLists) =>
    [...new Set(STRONG.flatMap((role) => (roles[role] ?? []).flatMap((entry) => resolved(entry, scope))))].filter(
      (name) => TECHNICAL_ACCOUNT.test(name) || name.toLowerCase() === account?.toLowerCase(),
    );
  const removed = accounts(before).filter((name) => !publishes(after, name));
  const isMissing = account !== undefined && !publishes(after, account) && !isListed(removed, account);
  const others =
    environment === undefined ? [] : accounts(after).flatMap((name) => accountMismatch(name, environment.author, environments)?.data ?? []);
  return [
    ...removed.map((name) => ({ kind: 'account-removed', account: name }) as const),
    ...(isMissing ? [{ kind: 'account-missing', account } as const] : []),
    ...others.map((data) => ({ kind: 'other-environment', ...data }) as const),
  ];
}

function unknownGroups(entries: readonly string[], scope: GroupScope): AccessWarning[] {
  return [...new Set(entries)].filter((entry) => lacksGroup(entry, scope)).map((entry) => ({ kind: 'unknown-group', entry }));
}
