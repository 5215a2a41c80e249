import { z } from 'zod';
import { Group, GroupName, Member, RoleKey, RoleName } from './access.ts';
import { KeptApiKeys, KeptSecrets, KeptTokens, SentSecrets, SentTokens } from './credentials.ts';
import { Editor } from './opaque-parts.ts';
import { LIMITS } from './limits.ts';

export const OrgUser = z.strictObject({
  id: z.string(),
  email: z.string().min(1).max(320),
  name: z.string().optional(),
  roles: z.array(RoleKey).max(1000),
});
export type OrgUser = z.infer<typeof OrgUser>;

/** A user as a client sends it: a list entry (e-mail address, technical account, `groups/<name>` …) and its roles. */
export const OrgUserInput = OrgUser.extend({
  id: z
    .string()
    .max(LIMITS.foreignName)
    .regex(/^[a-zA-Z0-9-_=]+$/, 'The identifier of a user holds letters, digits, "-", "_" and "=".')
    .optional(),
  email: Member,
});
export type OrgUserInput = z.infer<typeof OrgUserInput>;
export const OrgUserInputList = z.array(OrgUserInput).max(10_000);
export const OrgUserList = z.array(OrgUser);
export const OrgGroups = z.record(GroupName, Group);

/** Kept and answered: the keys that are good here are in `apiKeys.json`. */
export const OrgAdminAccess = z.strictObject({ apiKeyId: z.array(z.string().max(LIMITS.foreignName)).max(1000).optional() });

const parts = {
  title: z.string().max(1000).optional(),
  description: z.string().max(10_000).optional(),
  groups: OrgGroups.optional(),
  apiKeys: KeptApiKeys.optional(),
  access: z.strictObject({ admin: OrgAdminAccess.optional() }).optional(),
  registry: z.enum(['github', 'custom', 'ims']).optional(),
  editor: Editor.optional(),
};

/** An organization as a client sends it. Users without `id` get one; left out, the users stay as they are. */
export const OrgInput = z.strictObject({
  version: z.literal(1).optional(),
  created: z.iso.datetime({ offset: true }).optional(),
  lastModified: z.iso.datetime({ offset: true }).optional(),
  name: z.string().optional(),
  ...parts,
  secrets: SentSecrets.optional(),
  tokens: SentTokens.optional(),
  users: OrgUserInputList.optional(),
});
export type OrgInput = z.infer<typeof OrgInput>;

export const Org = z.strictObject({
  version: z.literal(1),
  created: z.iso.datetime(),
  lastModified: z.iso.datetime(),
  name: z.string(),
  ...parts,
  secrets: KeptSecrets.optional(),
  tokens: KeptTokens.optional(),
  users: z.array(OrgUser),
});
export type Org = z.infer<typeof Org>;

/** Organizations in which the caller has a role. */
export const OwnOrgs = z.object({
  orgs: z.array(z.object({ name: z.string(), title: z.string().optional(), roles: z.array(RoleName).min(1) })),
  /** There are more than these. */
  more: z.literal(true).optional(),
});
export type OwnOrgs = z.infer<typeof OwnOrgs>;

/** Where the challenge of a claim is committed, on `main` of the named repository of the organization. */
export const CHALLENGE_PATH = '.well-known/repoless-challenge.txt';

export const Challenge = z.object({
  org: z.string(),
  repository: z.string(),
  branch: z.string(),
  path: z.string(),
  token: z.string(),
  expires: z.iso.datetime(),
});
export type Challenge = z.infer<typeof Challenge>;
