import { z } from 'zod';

/** `limit` is absent where there is none. */
const Amount = z.object({ used: z.number().int().min(0), limit: z.number().int().min(0).optional() });

/** What an organization has, and what the operator lets it have. */
export const UsageReport = z.object({
  sites: Amount,
  /** Code repositories that its sites use. */
  repositories: Amount,
  /** Of its sites, profiles and of itself. */
  versions: Amount,
  /** Versions included. */
  configurationBytes: Amount,
  /** Of `main` of each repository, of the branches that the organization asked for, and of all of external repositories. */
  codeBytes: Amount,
  secrets: Amount,
  apiKeys: Amount,
  /** How many code syncs of the organization are worked on at once. */
  syncsAtOnce: z.number().int().min(1),
});
export type UsageReport = z.infer<typeof UsageReport>;
