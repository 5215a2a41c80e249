import { z } from 'zod';
import type { AUDIT_ACTIONS } from './audit.ts';
import { SiteName } from './names.ts';

/** What is done with external repositories, as the audit trail names it. */
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

/** Entries that are told of at once. */
export const ENTRIES_PER_CALL = 100;

/** An entry of the audit trail that build management made. `id`: repeated reports of an entry have the same one. */
export const RepositoryLogEntry = z.strictObject({
  id: z.uuid(),
  time: z.iso.datetime(),
  user: z.string().min(1).max(320),
  action: z.enum(REPOSITORY_ACTIONS),
  /** What was meant: the identifier of the repository, and the branch behind a slash where it is about one. */
  subject: z.string().min(1).max(600),
  /** The site that the repository was linked to, or unlinked from. */
  site: SiteName.optional(),
  /** `x-request-id` of the call of build management. */
  requestId: z.string().min(1).max(200),
});
export type RepositoryLogEntry = z.infer<typeof RepositoryLogEntry>;

/** In the order in which it was done. */
export const RepositoryLog = z.strictObject({ entries: z.array(RepositoryLogEntry).min(1).max(ENTRIES_PER_CALL) });
export type RepositoryLog = z.infer<typeof RepositoryLog>;
