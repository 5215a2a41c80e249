import { z } from 'zod';
import { SITE_PART_NAMES, SiteListEntry } from './site.ts';
import type { SitePart } from './site.ts';

/** The parts of a profile: those of a site, but a profile extends nothing. */
export type ProfilePart = Exclude<SitePart, 'extends'>;
export const PROFILE_PART_NAMES = SITE_PART_NAMES.filter((part): part is ProfilePart => part !== 'extends');

/** One row of `profiles.json`; all but name and path only with `?details=true`. */
export const ProfileListEntry = SiteListEntry.omit({ public: true });
export const ProfileList = z.object({ profiles: z.array(ProfileListEntry) });
export type ProfileList = z.infer<typeof ProfileList>;
