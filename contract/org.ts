import { z } from 'zod';
import { Group, GroupName, Member, RoleKey, RoleName } from './access.ts';
import { ConfirmQuery, DryRun, ORG_ERRORS, OrgParams, RestoreQuery } from './endpoint-parts.ts';
import { answer, endpoint, json, NO_PARAMS, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { StoredApiKeys, SecretsMetadata, StoredTokens, SentSecrets, SentTokens } from './secret.ts';
import { Editor } from './site-parts.ts';

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

/** Stored and returned: the keys that are valid here are in `apiKeys.json`. */
export const OrgAdminAccess = z.strictObject({ apiKeyId: z.array(z.string().max(LIMITS.foreignName)).max(1000).optional() });

const parts = {
  title: z.string().max(1000).optional(),
  description: z.string().max(10_000).optional(),
  groups: OrgGroups.optional(),
  apiKeys: StoredApiKeys.optional(),
  access: z.strictObject({ admin: OrgAdminAccess.optional() }).optional(),
  registry: z.enum(['github', 'custom', 'ims']).optional(),
  editor: Editor.optional(),
};

/** An organization as a client sends it. Users without `id` get one; if users are omitted, they stay unchanged. */
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
  secrets: SecretsMetadata.optional(),
  tokens: StoredTokens.optional(),
  users: z.array(OrgUser),
});
export type Org = z.infer<typeof Org>;

/** Organizations in which the caller has a role. */
export const OwnOrgs = z.object({
  orgs: z.array(z.object({ name: z.string(), title: z.string().optional(), roles: z.array(RoleName).min(1) })),
  /** Set if there are more organizations. */
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

/** `limit` is absent if there is none. */
const Amount = z.object({ used: z.number().int().min(0), limit: z.number().int().min(0).optional() });

/** An organization's usage and the operator's limits for it. */
export const UsageReport = z.object({
  sites: Amount,
  /** Code repositories that its sites use. */
  repositories: Amount,
  /** Versions of its sites, its profiles and itself. */
  versions: Amount,
  /** Including versions. */
  configurationBytes: Amount,
  /** Code of `main` of each repository, of the branches that the organization requested, and of all branches of external repositories. */
  codeBytes: Amount,
  secrets: Amount,
  apiKeys: Amount,
  /** Code syncs of the organization that may run concurrently. */
  syncsAtOnce: z.number().int().min(1),
});
export type UsageReport = z.infer<typeof UsageReport>;

const CLAIM_ERRORS = [
  ...WRITE_ERRORS,
  'NOT_AUTHORIZED',
  'ORG_ALREADY_CLAIMED',
  'ORG_UNKNOWN_ON_CODE_HOST',
  'CODE_HOST_UNREACHABLE',
] as const;
const path = '/config/{org}.json' as const;
const write = {
  path,
  params: OrgParams,
  query: ConfirmQuery,
  body: json(OrgInput),
  permission: 'org:claim',
  answers: {
    200: answer('replaced', z.union([Org, DryRun])),
    201: answer('claimed and created', z.union([Org, DryRun])),
  },
  errors: [...CLAIM_ERRORS, 'CLAIM_NOT_PROVEN', 'WOULD_LOCK_OUT'],
  tag: 'Organizations',
  summary: 'Claim an organization, or replace its configuration (only its admins)',
  preconditions: true,
} as const;

const read = { method: 'GET', query: NO_QUERY, tag: 'Organizations' } as const;

export const orgEndpoints = {
  getUsage: endpoint({
    ...read,
    path: '/config/{org}/usage.json',
    params: OrgParams,
    permission: 'org:read',
    answers: { 200: answer('the usage and the limits', UsageReport) },
    errors: ORG_ERRORS,
    summary: 'Read the usage of an organization and its limits',
  }),
  /** Only organizations in which the caller has a role are listed. */
  listOwnOrgs: endpoint({
    ...read,
    path: '/orgs.json',
    params: NO_PARAMS,
    permission: 'signed-in',
    answers: { 200: answer('the organizations in which you have a role, by name', OwnOrgs) },
    errors: [],
    summary: 'List the organizations in which you have a role',
  }),
  getOrg: endpoint({
    ...read,
    path,
    params: OrgParams,
    permission: 'org:read',
    answers: { 200: answer('the organization', Org) },
    errors: ORG_ERRORS,
    summary: 'Read an organization',
    preconditions: true,
  }),
  putOrg: endpoint({ method: 'PUT', ...write }),
  postOrg: endpoint({
    ...write,
    method: 'POST',
    query: RestoreQuery,
    body: { ...write.body, optional: true },
    errors: [...write.errors, 'ORG_NOT_FOUND', 'BODY_MISSING', 'VERSION_NOT_FOUND', 'VERSION_REFUSED'],
    summary: 'Claim an organization, replace its configuration, or restore a version of it',
  }),
  challengeOrg: endpoint({
    method: 'POST',
    path: '/config/{org}/challenge.json',
    params: OrgParams,
    query: WRITE_QUERY,
    body: json(
      z.strictObject({ repository: z.string().regex(/^[a-zA-Z0-9_.-]+$/, 'Write the name of a repository of the organization.') }),
    ),
    permission: 'signed-in',
    answers: { 200: answer('the challenge to commit on main of the repository; then PUT the organization', z.union([Challenge, DryRun])) },
    errors: CLAIM_ERRORS,
    tag: 'Organizations',
    summary: 'Start the claim of an organization',
    preconditions: true,
  }),
} as const;
