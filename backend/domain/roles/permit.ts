import { GRANTS, isRead } from '#contract/permissions.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Org } from '#contract/org.ts';
import type { Caller } from '../caller.ts';
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
  if (isRead(permission) && permission !== 'org:read' && isOpen(resource.site)) return resource.org;
  requireUser(caller);
  if (permission === 'signed-in') return resource.org;
  if (!isRead(permission)) requireHeader(caller);
  const { org } = resource;
  if (org === undefined) throw unclaimed(resource.name);
  const roles = rolesOf(caller, org.config, permission.startsWith('org:') ? undefined : resource.site);
  if (!GRANTS[permission].some((role) => roles.has(role))) throw notAuthorized(caller, org.config);
  return org;
}

/** Refuses callers that are not signed in; answers who the caller is. */
export function requireUser(caller: Caller): Extract<Caller, { kind: 'user' }> {
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
  const as = caller.kind === 'user' ? `You are signed in as ${caller.email}. ` : '';
  const ask = who === '' ? `Organization "${org.name}" has no administrator.` : `An administrator can grant it: ${who}.`;
  return new Refusal('NOT_AUTHORIZED', why ?? 'not authorized', {
    detail: `${why ?? 'Your account has no role here that allows this.'} ${as}${ask}`,
    data: { grantedBy: who },
  });
}

export function unclaimed(org: string): Refusal {
  return new Refusal('ORG_NOT_FOUND', `The organization "${org}" is not claimed.`, {
    detail: `The organization "${org}" is not claimed. Its owner claims it: POST /config/${org}/challenge.json, commit the challenge, then PUT /config/${org}.json.`,
    data: { org },
  });
}

function isOpen(site: Grants | undefined): boolean {
  const requireAuth = site?.access?.admin?.requireAuth;
  return requireAuth === false || requireAuth === 'false';
}

const SHOWN_ADMINS = 5;
