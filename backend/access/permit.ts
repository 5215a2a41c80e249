import { GRANTS, type HostReaders, isOpenRead, isRead, type Permission, referredGroup } from '@repoless/contract/access.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { Context, Permitted } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Reads, StoredOrg } from '../domain/ports.ts';
import {
  CONTACT_ADMIN,
  callerSentence,
  entryMatcher,
  type Grants,
  isKeyValidFor,
  isListed,
  noRoleSentence,
  notAuthorized,
  rolesOf,
} from './roles.ts';
import type { Site } from '@repoless/contract/site.ts';
import { DEFAULT_PROFILE } from '@repoless/contract/aggregate-site.ts';
import { ANONYMOUS, type Caller, notAuthenticated, requireUser, type User } from '../sessions/identity.ts';

export interface Resource {
  readonly name: string;
  readonly org: StoredOrg | undefined;
  readonly site?: Grants | undefined;
}

/**
 * Checks whether a caller may do what a call requests. Refuses with NOT_AUTHENTICATED, NOT_AUTHORIZED (naming who can grant it), or
 * ORG_NOT_FOUND if there is no such organization or the caller has no role in it: strangers do not learn which. Rule: docs/contract.md 4.2.
 */
export function permit(caller: Caller, permission: Permission, resource: Resource): StoredOrg | undefined {
  if (permission === 'public') return resource.org;
  if (isOpenRead(permission) && isOpen(resource.site)) return resource.org;
  if (caller.kind === 'anonymous') throw notAuthenticated();
  if (permission === 'signed-in') return resource.org;
  if (!isRead(permission)) requireHeader(caller);
  const { org } = resource;
  if (org === undefined && permission === 'org:claim') return void requirePerson(caller);
  const grants = permission.startsWith('org:') ? undefined : resource.site;
  if (org === undefined) throw unclaimed(resource.name, caller);
  const roles = rolesOf(caller, org.config, grants);
  if (roles.size === 0) throw isKeyOf(caller, org.config) ? noRoleHere(caller) : unclaimed(resource.name, caller);
  if (!GRANTS[permission].some((role) => roles.has(role))) throw notAuthorized(caller, org.config, { site: resource.site });
  return org;
}

/** Checks a call's permission before its body is parsed; returns the documents that it read. Writes check again in their transaction. */
export async function authorize(
  context: Context,
  permission: Permission,
  params: { readonly org?: string | undefined; readonly site?: string | undefined },
): Promise<Permitted> {
  const { caller } = context;
  switch (permission) {
    case 'public':
      return {};
    case 'signed-in':
      requireUser(caller);
      return {};
    case 'operator':
      requireOperator(caller, context.settings.operators);
      return {};
    default:
  }
  const name = params.org ?? '';
  if (caller.kind === 'anonymous') return await authorizeAnonymous(context, permission, { ...params, org: name });
  const { org, site } = await readOrgAndSite(context.store.reads, name, params.site);
  // A claim is decided by its proof, even if the organization is claimed already.
  const isClaim = permission === 'org:claim' && org !== undefined && isStranger(caller, org.config);
  permit(caller, permission, { name, org: isClaim ? undefined : org, site: site?.aggregate });
  return { org, site };
}

export async function readOrgAndSite(reads: Pick<Reads, 'org' | 'orgAndSite'>, org: string, site: string | undefined) {
  return site === undefined ? { org: await reads.org(org), site: undefined } : await reads.orgAndSite(org, site);
}

/** Only an open site admits anyone. The organization is not read, so that the response time does not reveal whether it exists. */
async function authorizeAnonymous(
  { caller, store }: Context,
  permission: Permission,
  { org: name, site }: { readonly org: string; readonly site?: string | undefined },
): Promise<Permitted> {
  const stored = isOpenRead(permission) && site !== undefined ? await store.reads.site(name, site) : undefined;
  permit(caller, permission, { name, org: undefined, site: stored?.aggregate });
  return { site: stored };
}

/** Whether a caller has no role in the organization or on the site. A key of the organization is never a stranger to it. */
export function isStranger(caller: Caller, org: Pick<Org, 'name' | 'users' | 'groups'>, site?: Grants): boolean {
  return !isKeyOf(caller, org) && rolesOf(caller, org, site).size === 0;
}

function isKeyOf(caller: Caller, org: Pick<Org, 'name'>): boolean {
  return caller.kind === 'user' && caller.key?.org === org.name;
}

/** A browser sends a cookie with any request, so a cookie is valid only for reads. */
export function requireHeader(caller: Caller): void {
  if (caller.kind !== 'user' || caller.credential === 'header') return;
  throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
    detail: 'A cookie is not enough to change something: send the token in the header "x-auth-token".',
  });
}

