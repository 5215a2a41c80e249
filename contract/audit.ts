import { z } from 'zod';
import { ORG_ERRORS, OrgParams, SiteParams } from './endpoint-parts.ts';
import { answer, endpoint, integer, json, NO_QUERY } from './endpoint.ts';
import { Ref, SiteName } from './names.ts';

const MOMENT_RULE = 'Write a time like 2026-01-31T09:00:00Z.';
const Moment = z
  .string()
  .max(40)
  .refine((value) => !Number.isNaN(Date.parse(value)), MOMENT_RULE);

/** The requested part of a log: between two times, or a period up to now; the last 15 minutes by default. */
export const PublicLogQuery = z
  .object({
    from: Moment.optional(),
    to: Moment.optional(),
    since: z
      .string()
      .regex(/^\d{1,9}[smhd]$/, 'Write a number with s, m, h or d, e.g. 15m.')
      .optional(),
    limit: integer(1, 1000).optional(),
    /** From the answer of the previous page; its time span continues, whatever the other parameters say. */
    nextToken: z.string().max(200).optional(),
  })
  .refine(({ since, from, to }) => since === undefined || (from === undefined && to === undefined), {
    error: 'Write "since", or "from" and "to", not both.',
    path: ['since'],
  });

/** A change, as clients of the public service read it. */
export const PublicLogEntry = z.object({
  timestamp: z.number().int(),
  user: z.string(),
  /** As in the audit trail, e.g. `set-public`. */
  action: z.string(),
  route: z.enum(['config', 'code']),
  /** The address of what was changed, from the root of the service. */
  path: z.string(),
  /** The method of a call that makes such a change at this address. */
  method: z.enum(['PUT', 'POST', 'DELETE']),
  /** The status of the answer; refused calls are not in the log. */
  status: z.number().int(),
  org: z.string(),
  site: z.string(),
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  requestId: z.string(),
});
export type PublicLogEntry = z.infer<typeof PublicLogEntry>;

export const PublicLog = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  entries: z.array(PublicLogEntry),
  nextToken: z.string().optional(),
  links: z.object({ next: z.string() }).optional(),
});
export type PublicLog = z.infer<typeof PublicLog>;

const SINCE_RULE = 'Write a time like 2026-01-31T09:00:00Z, or how long ago it was: 90s, 15m, 24h, 7d.';

/**
 * The names of changes in entries, and their meanings. After the slash comes the subject: a part, a group, an identifier, a branch, or the number
 * of a version.
 */
