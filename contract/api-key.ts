import { z } from 'zod';
import { RoleName } from './access.ts';

export const ApiKeyId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'The identifier of an API key holds letters, digits, "-" and "_".');

/** What a key shall be. Without roles it is an author's, as at the public API; `expiresIn` are seconds from now. */
export const ApiKeyInput = z.strictObject({
  description: z.string().trim().max(1000).optional(),
  roles: z.array(RoleName).min(1, 'Specify at least one role.').optional(),
  expiresIn: z.number().int('Write whole seconds.').min(60, 'A key is valid for at least 60 seconds.').optional(),
});
export type ApiKeyInput = z.infer<typeof ApiKeyInput>;

/** The public view of a key: everything but its value (docs/contract.md 3.8). */
export const ApiKeyInfo = z.object({
  id: z.string(),
  description: z.string().optional(),
  roles: z.array(RoleName),
  /** Where it is good: `<org>/<site>`, or `<org>/*` for every site and the organization itself. */
  subject: z.string(),
  created: z.iso.datetime(),
  /** The owner: its creator or, if it was created with another key, the creator of that one. */
  createdBy: z.string(),
  expires: z.iso.datetime(),
  /** The same time, by the name that clients of the public API read. */
  expiration: z.iso.datetime(),
});
export type ApiKeyInfo = z.infer<typeof ApiKeyInfo>;

/** The keys of a site, or those of an organization itself, by their identifiers. */
export const ApiKeyList = z.record(z.string(), ApiKeyInfo);
export type ApiKeyList = z.infer<typeof ApiKeyList>;

/** A key that was made: its value is shown this once. */
export const CreatedApiKey = ApiKeyInfo.extend({ value: z.string() });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
