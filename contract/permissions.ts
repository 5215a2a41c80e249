import type { RoleName } from './access.ts';

/**
 * What a call asks for. `public`: anyone. `signed-in`: any valid token. `org:*`: a role among the organization's users.
 * `config:*`, `access:write`, `site:delete`, `aggregate:read`, `job:read`, `code:sync`: a role on the site, or among the
 * organization's users.
 */
export type Permission =
  | 'public'
  | 'signed-in'
  | 'org:read'
  | 'org:write'
  /** Profiles and what else of the organization is configuration, but not who may do what. */
  | 'org:configure'
  /** The audit trail. */
  | 'org:audit'
  | 'config:read'
  | 'config:write'
  | 'access:write'
  | 'site:delete'
  | 'aggregate:read'
  | 'job:read'
  | 'code:sync';

/** Which roles give which permission (service contract, section 3). */
export const GRANTS: Record<Exclude<Permission, 'public' | 'signed-in'>, readonly RoleName[]> = {
  'org:read': ['admin', 'config_admin'],
  'org:write': ['admin'],
  'org:configure': ['admin', 'config_admin'],
  'org:audit': ['admin'],
  'config:read': ['admin', 'config_admin'],
  'config:write': ['admin', 'config_admin'],
  'access:write': ['admin'],
  'site:delete': ['admin'],
  'aggregate:read': ['admin', 'config_admin', 'config'],
  'job:read': ['admin', 'config_admin', 'develop', 'author', 'publish', 'basic_author', 'basic_publish'],
  'code:sync': ['admin', 'config_admin', 'develop', 'author', 'publish'],
};

/** A permission for which `requireAuth: false` lets anonymous callers through. */
export function isRead(permission: Permission): boolean {
  return READS.has(permission);
}

const READS: ReadonlySet<Permission> = new Set<Permission>(['config:read', 'org:read', 'org:audit', 'aggregate:read', 'job:read']);
