import { GRANTS, isOpenRead, isRead } from '#contract/permissions.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Org } from '#contract/org.ts';
import type { Caller, User } from '../caller.ts';
import { Refusal } from '../errors.ts';
import type { StoredOrg } from '../ports.ts';
import { rolesOf } from './roles-of.ts';
import type { Grants } from './roles-of.ts';

export interface Resource {
  readonly name: string;
  readonly org: StoredOrg | undefined;
  readonly site?: Grants | undefined;
}

/**
 * Whether a caller may do what a call asks for. Refuses with NOT_AUTHENTICATED, NOT_AUTHORIZED (and says who can grant it)
 * or ORG_NOT_FOUND (and says how to claim it). Rule: service contract, section 3.
 */
export function permit(caller: Caller, permission: Permission, resource: Resource): StoredOrg | undefined {
  if (permission === 'public') return resource.org;
  if (isOpenRead(permission) && isOpen(resource.site)) return resource.org;
  requireUser(caller);
  if (permission === 'signed-in') return resource.org;
  if (!isRead(permission)) requireHeader(caller);
  const { org } = resource;
  if (org === undefined && permission === 'org:claim') return void requirePerson(caller);
  if (org === undefined) throw unclaimed(resource.name);
  const roles = rolesOf(caller, org.config, permission.startsWith('org:') ? undefined : resource.site);
  if (!GRANTS[permission].some((role) => roles.has(role))) throw notAuthorized(caller, org.config);
  return org;
}

/** Refuses callers that are not signed in; answers who the caller is. */
export function requireUser(caller: Caller): User {
  if (caller.kind === 'user') return caller;
  throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
    detail: 'Sign in at /login, or send a valid token in the header "x-auth-token".',
  });
}

/** A cookie is sent by a browser unasked, so it is good for reads alone. */
export function requireHeader(caller: Caller): void {
  if (caller.kind !== 'user' || caller.credential === 'header') return;
  throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
    detail: 'A cookie is not enough to change something: send the token in the header "x-auth-token".',
  });
}

export function notAuthorized(caller: Caller, org: Pick<Org, 'users' | 'name'>, why?: string): Refusal {
  const admins = org.users.filter((user) => user.roles.includes('admin')).map((user) => user.email);
  const who = admins.slice(0, SHOWN_ADMINS).join(', ');
  const ask = who === '' ? `Organization "${org.name}" has no administrator.` : `An administrator can grant it: ${who}.`;
  return new Refusal('NOT_AUTHORIZED', why ?? 'not authorized', {
    detail: [why ?? noRole(caller), callerIs(caller), ask].filter((sentence) => sentence !== '').join(' '),
    data: { grantedBy: who },
  });
}

/** Refuses callers that are not signed in, and API keys: the call begins something of one's own. */
export function requirePerson(caller: Caller): User {
  const user = requireUser(caller);
  if (user.key === undefined) return user;
  throw new Refusal('NOT_AUTHORIZED', 'not authorized', {
    detail: `${callerIs(user)} Claiming an organization needs a person: sign in at /login and send that token.`,
  });
}

function noRole(caller: Caller): string {
  const isKey = caller.kind === 'user' && caller.key !== undefined;
  return isKey ? 'This API key does not allow this here.' : 'Your account has no role here that allows this.';
}

function callerIs(caller: Caller): string {
  if (caller.kind === 'anonymous') return '';
  if (caller.key === undefined) return `You are signed in as ${caller.email}.`;
  const { id, org, site, roles } = caller.key;
  const place = site === undefined ? `the organization "${org}"` : `the site "${org}/${site}" alone`;
  return `The key ${id} is good for ${place}, with the roles ${roles.join(', ')}.`;
}

export function unclaimed(org: string): Refusal {
  return new Refusal('ORG_NOT_FOUND', `The organization "${org}" is not claimed.`, {
    detail: `The organization "${org}" is not claimed. Its owner claims it: POST /config/${org}/challenge.json, commit the challenge, then PUT /config/${org}.json.`,
    data: { org },
  });
}

/** Whether `requireAuth: false` opens the reads of a site to everybody; every other value asks for a sign-in. */
export function isOpen(site: Grants | undefined): boolean {
  const requireAuth = site?.access?.admin?.requireAuth;
  return requireAuth === false || requireAuth === 'false';
}

const SHOWN_ADMINS = 5;