/** Names no administrator: the caller may be a key of another site of the organization. */
function noRoleHere(caller: Caller): Refusal {
  return new Refusal('NOT_AUTHORIZED', 'not authorized', {
    detail: `${noRoleSentence(caller)} ${callerSentence(caller)} ${CONTACT_ADMIN}`,
  });
}

/** Refuses callers that are not signed in, and API keys, because the call concerns something personal. `what` starts the message. */
export function requirePerson(caller: Caller, what = 'Claiming an organization'): User {
  const user = requireUser(caller);
  if (user.key === undefined) return user;
  throw new Refusal('NOT_AUTHORIZED', 'not authorized', {
    detail: `${callerSentence(user)} ${what} needs a person: sign in at /login and send that token.`,
    data: { reason: 'person' },
  });
}

/** Whether the caller is one of the operators; an API key never is. Takes their names in lower case. */
export function isOperator(caller: Caller, operators: readonly string[]): boolean {
  return caller.kind === 'user' && caller.key === undefined && caller.names.some((name) => operators.includes(name));
}

export function requireOperator(caller: Caller, operators: readonly string[]): User {
  const person = requirePerson(caller, 'The state of the service');
  if (isOperator(person, operators)) return person;
  throw new Refusal('NOT_AUTHORIZED', 'not authorized', {
    detail: `You are signed in as ${person.email}. This is for the operators of the service (OPERATORS).`,
    data: { reason: 'operator', caller: person.email },
  });
}

/** Only an operator may store a code source unchecked. */
export function requireOperatorToSkip({ caller, settings }: Context): void {
  if (caller.kind === 'anonymous') throw notAuthenticated();
  if (isOperator(caller, settings.operators)) return;
  const sentence = 'Only an operator of the service may store a code source unchecked. Omit unchecked.';
  throw new Refusal('NOT_AUTHORIZED', sentence);
}

/** The same message whether or not the organization exists. */
export function unclaimed(org: string, caller: Caller = ANONYMOUS): Refusal {
  const sentence = `The organization "${org}" is not claimed, or you have no role here.`;
  const claim = `If it is unclaimed, its owner can claim it: POST /config/${org}/challenge.json, commit the challenge, then PUT /config/${org}.json.`;
  return new Refusal('ORG_NOT_FOUND', sentence, {
    detail: [sentence, callerSentence(caller), 'If it is claimed, ask one of its administrators for access.', claim]
      .filter((one) => one !== '')
      .join(' '),
    data: { org },
  });
}

/** Whether `requireAuth: false` opens the reads of a site to everyone; every other value requires a sign-in. */
export function isOpen(site: Grants | undefined): boolean {
  // Stored as a text before texts were refused.
  return String(site?.access?.admin?.requireAuth) === 'false';
}

/** Whether the readers of a host are given by groups, so that the organization's groups are needed. */
export function usesGroups({ allow }: HostReaders): boolean {
  return allow.some((entry) => referredGroup(entry) !== undefined);
}

/** Whether a user with a valid token is one of the readers. Lists and wildcards never include an API key, which must be named itself. */
export function mayReadHost(user: User, readers: HostReaders, org: Pick<Org, 'name' | 'groups'>, site: Grants): boolean {
  if (user.key !== undefined) return isKeyValidFor(user.key, org.name, site) && readers.apiKeyId.includes(user.key.id);
  return readers.allow.some(entryMatcher(user.names, { site: site.groups, organization: org.groups }));
}

export async function isListedMember(
  { caller, store }: Pick<Context, 'caller' | 'store'>,
  name: string,
  siteName?: string,
): Promise<boolean> {
  const { org, site } = await readOrgAndSite(store.reads, name, siteName);
  return org !== undefined && isListed(caller, org.config, site?.aggregate);
}

/**
 * Refuses with NOT_AUTHORIZED a site that starts to extend another profile, unless the caller may read the profiles of the organization: a
 * profile's content can be read through the sites that extend it. Does not reveal whether the profile exists. The profile that applies to
 * sites by default is not a change. Takes the site with its profile before, and its own configuration after. Rule: docs/contract.md 3.12.
 */
export function requireMayExtend(caller: Caller, org: Org, before: Site | undefined, after: Site): void {
  const profile = after.extends?.profile;
  if (profile === undefined || profile === DEFAULT_PROFILE || profile === before?.extends?.profile) return;
  const roles = rolesOf(caller, org);
  if (GRANTS['org:read'].some((role) => roles.has(role))) return;
  throw notAuthorized(caller, org, {
    why: 'To make a site extend another profile, you need permission to read the profiles of the organization.',
    reason: 'profileRead',
    site: before,
  });
}
