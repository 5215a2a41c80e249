import { z } from 'zod';

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
  'onboard-repository': 'The external repository after the slash was onboarded; no entry contains its access token.',
  'retry-repository': 'A new check of the external repository was requested.',
  'set-access-token': 'The external repository got another access token, and a new check was requested.',
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
  /** Absent: it was done to the organization itself. */
  site: z.string().optional(),
  /** The version before; absent where there was none, or where the change makes no versions. */
  from: z.number().int().optional(),
  to: z.number().int().optional(),
  /** `x-request-id` of the call: the same is in the log of the service. */
  requestId: z.string(),
  /** The link in the chain of the organization: of this entry and the hash of the one before it. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Newest first. `links.next` is the address of the next page, as the `link` header has it. */
export const AuditLog = z.object({ entries: z.array(AuditEntry), links: z.object({ next: z.string().optional() }) });
export type AuditLog = z.infer<typeof AuditLog>;

/** Whether the entries are those that were written, in their order. */
export const AuditVerification = z.object({
  intact: z.boolean(),
  /** The numbers of the entries that were looked at. */
  verified: z.object({ from: z.number().int(), to: z.number().int() }),
  /** The hash of the last of them. Stored elsewhere, it later proves that nothing before it was rewritten. */
  hash: z.string(),
  /** The first entry that is not as it was written, by its number from 1. */
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

/** Since when: a time, or how long ago: `90s`, `15m`, `24h`, `7d`. */
export const Since = z
  .string()
  .regex(/^(?:\d{1,9}[smhd]|\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?)$/, SINCE_RULE)
  .refine((value) => !value.includes('-') || !Number.isNaN(Date.parse(value)), SINCE_RULE);
