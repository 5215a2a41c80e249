import { hostReaders, memberMatches, ROLE_NAMES, type RoleName } from '@repoless/contract/access.ts';
import type { Consequence, ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import type { OrgUser } from '@repoless/contract/org.ts';
import type { Site } from '@repoless/contract/site.ts';
import { accountMismatch, type Environment } from '../sites/environments.ts';
import type { OrganizationDraft, RoleLists, SiteDraft } from './access-kind.ts';
import { type Groups, type GroupScope, isListed, matchesPerson, refersToMissingGroup, resolveEntry } from './groups.ts';

/** Roles that change the configuration: anyone with one can break the site. */
const STRONG = ['admin', 'config_admin'] as const satisfies readonly RoleName[];
const TECHNICAL_ACCOUNT = /@techacct\./i;
const HOSTS = ['preview', 'live'] as const;

/** The parts of a site that decide its consequences for people: the effective ones, with its profile. */
export type SitePeople = Pick<Site, 'access' | 'groups' | 'public' | 'content' | 'code'>;

/** The parts of an organization that decide who may do what on all its sites. */
export interface OrganizationPeople {
  readonly users: readonly Pick<OrganizationDraft['users'][number], 'email' | 'roles'>[];
  readonly groups: Groups;
}

type Lists = Readonly<Partial<Record<RoleName, readonly string[] | undefined>>>;

/** The other people involved. */
export interface PeopleContext {
  readonly caller: readonly string[];
  /** The groups and users of the organization; absent if the caller may not read them. */
  readonly organization: Groups | undefined;
  readonly users: readonly OrgUser[] | undefined;
}

/** The same with other sources of access, for someone who edits the access of one site. */
export interface SiteContext {
  readonly caller: readonly string[];
  readonly scope: GroupScope;
  readonly users: readonly OrgUser[] | undefined;
  /** The lists of the profile that the site extends: effective if the site does not have its own. */
  readonly profile: RoleLists | undefined;
  /** The authoring environment of the site's content, followed by other known ones. */
  readonly environments: readonly Environment[];
}

/**
 * The consequences of a change to a site for people and visitors. Takes the effective site before and after, including its profile;
 * undefined if it doesn't exist. Conditions that already existed before are not consequences.
 */
export function siteConsequences(before: SitePeople | undefined, after: SitePeople | undefined, context: PeopleContext): Consequence[] {
  if (after === undefined) return before === undefined ? [] : [{ kind: 'stops' }];
  if (before === undefined) return existingProblems(after, context.organization).filter(({ kind }) => kind !== 'no-administrator');
  const pages = pageChanges(before, after);
  if (sameValue([before.access, before.groups], [after.access, after.groups])) return pages;
  const known = new Set(existingProblems(before, context.organization).map(keyOf));
  const started = existingProblems(after, context.organization).filter((one) => !known.has(keyOf(one)));
  const people = [...lostByCaller(before, after, context), ...started, ...peopleChanges(before, after, context)];
  return [...people, ...hostChanges(before, after, context), ...pages];
}

/** What to warn about while someone edits the access of a site: the consequences of the change, and problems of what is set. */
export function siteWarnings(stored: SiteDraft, draft: SiteDraft, context: SiteContext): Consequence[] {
  const { caller, scope, users, environments } = context;
  const [before, after] = [asSite(stored, context), asSite(draft, context)];
  const done = siteConsequences(before, after, { caller, organization: scope.organization, users });
  const removed = done.flatMap((one) => (one.kind === 'account-removed' ? [one.account] : []));
  const others = [...existingProblems(after, scope.organization), ...accountProblems(rolesOf(after), scope, environments, removed)];
  return [...done, ...others.filter((one) => !done.some((other) => keyOf(other) === keyOf(one)))];
}

/** The warnings about the people of an organization. */
export function organizationWarnings(stored: OrganizationPeople, draft: OrganizationPeople, caller: readonly string[]): Consequence[] {
  const done = organizationConsequences(stored, draft, caller);
  return [...done, ...existingProblemsOfOrganization(draft).filter((one) => !done.some((other) => keyOf(other) === keyOf(one)))];
}

/** The consequences of a change to an organization for its people, on all sites. */
export function organizationConsequences(stored: OrganizationPeople, draft: OrganizationPeople, caller: readonly string[]): Consequence[] {
  const administers = ({ users, groups }: OrganizationPeople) =>
    users.some((user) => user.roles.includes('admin') && matchesPerson(user.email, caller, { organization: groups }));
  const removed = Object.keys(stored.groups).filter((name) => !Object.hasOwn(draft.groups, name));
  const known = new Set(existingProblemsOfOrganization(stored).map(keyOf));
  const side = ({ users, groups }: OrganizationPeople): Side => ({ lists: listsOf(users), scope: { organization: groups } });
  return [
    ...(administers(stored) && !administers(draft) ? [{ kind: 'yourself' } as const] : []),
    ...existingProblemsOfOrganization(draft).filter((one) => !known.has(keyOf(one))),
    ...removed.map((name) => ({ kind: 'group-removed', entry: `groups/${name}` }) as const),
    ...roleChanges(side(stored), side(draft), () => caller),
  ];
}

/** The consequences of a change to the organization's groups for a site whose lists name them. `earlier`: the previous groups. */
export function sharedGroupConsequences(site: SitePeople, earlier: Groups, context: PeopleContext): Consequence[] {
  return [...peopleChanges(site, site, context, earlier), ...hostChanges(site, site, context, earlier)];
}

/** Whether it requires confirmation: something stops working, or people gain or lose something that others have to restore. */
export function isGrave(what: Consequence): boolean {
  switch (what.kind) {
    case 'people-lost':
      return what.role === 'admin';
    case 'account-missing':
    case 'other-environment':
    case 'unknown-group':
    case 'group-removed':
    case 'people-gained':
    case 'readers-lost':
      return false;
    default:
      return true;
  }
}

/**
 * The consequences of many sites as one list, the gravest and most frequent first. Takes each with its sites; without sites, it is about
 * everything.
 */
export function groupConsequences(
  found: Iterable<{ readonly what: Consequence; readonly sites: readonly string[] }>,
): ConsequenceOfSites[] {
  const groups = new Map<string, { what: Consequence; sites: Set<string> }>();
  for (const { what, sites } of found) {
    const key = 'people' in what ? keyOf({ ...what, people: [] }) : keyOf(what);
    const group = groups.get(key) ?? { what, sites: new Set() };
    sites.forEach((site) => group.sites.add(site));
    groups.set(key, { ...group, what: combined(group.what, what) });
  }
  return [...groups.values()]
    .map(({ what, sites }) => ({ what, grave: isGrave(what), sites: [...sites] }))
    .toSorted((one, other) => Number(other.grave) - Number(one.grave) || other.sites.length - one.sites.length);
}

function combined(one: Consequence, other: Consequence): Consequence {
  if (!('people' in one) || !('people' in other)) return one;
  return { ...one, people: [...new Set([...one.people, ...other.people])] };
}

function keyOf(what: Consequence): string {
  return JSON.stringify(what);
}

/** Problems of a configuration, independent of any change. */
function existingProblems(site: SitePeople, organization: Groups | undefined): Consequence[] {
  const roles = rolesOf(site);
  const scope = scopeOf(site, organization);
  const hasAdmin = (roles.admin ?? []).some((entry) => resolveEntry(entry, scope).length > 0);
  return [
    ...(hasAdmin ? [] : [{ kind: 'no-administrator' } as const]),
    ...STRONG.flatMap((role) => (roles[role] ?? []).flatMap((entry) => wildcards(role, entry, scope))),
    ...unknownGroups(
      ROLE_NAMES.flatMap((role) => roles[role] ?? []),
      scope,
    ),
    ...(String(site.access?.admin?.requireAuth) === 'false' ? [{ kind: 'open' } as const] : []),
  ];
}

function existingProblemsOfOrganization({ users, groups }: OrganizationPeople): Consequence[] {
  const scope: GroupScope = { organization: groups };
  const admins = users.filter((user) => user.roles.includes('admin') && resolveEntry(user.email, scope).length > 0);
  const members = Object.values(groups).flatMap((group) => group.members.map(({ email }) => email));
  return [
    ...(admins.length === 0 ? [{ kind: 'no-administrator' } as const] : []),
    ...users.flatMap((user) => STRONG.filter((role) => user.roles.includes(role)).flatMap((role) => wildcards(role, user.email, scope))),
    ...unknownGroups([...users.map(({ email }) => email), ...members], scope),
  ];
}

function lostByCaller(before: SitePeople, after: SitePeople, { caller, organization, users }: PeopleContext): Consequence[] {
  const administers = (site: SitePeople) =>
    (rolesOf(site).admin ?? []).some((entry) => matchesPerson(entry, caller, scopeOf(site, organization)));
  // Someone who may not read the organization's users does not administer it.
  const everywhere = users?.some((user) => user.roles.includes('admin') && matchesPerson(user.email, caller, { organization })) === true;
  return !everywhere && administers(before) && !administers(after) ? [{ kind: 'yourself' }] : [];
}

function peopleChanges(
  before: SitePeople,
  after: SitePeople,
  { caller, organization, users = [] }: PeopleContext,
  earlier = organization,
): Consequence[] {
  const side = (site: SitePeople, groups: Groups | undefined): Side => ({ lists: rolesOf(site), scope: scopeOf(site, groups) });
  // Anyone with a role on all sites of the organization keeps it; the caller has a separate warning.
  const everywhere = listsOf(users);
  return roleChanges(side(before, earlier), side(after, organization), (role) => [
    ...caller,
    ...namesIn(everywhere[role], { organization }),
  ]);
}

interface Side {
  readonly lists: Lists;
  readonly scope: GroupScope;
}

function listsOf(users: OrganizationPeople['users']): Lists {
  return Object.fromEntries(ROLE_NAMES.map((role) => [role, users.filter(({ roles }) => roles.includes(role)).map(({ email }) => email)]));
}

/** People and technical accounts that lose a role, and people who get one that changes the configuration. `keeping`: who has it anyway. */
function roleChanges(before: Side, after: Side, keeping: (role: RoleName) => readonly string[]): Consequence[] {
  const removed = accountsOf(before).filter((account) => !publishes(after, account));
  const named = ({ lists, scope }: Side, role: RoleName) => namesIn(lists[role], scope);
  const changed = (kind: 'people-lost' | 'people-gained', roles: readonly RoleName[], one: Side, other: Side) =>
    roles.flatMap((role): Consequence[] => {
      const people = without(named(one, role), [...named(other, role), ...keeping(role)]);
      return people.length === 0 ? [] : [{ kind, role, people }];
    });
  return [
    ...removed.map((account) => ({ kind: 'account-removed', account }) as const),
    ...changed('people-lost', ROLE_NAMES, before, after),
    ...changed('people-gained', STRONG, after, before),
  ];
}

/** Entries that match only the first list. Wildcards, which match unnamed people, are reported separately. */
function without(one: readonly string[], other: readonly string[]): string[] {
  const remaining = new Set(other);
  const wildcards = other.filter((member) => member.startsWith('*'));
  const isNamed = (member: string) => !member.startsWith('*') && !TECHNICAL_ACCOUNT.test(member);
  return one.filter(
    (member) => isNamed(member) && !remaining.has(member) && !wildcards.some((wildcard) => memberMatches(wildcard, [member])),
  );
}

function namesIn(list: readonly string[] | undefined, scope: GroupScope): string[] {
  return [...new Set((list ?? []).flatMap((entry) => resolveEntry(entry, scope)).map((member) => member.toLowerCase()))];
}

function hostChanges(before: SitePeople, after: SitePeople, { organization }: PeopleContext, earlier = organization): Consequence[] {
  return HOSTS.flatMap((host): Consequence[] => {
    const [had, has] = [hostReaders(before.access, host), hostReaders(after.access, host)];
    if (had === undefined) return has === undefined ? [] : [{ kind: 'host-closed', host }];
    if (has === undefined) return [{ kind: 'host-open', host }];
    const people = without(namesIn(had.allow, scopeOf(before, earlier)), namesIn(has.allow, scopeOf(after, organization)));
    return people.length === 0 ? [] : [{ kind: 'readers-lost', host, people }];
  });
}

/** What visitors see: the pages, and the code that renders them. */
function pageChanges(before: SitePeople, after: SitePeople): Consequence[] {
  const [had, has] = [homeOf(before), homeOf(after)];
  if (had !== undefined && has === undefined) return [{ kind: 'pages-lost' }];
  const [from, to] = [repositoryOf(before), repositoryOf(after)];
  return [
    ...(had !== undefined && had !== has ? [{ kind: 'content-replaced' } as const] : []),
    ...(from !== undefined && to !== undefined && from !== to ? [{ kind: 'code-replaced', repository: to } as const] : []),
  ];
}

/** The content at the root address of the site; undefined if visitors see none. */
function homeOf({ public: shown, content }: SitePeople): string | undefined {
  const { mappings = [], includes } = shown?.paths ?? {};
  const root = contentRoot(mappings);
  return root === undefined || includes?.length === 0 ? undefined : `${content?.source.url ?? ''} ${root}`;
}

function repositoryOf({ code }: SitePeople): string | undefined {
  const repository = `${code?.owner ?? ''}/${code?.repo ?? ''}`;
  return repository === '/' ? code?.source?.url : repository;
}

function rolesOf({ access }: SitePeople): Lists {
  return access?.admin?.role ?? {};
}

function scopeOf({ groups }: SitePeople, organization: Groups | undefined): GroupScope {
  return { site: groups ?? {}, organization };
}

function asSite({ roles, signIn }: SiteDraft, { profile, scope }: SiteContext): SitePeople {
  const role = Object.fromEntries(Object.entries({ ...profile, ...roles }).map(([name, members]) => [name, [...members]]));
  const requireAuth = { auto: 'auto', always: true, open: false } as const;
  return { access: { admin: { role, requireAuth: requireAuth[signIn] } }, ...(scope.site === undefined ? {} : { groups: scope.site }) };
}

function wildcards(role: RoleName, entry: string, scope: GroupScope): Consequence[] {
  const members = new Set(resolveEntry(entry, scope).filter((member) => member.startsWith('*')));
  return [...members].map((member): Consequence => {
    const through = member === entry ? {} : { through: entry };
    return member === '*' ? { kind: 'everyone', role, ...through } : { kind: 'domain', role, domain: member.slice(2), ...through };
  });
}

/** The technical accounts that may publish, and others known to be technical accounts. */
function accountsOf({ lists, scope }: Side, known?: string): string[] {
  const names = STRONG.flatMap((role) => (lists[role] ?? []).flatMap((entry) => resolveEntry(entry, scope)));
  return [...new Set(names)].filter((name) => TECHNICAL_ACCOUNT.test(name) || name.toLowerCase() === known?.toLowerCase());
}

function publishes({ lists, scope }: Side, account: string): boolean {
  return STRONG.some((role) => (lists[role] ?? []).some((entry) => isListed(resolveEntry(entry, scope), account)));
}

/** Problems that only the authoring environment's account reveals. `removed`: accounts that are already reported. */
function accountProblems(lists: Lists, scope: GroupScope, environments: readonly Environment[], removed: readonly string[]): Consequence[] {
  const [environment] = environments;
  if (environment === undefined) return [];
  const account = environment.technicalAccount;
  const isMissing = account !== undefined && !publishes({ lists, scope }, account) && !isListed(removed, account);
  const others = accountsOf({ lists, scope }, account).flatMap(
    (name) => accountMismatch(name, environment.author, environments)?.data ?? [],
  );
  return [
    ...(isMissing ? [{ kind: 'account-missing', account } as const] : []),
    ...others.map((data) => ({ kind: 'other-environment', ...data }) as const),
  ];
}

function unknownGroups(entries: readonly string[], scope: GroupScope): Consequence[] {
  return [...new Set(entries)].filter((entry) => refersToMissingGroup(entry, scope)).map((entry) => ({ kind: 'unknown-group', entry }));
}
