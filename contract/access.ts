import { z } from 'zod';

export const ROLE_NAMES = ['admin', 'config_admin', 'develop', 'author', 'publish', 'basic_author', 'basic_publish', 'config'] as const;
export const RoleName = z.enum(ROLE_NAMES);
export type RoleName = z.infer<typeof RoleName>;

// Without flags, for the published JSON schema has none.
const MEMBER = /^(?:\*|\*@[A-Za-z0-9.-]+|groups\/[A-Za-z0-9-]+(?:\.json)?|[^\s*@/]+(?:@[^\s*@/]+)?)$/;

/** E-mail address, `*`, `*@domain`, technical account identifier, or `groups/<name>` (service contract, section 2). */
export const Member = z
  .string()
  .max(320)
  .regex(MEMBER, 'Write an e-mail address, "*", "*@domain", a technical account identifier or "groups/<name>".');
export type Member = z.infer<typeof Member>;

const members = z.array(Member).max(1000);

export const RequireAuth = z.union([z.literal('auto'), z.boolean(), z.enum(['true', 'false'])]);

export const AdminRoles = z.strictObject({
  admin: members.optional(),
  config_admin: members.optional(),
  develop: members.optional(),
  author: members.optional(),
  publish: members.optional(),
  basic_author: members.optional(),
  basic_publish: members.optional(),
  config: members.optional(),
} satisfies Record<RoleName, unknown>);

export const AdminAccess = z.strictObject({
  role: AdminRoles.optional(),
  requireAuth: RequireAuth.optional(),
  apiKeyId: z.array(z.string()).optional(),
});
export type AdminAccess = z.infer<typeof AdminAccess>;

/** Who may read the delivery hosts of a site. */
export const HostAccess = z.strictObject({
  allow: members.optional(),
  requireAuth: RequireAuth.optional(),
  apiKeyId: z.array(z.string()).optional(),
  secretId: z.array(z.string()).optional(),
});

export const Access = z.strictObject({
  admin: AdminAccess.optional(),
  site: HostAccess.optional(),
  preview: HostAccess.optional(),
  live: HostAccess.optional(),
});
export type Access = z.infer<typeof Access>;

export const GroupName = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'A group name holds lower-case letters, digits and single hyphens.');

/** A member may be a group itself: `groups/<name>`. */
export const Group = z.strictObject({
  members: z.array(z.strictObject({ email: Member, name: z.string().optional() })).max(10_000),
});
export type Group = z.infer<typeof Group>;

/** The name of the group that a list entry refers to; undefined where it refers to none. */
export function referredGroup(entry: string): string | undefined {
  return GROUP_REFERENCE.exec(entry)?.[1]?.toLowerCase();
}

const GROUP_REFERENCE = /^groups\/(.+?)(?:\.json)?$/;

/** Whether an identity (its lower-cased e-mail, user id or preferred name) is meant by a list entry. Groups are resolved elsewhere. */
export function memberMatches(entry: string, names: readonly string[]): boolean {
  const wanted = entry.toLowerCase();
  if (wanted === '*') return true;
  if (wanted.startsWith('*@')) return names.some((name) => name.endsWith(wanted.slice(1)));
  return names.includes(wanted);
}
