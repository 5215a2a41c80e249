import { z } from 'zod';
import { SITE_PART_NAMES } from './site.ts';
import type { SitePart } from './site.ts';

/** The parts of a profile: those of a site, but a profile extends nothing. */
export type ProfilePart = Exclude<SitePart, 'extends'>;
export const PROFILE_PART_NAMES = SITE_PART_NAMES.filter((part): part is ProfilePart => part !== 'extends');

export const ProfileList = z.object({ profiles: z.array(z.object({ name: z.string(), path: z.string() })) });
export type ProfileList = z.infer<typeof ProfileList>;