export const AUDIT_ACTIONS = {
  'claim-org': 'The organization was claimed.',
  'put-org': 'The configuration of the organization was replaced.',
  'restore-org': 'The organization was restored to the version after the slash.',
  'add-user': 'A user was added to the organization.',
  'set-user': 'A user of the organization was replaced.',
  'delete-user': 'A user of the organization was removed.',
  'put-site': 'The site was created or replaced.',
  'post-site': 'The site was created or replaced, as a further site of a repository.',
  'restore-site': 'The site was restored to the version after the slash, also after its removal.',
  'delete-site': 'The site was removed, with its secrets, site tokens and API keys.',
  'unchecked-source': 'An operator stored the code source after the slash without checking that it exists.',
  'release-content-root': 'An operator released the content root after the slash from the site, which is still served.',
  'migrate-site': 'The site was migrated from fstab.yaml and paths.json in its repository.',
  'put-profiles': 'The profile was created or replaced.',
  'post-profiles': 'The profile was created or replaced.',
  'restore-profiles': 'The profile was restored to an earlier version, also after its removal.',
  'set-profiles': 'A part of the profile, or a secret, site token or API key of it, was set or created.',
  'delete-profiles': 'The profile, or the part, secret, site token or API key of it after the slash, was removed.',
  'set-groups': 'A group of the site, or of the organization, was set.',
  'delete-groups': 'A group of the site, or of the organization, was removed.',
  'set-robots': 'robots.txt was set.',
  'delete-robots': 'robots.txt was removed.',
  'set-secret': 'A secret was set; no entry contains its value.',
  'generate-secret': 'A secret was generated; no entry contains its value.',
  'delete-secret': 'A secret was removed.',
  'create-api-key': 'An API key was created; no entry contains its value.',
  'delete-api-key': 'An API key was revoked.',
  'create-token': 'A site token was created; no entry contains its value.',
  'delete-token': 'A site token was removed.',
  'create-subscription': 'A subscription to events was created; no entry contains its secret.',
  'put-subscription': 'A subscription to events was replaced.',
  'delete-subscription': 'A subscription to events was removed.',
  'start-rollout': 'A rollout was started.',
  'stop-rollout': 'A rollout was stopped.',
  'resume-rollout': 'A rollout was resumed.',
  'undo-rollout': 'The undo of a rollout was started.',
  rollout: 'The site was changed, or restored, by the rollout after the slash.',
  'rollout-profiles': 'The profile was changed, or restored, by the rollout after the slashes.',
  'name-version': 'A version was named, or its name was removed.',
  'delete-version': 'A version was removed.',
  'name-profiles': 'A version of the profile was named, or its name was removed.',
  'set-<part>': 'A part of the site was set, e.g. `set-access/admin`.',
  'delete-<part>': 'A part of the site was removed, e.g. `delete-public`.',
  'start-sync': 'A code sync of the branch was requested.',
  'stop-sync': 'A code sync was stopped.',
  'serve-commit': 'The branch was rolled back to an earlier commit, for all sites on the repository.',
  'follow-branch': 'The branch follows its latest synchronized commit again.',
  'onboard-repository': 'The external repository after the slash was onboarded; no entry contains its access token.',
  'retry-repository': 'A new check of the external repository was requested.',
  'set-access-token': 'The access token of the external repository was replaced, and a new check was requested.',
  'remove-repository': 'The external repository was removed, with its secret and its webhook.',
  'link-repository': 'The external repository was linked to the site; the secret of the previous link is revoked.',
  'unlink-repository': 'The external repository was unlinked from the site; its secret is revoked.',
  'rotate-webhook': 'The webhook credentials of the external repository were created or renewed.',
  'sync-repository': 'A sync of the branch of the external repository was requested.',
} as const satisfies Readonly<Record<string, string>>;

