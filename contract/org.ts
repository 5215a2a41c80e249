import { z } from 'zod';
import { Group, GroupName, Member, RoleName } from './access.ts';

export const OrgUser = z.strictObject({
  id: z.string(),
  email: z.string().min(1).max(320),
  name: z.string().optional(),
  roles: z.array(RoleName).min(1),
});
export type OrgUser = z.infer<typeof OrgUser>;

/** A user as a client sends it: a list entry (e-mail address, technical account, `groups/<name>` …) and its roles. */
export const OrgUserInput = OrgUser.extend({ email: Member }).partial({ id: true });
export type OrgUserInput = z.infer<typeof OrgUserInput>;
export const OrgUserList = z.array(OrgUser);
export const OrgGroups = z.record(z.string(), Group);

const parts = {
  title: z.string().max(1000).optional(),
  description: z.string().max(10_000).optional(),
  groups: z.record(GroupName, Group).optional(),
};

/** An organization as a client sends it. Users without `id` get one; left out, the users stay as they are. */
export const OrgInput = z.strictObject({
  version: z.literal(1).optional(),
  created: z.iso.datetime().optional(),
  lastModified: z.iso.datetime().optional(),
  name: z.string().optional(),
  ...parts,
  users: z.array(OrgUserInput).max(10_000).optional(),
});
export type OrgInput = z.infer<typeof OrgInput>;

export const Org = z.strictObject({
  version: z.literal(1),
  created: z.iso.datetime(),
  lastModified: z.iso.datetime(),
  name: z.string(),
  ...parts,
  users: z.array(OrgUser),
});
export type Org = z.infer<typeof Org>;

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
