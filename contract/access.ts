import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { placeholderProblem } from './names.ts';

export const ROLE_NAMES = [
  'admin',
  'config_admin',
  'develop',
  'author',
  'publish',
  'basic_author',
  'basic_publish',
  'config',
  'view',
] as const;
export const RoleName = z.enum(ROLE_NAMES);
export type RoleName = z.infer<typeof RoleName>;

const GROUP = /[a-zA-Z0-9-_=]+/;
// Without flags, because the published JSON schema has none.
const MEMBER = new RegExp(
  `^(?:\\*|\\*@[A-Za-z0-9.-]+|/?groups/${GROUP.source}(?:\\.json)?|[^\\s*@/<>]+@[^\\s*@/<>]+|[^\\s*@/<>|]+[|][^\\s@/<>]+)$`,
);
const MEMBER_FORMS =
  'an e-mail address such as ada@example.com, a technical account such as 0A1B2C3D@techacct.example.com, "*", "*@example.com" or "groups/editors"';

/** E-mail address, `*`, `*@domain`, technical account, user id, or `groups/<name>` (docs/contract.md 3.9). */
export const Member = z
  .string()
  .max(320)
  .regex(MEMBER, {
    error: ({ input }) => placeholderProblem(input, MEMBER_FORMS) ?? `${shown(input)} is not allowed here. Use ${MEMBER_FORMS}.`,
  });
export type Member = z.infer<typeof Member>;

function shown(value: unknown): string {
  return value === '' ? 'An empty string' : `"${String(value).slice(0, 80)}"`;
}

const members = z.array(Member).max(1000);

/** The name of a role, known here or not: unknown ones are stored and have no effect. */
export const RoleKey = z
  .string()
  .max(LIMITS.foreignName)
  .regex(/^[a-z-_]+$/, {
    error: ({ input }) => `${shown(input)} is not a valid role name: use lowercase letters, "-" and "_".`,
  });

export function isRoleName(role: string): role is RoleName {
  return ROLE_NAMES.some((known) => known === role);
}

export const RequireAuth = z.union([z.literal('auto'), z.boolean()], {
  error: 'Write true, false or "auto", the first two without quotation marks.',
});

export const AdminRoles = z
  .object({
    admin: members.optional(),
    config_admin: members.optional(),
    develop: members.optional(),
    author: members.optional(),
    publish: members.optional(),
    basic_author: members.optional(),
    basic_publish: members.optional(),
    config: members.optional(),
    view: members.optional(),
  } satisfies Record<RoleName, unknown>)
  .catchall(members.optional())
  .superRefine((roles, context) => {
    for (const role of Object.keys(roles).filter((one) => !RoleKey.safeParse(one).success))
      context.addIssue({
        code: 'custom',
        path: [role],
        message: `"${role}" is not a valid role name: use lowercase letters, "-" and "_".`,
      });
  });

export type AdminRoles = z.infer<typeof AdminRoles>;

export const AdminAccess = z.strictObject({
  role: AdminRoles.optional(),
  requireAuth: RequireAuth.optional(),
  /** The roles of signed-in callers without another role. */
  defaultRole: z.array(RoleKey).max(1000).optional(),
  apiKeyId: z.array(z.string().max(LIMITS.foreignName)).optional(),
});
export type AdminAccess = z.infer<typeof AdminAccess>;

/** Who may read the delivery hosts of a site. */
export const HostAccess = z.strictObject({
  allow: members.optional(),
  requireAuth: RequireAuth.optional(),
  apiKeyId: z.array(z.string().max(LIMITS.foreignName)).optional(),
  secretId: z
    .array(
      z
        .string()
        .max(LIMITS.foreignName)
        .regex(/^[a-zA-Z0-9-_=+/]+$/, 'Write the name of a secret.'),
    )
    .optional(),
});
type HostAccess = z.infer<typeof HostAccess>;

export const Access = z.strictObject({
  admin: AdminAccess.optional(),
  site: HostAccess.optional(),
  preview: HostAccess.optional(),
  live: HostAccess.optional(),
});
export type Access = z.infer<typeof Access>;

export interface HostReaders {
  readonly allow: readonly string[];
  readonly apiKeyId: readonly string[];
  readonly secretId: readonly string[];
}

/**
 * The only readers of a host (docs/contract.md 6.4); undefined if everyone may read it. For each field, the host's own value wins over the
 * one for both hosts.
 */
export function hostReaders(access: Access | undefined, tier: 'preview' | 'live'): HostReaders | undefined {
  const { allow = [], apiKeyId = [], secretId = [], requireAuth }: HostAccess = { ...access?.site, ...access?.[tier] };
  // A string if it was stored before strings were refused.
  const isRequired = String(requireAuth) === 'true';
  const isOpen = String(requireAuth) === 'false';
  const named = allow.length + apiKeyId.length + secretId.length > 0;
  return isRequired || (named && !isOpen) ? { allow, apiKeyId, secretId } : undefined;
}

export const GroupName = z
  .string()
  .max(100)
  .regex(new RegExp(`^${GROUP.source}$`), 'A group name holds letters, digits, "-", "_" and "=".');

/** A member may be a group itself: `groups/<name>`. */
export const Group = z.strictObject({
  members: z.array(z.looseObject({ email: Member, name: z.string().optional() })).max(10_000),
});
export type Group = z.infer<typeof Group>;

/** The name of the group that a list entry refers to; undefined if it isn't a group. */
export function referredGroup(entry: string): string | undefined {
  return GROUP_REFERENCE.exec(entry)?.[1];
}

const GROUP_REFERENCE = /^\/?groups\/(.+?)(?:\.json)?$/;

/** Whether a list entry matches an identity (its lower-cased e-mail, user ID or preferred name). Groups are resolved elsewhere. */
export function memberMatches(entry: string, names: readonly string[]): boolean {
  const normalized = entry.toLowerCase();
  if (normalized === '*') return true;
  if (normalized.startsWith('*@')) return names.some((name) => name.endsWith(normalized.slice(1)));
  return names.includes(normalized);
}

/**
 * What a call requires. `public`: anyone. `signed-in`: any valid token. `operator`: an operator of the service. `org:*`: a role among the
 * organization's users. `config:*`, `people:read`, `keys:*`, `access:write`, `site:delete`, `site:audit`, `aggregate:read`, `job:read`,
 * `code:sync`: a role on the site, or among the organization's users.
 */
export type Permission =
  | 'public'
  | 'signed-in'
  /** The operators of the service, named in its settings; no role grants it. */
  | 'operator'
  | 'org:read'
  | 'org:write'
  /** Any signed-in person claims an organization; once it is claimed, only its admins replace it. */
  | 'org:claim'
  /** Profiles and other configuration of the organization, except who may do what. */
  | 'org:configure'
  | 'org:audit'
  | 'config:read'
  | 'config:write'
  /** Everything that names people or keys (access lists, groups, versions, secrets): like `config:read`, but never an open read. */
  | 'people:read'
  /** API keys of a site, a profile or the organization itself, and creating site tokens. */
  | 'keys:read'
  | 'keys:write'
  | 'access:write'
  | 'site:delete'
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

/** The callers with a permission, for readers of the documentation: part of a sentence, in Markdown. */
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

/** A read that `requireAuth: false` of a site opens to everyone. */
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
