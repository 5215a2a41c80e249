import type { RoleName } from './access.ts';

/**
 * What a call requires. `public`: anyone. `signed-in`: any valid token. `operator`: an operator of the service. `org:*`: a role among the
 * organization's users. `config:*`, `people:read`, `keys:*`, `access:write`, `site:delete`, `site:audit`, `aggregate:read`, `job:read`,
 * `code:sync`: a role on the site, or among the organization's users.
 */
export type Permission =
  | 'public'
  | 'signed-in'
  /** Those who run the service, whom its settings name; no role gives it. */
  | 'operator'
  | 'org:read'
  | 'org:write'
  /** Any signed-in person claims an organization; once it is claimed, only its admins replace it. */
  | 'org:claim'
  /** Profiles and other configuration of the organization, except who may do what. */
  | 'org:configure'
  /** The audit trail. */
  | 'org:audit'
  | 'config:read'
  | 'config:write'
  /** Everything that names people or keys (access lists, groups, versions, secrets): like `config:read`, but never an open read. */
  | 'people:read'
  /** API keys, of a site, a profile or the organization itself; the making of site tokens. */
  | 'keys:read'
  | 'keys:write'
  | 'access:write'
  | 'site:delete'
  /** The audit trail of a site. */
  | 'site:audit'
  | 'aggregate:read'
  | 'job:read'
  | 'code:sync';

/** Which roles give which permission (docs/contract.md 4.2). */
export const GRANTS: Record<Exclude<Permission, 'public' | 'signed-in'>, readonly RoleName[]> = {
  operator: [],
  'org:read': ['admin', 'config_admin'],
  'org:write': ['admin'],
  'org:claim': ['admin'],
  'org:configure': ['admin', 'config_admin'],
  'org:audit': ['admin'],
  'config:read': ['admin', 'config_admin'],
  'config:write': ['admin', 'config_admin'],
  'people:read': ['admin', 'config_admin'],
  'keys:read': ['admin'],
  'keys:write': ['admin'],
  'access:write': ['admin'],
  'site:delete': ['admin'],
  'site:audit': ['admin'],
  'aggregate:read': ['admin', 'config_admin', 'config'],
  'job:read': ['admin', 'config_admin', 'develop', 'author', 'publish', 'basic_author', 'basic_publish', 'view'],
  'code:sync': ['admin', 'config_admin', 'develop', 'author', 'publish'],
};

/** Who has a permission, for readers of the documentation: part of a sentence, in Markdown. */
export function permissionText(permission: Permission): string {
  if (permission === 'public') return 'none: anyone may call it.';
  if (permission === 'signed-in') return 'any valid token.';
  if (permission === 'operator') return 'operators of the service, whom its settings name (`OPERATORS`).';
  const names = GRANTS[permission].map((role) => `\`${role}\``);
  const roles = new Intl.ListFormat('en').format(names);
  const where = permission.startsWith('org:') ? "among the organization's users" : "on the site or among the organization's users";
  return `\`${permission}\`, which ${roles} ${names.length === 1 ? 'has' : 'have'} ${where}.`;
}

/** A permission that changes nothing, so that a cookie is enough. */
export function isRead(permission: Permission): boolean {
  return READS.has(permission);
}

/** A read that `requireAuth: false` of a site opens to everybody. */
export function isOpenRead(permission: Permission): boolean {
  return OPEN_READS.has(permission);
}

const OPEN_READS: ReadonlySet<Permission> = new Set<Permission>(['config:read', 'aggregate:read', 'job:read']);
const READS: ReadonlySet<Permission> = new Set<Permission>([
  ...OPEN_READS,
  'people:read',
  'keys:read',
  'org:read',
  'org:audit',
  'site:audit',
]);
