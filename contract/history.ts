import { z } from 'zod';
import { Org } from './org.ts';
import { Profile, Site } from './site.ts';

export const VersionEntry = z.object({
  version: z.number().int().positive(),
  created: z.iso.datetime(),
  name: z.string().optional(),
  user: z.string().optional(),
  /** The version that was brought back with this one. */
  restoredFrom: z.number().int().positive().optional(),
});
export type VersionEntry = z.infer<typeof VersionEntry>;

/** All, the oldest first; a page, the newest first. `current` is absent where the site or profile is deleted. */
export const VersionList = z.object({ current: z.number().int().optional(), versions: z.array(VersionEntry) });
export type VersionList = z.infer<typeof VersionList>;

/** The number of a version, as an address or a query names it; no document ever has more of them. */
export const VersionNumber = z.coerce
  .number('Write the number of a version.')
  .int('Write the number of a version.')
  .positive()
  .max(2_147_483_647);

/** `data` is null where the version records the deletion of the site. */
export const Version = VersionEntry.extend({ data: Site.nullable() });
export type Version = z.infer<typeof Version>;

export const ProfileVersion = VersionEntry.extend({ data: Profile.nullable() });
export const OrgVersion = VersionEntry.extend({ data: Org.nullable() });

/** The name that a version gets; an empty one takes it away. */
export const VersionName = z.string().trim().max(200, 'A version name has at most 200 characters.');
export const VersionNaming = z.strictObject({ name: VersionName });

/** One operation of a JSON patch (RFC 6902). */
export const PatchOperation = z.looseObject({ op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']), path: z.string() });
export const Patch = z.array(PatchOperation);
export type Patch = z.infer<typeof Patch>;

/**
 * The answer to a write with `?dryRun=true`: the status and body that the write would have, and the difference to what is stored. Values generated
 * anew each time (a secret, the identifier of a key or job) are omitted.
 */
export const DryRun = z.object({
  dryRun: z.literal(true),
  status: z.number().int(),
  result: z.unknown(),
  diff: Patch,
  /** What `x-warning` would say. */
  warnings: z.array(z.string()).optional(),
});
export type DryRun = z.infer<typeof DryRun>;
