import { z } from 'zod';

/** What the value of a site token begins with, by which clients of the public API know it. */
export const SITE_TOKEN_PREFIX = 'hlxtst_';

/** Seconds that a site token lives. */
export const SITE_TOKEN_SECONDS = 24 * 60 * 60;

export const SiteTokenId = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z0-9-_=]+$/, 'The identifier of a site token holds letters, digits, "-", "_" and "=".');

/** There is nothing to say of a site token: it is as it is made. */
export const SiteTokenInput = z.strictObject({});

/** The public view of a site token: everything but its value. One that came with a configuration opens nothing here and has no expiry. */
export const SiteTokenInfo = z.object({
  id: z.string(),
  created: z.iso.datetime({ offset: true }).optional(),
  expires: z.iso.datetime().optional(),
});
export type SiteTokenInfo = z.infer<typeof SiteTokenInfo>;

/** Site tokens by their identifiers. */
export const SiteTokenList = z.record(z.string(), SiteTokenInfo);

/** A site token that was made: its value is shown this once. */
export const CreatedSiteToken = z.object({
  id: z.string(),
  value: z.string(),
  created: z.iso.datetime(),
  expires: z.iso.datetime(),
});