/** One change of the service: who did what, when, and from which version to which. It never holds a secret. */
export const AuditEntry = z.object({
  time: z.iso.datetime(),
  user: z.string(),
  action: z.string().meta({ description: `What was done: one of ${Object.keys(AUDIT_ACTIONS).join(', ')}; its target after a slash.` }),
  /** Absent if the change was made to the organization itself. */
  site: z.string().optional(),
  /** The previous version; absent if there was none, or if the change creates no versions. */
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  /** `x-request-id` of the call, also found in the service's log. */
  requestId: z.string(),
  /** The link in the organization's hash chain: the hash of this entry and of the previous entry's hash. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Newest first. `links.next` is the address of the next page, as in the `link` header. */
export const AuditLog = z.object({ entries: z.array(AuditEntry), links: z.object({ next: z.string().optional() }) });
export type AuditLog = z.infer<typeof AuditLog>;

/** Whether the entries are unchanged and in their original order. */
export const AuditVerification = z.object({
  intact: z.boolean(),
  /** The numbers of the entries that were verified. */
  verified: z.object({ from: z.number().int(), to: z.number().int() }),
  /** The hash of the last verified entry. Stored elsewhere, it later proves that no earlier entry was rewritten. */
  hash: z.string(),
  /** The first entry that was changed after it was written, counted from 1. */
  broken: z
    .object({
      entry: z.number().int(),
      problem: z.enum(['altered', 'missing', 'added']),
      sentence: z.string(),
    })
    .optional(),
  links: z.object({ next: z.string().optional() }),
});
export type AuditVerification = z.infer<typeof AuditVerification>;

/** A time, or how long ago: `90s`, `15m`, `24h`, `7d`. */
export const Since = z
  .string()
  .regex(/^(?:\d{1,9}[smhd]|\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?)$/, SINCE_RULE)
  .refine((value) => !value.includes('-') || !Number.isNaN(Date.parse(value)), SINCE_RULE);

/** Actions on external repositories, as named in the audit trail. */
export const REPOSITORY_ACTIONS = [
  'onboard-repository',
  'retry-repository',
  'set-access-token',
  'remove-repository',
  'link-repository',
  'unlink-repository',
  'rotate-webhook',
  'sync-repository',
] as const satisfies readonly (keyof typeof AUDIT_ACTIONS)[];
export type RepositoryAction = (typeof REPOSITORY_ACTIONS)[number];

/** Entries reported in one call. */
export const ENTRIES_PER_CALL = 100;

/** An audit trail entry created by build management. Repeated reports of an entry have the same `id`. */
export const RepositoryLogEntry = z.strictObject({
  id: z.uuid(),
  time: z.iso.datetime(),
  user: z.string().min(1).max(320),
  action: z.enum(REPOSITORY_ACTIONS),
  /** The identifier of the repository, followed by a slash and the branch if the entry is about one. */
  subject: z.string().min(1).max(600),
  /** The site that the repository was linked to or unlinked from. */
  site: SiteName.optional(),
  /** `x-request-id` of the call to build management. */
  requestId: z.string().min(1).max(200),
});
export type RepositoryLogEntry = z.infer<typeof RepositoryLogEntry>;

/** In chronological order. */
export const RepositoryLog = z.strictObject({ entries: z.array(RepositoryLogEntry).min(1).max(ENTRIES_PER_CALL) });
export type RepositoryLog = z.infer<typeof RepositoryLog>;

/** A page: at most `limit` entries (100 by default); `before` comes from the `link` header of the previous page. */
const LogQuery = z.object({
  since: Since.optional(),
  limit: integer(1, 1000).optional(),
  before: integer(1, Number.MAX_SAFE_INTEGER).optional(),
});
const log = answer('the changes, newest first; a `link` header with rel="next" if there are more', AuditLog);

/** The audit trail (docs/contract.md 3.11). */
const read = { method: 'GET', tag: 'History', errors: ORG_ERRORS } as const;

export const auditEndpoints = {
  getLog: endpoint({
    ...read,
    path: '/config/{org}/log.json',
    params: OrgParams,
    query: LogQuery.extend({ site: SiteName.optional() }),
    permission: 'org:audit',
    answers: { 200: log },
    summary: 'Read who changed what in an organization',
  }),
  verifyLog: endpoint({
    method: 'GET',
    path: '/config/{org}/log/verification.json',
    params: OrgParams,
    // The number after the last entry is valid, too.
    query: z.object({
      after: integer(1, Number.MAX_SAFE_INTEGER - 1).optional(),
    }),
    permission: 'org:audit',
    answers: {
      200: answer(
        'whether the entries are unchanged and in their order; a `link` header with rel="next" if there are more than one call checks',
        AuditVerification,
      ),
    },
    errors: ORG_ERRORS,
    tag: 'History',
    summary: 'Check whether the audit trail was tampered with',
  }),
  getPublicLog: endpoint({
    ...read,
    path: '/log/{org}/{site}/{ref}',
    params: SiteParams.extend({ ref: Ref }),
    query: PublicLogQuery,
    permission: 'site:audit',
    answers: {
      200: answer('the changes in the time span, on all branches, newest first; `nextToken` and `links.next` if there are more', PublicLog),
    },
    summary: 'Read who changed what on a site, in the form of the public service',
  }),
  getSiteLog: endpoint({
    ...read,
    path: '/config/{org}/sites/{site}/log.json',
    params: SiteParams,
    query: LogQuery,
    permission: 'site:audit',
    answers: { 200: log },
    summary: 'Read who changed what on a site',
  }),
  /** For build management only: `authorization: Bearer <BUILD_MANAGEMENT_KEY>`. */
  addRepositoryLog: endpoint({
    method: 'POST',
    path: '/repository-log/{org}',
    params: OrgParams,
    query: NO_QUERY,
    body: { ...json(RepositoryLog), raw: true },
    permission: 'public',
    credentials: 'program',
    outside: 'build management',
    answers: { 204: { description: 'the entries are in the audit trail, each once' } },
    errors: ['NOT_AUTHENTICATED', 'ORG_NOT_FOUND', 'BODY_UNPARSABLE', 'STORAGE_FULL'],
    tag: 'History',
    summary: 'Build management reports what was done with external repositories',
  }),
} as const;
